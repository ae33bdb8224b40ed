#include "diagnoser/sources/recording_set.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace limpet {

namespace fs = std::filesystem;

bool IsRecordingName(std::string_view name) {
  return name.ends_with(".om") || name.ends_with(".om.gz") || name.ends_with(".om.zst") ||
         name.ends_with(".columns.zst");
}

Result<std::vector<std::string>> FindRecordings(const std::vector<std::string>& inputs) {
  std::vector<std::string> paths;
  for (const auto& input : inputs) {
    std::error_code failed;
    if (!fs::is_directory(input, failed)) {
      paths.push_back(input);  // also when it is not there: OpenFile says why
      continue;
    }
    // Errors by code, not by exception: a folder may vanish while it is walked.
    std::vector<std::string> found;
    auto walk = fs::recursive_directory_iterator(input, failed);
    for (; !failed && walk != fs::recursive_directory_iterator(); walk.increment(failed)) {
      std::error_code unknown;
      if (IsRecordingName(walk->path().filename().string()) && walk->is_regular_file(unknown)) {
        found.push_back(walk->path().string());
      }
    }
    if (failed) {
      return Error{ErrorCode::kPermission, failed.message(), input};
    }
    if (found.empty()) {
      return Error{ErrorCode::kNotFound,
                   "expected recordings (*.om, *.om.gz, *.om.zst, *.columns.zst) in this folder, "
                   "found none",
                   input};
    }
    std::sort(found.begin(), found.end());  // the kernel's order differs from run to run
    paths.insert(paths.end(), found.begin(), found.end());
  }
  return paths;
}

RecordingSet::RecordingSet(std::vector<Recording> recordings, Settings settings)
    : settings_(std::move(settings)) {
  for (auto& recording : recordings) {
    if (settings_.rows) {
      recording.HandOutRows();
    }
    files_.push_back({.recording = std::move(recording), .reading = std::nullopt});
  }
}

RecordingSet::RecordingSet(std::vector<Recording> recordings)
    : RecordingSet(std::move(recordings), Settings()) {}

RecordingSet::RecordingSet(RecordingSet&&) noexcept = default;

RecordingSet::~RecordingSet() {
  for (auto& file : files_) {
    if (file.reading && file.reading->valid()) {
      file.reading->wait();
    }
  }
}

std::optional<Error> RecordingSet::FindTurns() {
  while (examined_ < files_.size()) {
    const auto number = examined_++;
    const auto first = FindFirstTurn(files_[number].recording, settings_.range);
    if (!first) {
      return first.error();
    }
    if (*first) {
      turns_.emplace(**first, number);
    }
  }
  return std::nullopt;
}

void RecordingSet::Start(const Turn& turn, bool begins) {
  const auto [begin, number] = turn;
  auto& [recording, reading, begun, bytes_read] = files_[number];
  const bool ahead = static_cast<bool>(settings_.launch);
  SliceRequest request{.until = begin + settings_.turn,
                       .range = settings_.range,
                       .begins = !std::exchange(begun, true),
                       .max_pieces = ahead ? kMaxSlice : 1,
                       .spare = {},
                       .use = begins && ahead && settings_.use
                                  ? settings_.use(recording.Path(), begin - kDisorder)
                                  : nullptr};
  while (!spare_.empty() && request.spare.size() < request.max_pieces) {
    request.spare.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  std::function<Slice()> read = [from = &recording, request = std::move(request)]() mutable {
    return ReadSlice(*from, std::move(request));
  };
  reading = ahead ? settings_.launch(std::move(read))
                  : std::async(std::launch::deferred, std::move(read));
}

// Of the turns that come next, as many as are allowed.
void RecordingSet::ReadAhead() {
  std::size_t ahead = 1;  // the turn that is read now
  for (auto turn = turns_.begin(); turn != turns_.end() && ahead < settings_.turns_ahead;
       ++turn, ++ahead) {
    if (!files_[turn->second].reading) {
      Start(*turn, true);
    }
  }
}

// The next slice of the turn, or the first of the next turn.
void RecordingSet::NextSlice() {
  if (!turn_) {
    turn_ = *turns_.begin();
    turns_.erase(turns_.begin());
  }
  const auto number = turn_->second;
  auto& file = files_[number];
  if (!file.reading) {
    Start(*turn_, true);
  }
  ReadAhead();
  if (settings_.await) {
    settings_.await(*file.reading);
  }
  slice_ = std::exchange(file.reading, std::nullopt)->get();
  given_ = 0;
  bytes_read_ += slice_.bytes_read - std::exchange(file.bytes_read, slice_.bytes_read);
  for (auto& buffer : slice_.spare) {
    Recycle(std::move(buffer));
  }
  if (slice_.turn_over && slice_.next) {
    turns_.emplace(*slice_.next, number);
  } else if (!slice_.turn_over && !slice_.error && settings_.launch) {
    Start(*turn_, false);  // while this one is used
  }
}

std::optional<RecordingSet::Piece> RecordingSet::NextPiece() {
  if (given_ > 0) {
    Recycle(std::move(slice_.pieces[given_ - 1].buffer));
  }
  if (given_ == slice_.pieces.size()) {
    slice_.pieces.clear();
    given_ = 0;
    return std::nullopt;
  }
  const auto& piece = slice_.pieces[given_++];
  return Piece{.source = files_[turn_->second].recording.Path(),
               .text = piece.Text(),
               .rows = piece.rows.chunk ? &piece.rows : nullptr,
               .format = piece.format,
               .use = slice_.use.get(),
               .number = given_ - 1,
               .watermark = turn_->first - kDisorder};
}

void RecordingSet::Recycle(std::string buffer) {
  if (!buffer.empty()) {
    spare_.push_back(std::move(buffer));
  }
}

// One file for a while, then the one that is furthest behind, instead of a merge line by line: the
// pipeline sorts by time itself, and finds the series of one file in the cache.
Result<std::optional<RecordingSet::Piece>> RecordingSet::Next() {
  if (auto failed = FindTurns()) {
    return *failed;
  }
  while (true) {
    if (auto piece = NextPiece()) {
      return piece;
    }
    if (slice_.error || slice_.turn_over) {
      turn_.reset();
      const auto error = std::exchange(slice_, {}).error;
      if (error) {
        return *error;
      }
    }
    if (!turn_ && turns_.empty()) {
      return std::optional<Piece>();
    }
    NextSlice();
  }
}

std::vector<std::string> RecordingSet::CutPaths() const {
  std::vector<std::string> paths;
  for (const auto& file : files_) {
    if (file.recording.Cut()) {
      paths.push_back(file.recording.Path());
    }
  }
  return paths;
}

}  // namespace limpet
