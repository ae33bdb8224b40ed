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

namespace {

// As a slice without pieces.
Slice ReadFirstTurn(Recording& recording, const TimeRange& range) {
  Slice slice;
  const auto first = FindFirstTurn(recording, range);
  if (first) {
    slice.next = *first;
  } else {
    slice.error = first.error();
  }
  return slice;
}

}  // namespace

std::optional<Error> RecordingSet::FindTurns() {
  if (examined_ == 0 && settings_.launch) {
    for (auto& file : files_) {
      file.reading = settings_.launch([from = &file.recording, range = settings_.range] {
        return ReadFirstTurn(*from, range);
      });
    }
  }
  while (examined_ < files_.size()) {
    const auto number = examined_++;
    auto& file = files_[number];
    const auto begin = file.reading ? Finish(file) : ReadFirstTurn(file.recording, settings_.range);
    if (begin.error) {
      return begin.error;
    }
    if (begin.next) {
      turns_.emplace(*begin.next, number);
    }
  }
  return std::nullopt;
}

Slice RecordingSet::Finish(File& file) {
  if (settings_.await) {
    settings_.await(*file.reading);
  }
  return std::exchange(file.reading, std::nullopt)->get();
}

void RecordingSet::Start(const Turn& turn, bool begins) {
  const auto [begin, number] = turn;
  auto& [recording, reading, begun, until, bytes_read] = files_[number];
  const bool ahead = static_cast<bool>(settings_.launch);
  const bool is_first = !std::exchange(begun, true);
  if (begins) {
    until = begin + (is_first ? std::min(kFirstTurn, settings_.turn) : settings_.turn);
  }
  SliceRequest request{.until = until,
                       .range = settings_.range,
                       .begins = is_first,
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

Slice RecordingSet::Take(const Turn& turn) {
  const auto number = turn.second;
  auto& file = files_[number];
  auto slice = Finish(file);
  bytes_read_ += slice.bytes_read - std::exchange(file.bytes_read, slice.bytes_read);
  for (auto& buffer : slice.spare) {
    Recycle(std::move(buffer));
  }
  if (slice.turn_over && slice.next) {
    turns_.emplace(*slice.next, number);
  }
  return slice;
}

bool RecordingSet::TakesNext(std::size_t most) const {
  const auto& last = given_.back().slice;
  if (given_.size() >= most || turns_.empty() || !last.turn_over || last.error) {
    return false;
  }
  const auto& [begin, number] = *turns_.begin();
  const bool is_another = std::ranges::none_of(
      given_, [number = number](const Given& given) { return given.turn.second == number; });
  return is_another && files_[number].reading && begin <= given_.front().turn.first + kDisorder;
}

void RecordingSet::NextSlices() {
  // Whoever goes on was begun when its last slice was handed out.
  const bool goes_on = !given_.empty() && !given_.back().slice.turn_over;
  const auto turn = goes_on ? given_.back().turn : *turns_.begin();
  given_.clear();
  if (!goes_on) {
    turns_.erase(turns_.begin());
  }
  if (!files_[turn.second].reading) {
    Start(turn, !goes_on);
  }
  const auto most = std::min(settings_.turns_together, (turns_.size() + 1) / 2);
  ReadAhead();
  given_.push_back({turn, Take(turn)});
  while (TakesNext(most)) {
    const auto next = *turns_.begin();
    turns_.erase(turns_.begin());
    given_.push_back({next, Take(next)});
  }
  const auto& last = given_.back();
  if (!last.slice.turn_over && !last.slice.error && settings_.launch) {
    Start(last.turn, false);  // while this one is used
  }
}

std::optional<Error> RecordingSet::EndSlices() {
  pieces_.clear();
  next_ = 0;
  std::optional<Error> error;
  for (auto& [turn, slice] : given_) {
    for (auto& piece : slice.pieces) {
      Recycle(std::move(piece.buffer));
    }
    slice.pieces.clear();
    slice.use.reset();
    error = std::exchange(slice.error, std::nullopt);
    slice.turn_over = slice.turn_over || error;
  }
  return error;
}

void RecordingSet::Recycle(std::string buffer) {
  if (!buffer.empty()) {
    spare_.push_back(std::move(buffer));
  }
}

// One file for a while, then the one that is furthest behind, instead of a merge line by line: the
// pipeline sorts by time itself, and finds the series of one file in the cache.
Result<std::span<const RecordingSet::Piece>> RecordingSet::NextPieces() {
  if (auto failed = FindTurns()) {
    return *failed;
  }
  while (true) {
    if (const auto error = EndSlices()) {
      return *error;
    }
    const bool goes_on = !given_.empty() && !given_.back().slice.turn_over;
    if (!goes_on && turns_.empty()) {
      return std::span<const Piece>();
    }
    NextSlices();
    for (const auto& [turn, slice] : given_) {
      for (std::size_t i = 0; i < slice.pieces.size(); ++i) {
        const auto& piece = slice.pieces[i];
        pieces_.push_back({.source = files_[turn.second].recording.Path(),
                           .text = piece.Text(),
                           .rows = piece.rows.chunk ? &piece.rows : nullptr,
                           .format = piece.format,
                           .use = slice.use.get(),
                           .number = i,
                           .watermark = turn.first - kDisorder});
      }
    }
    if (!pieces_.empty()) {
      return std::span<const Piece>(pieces_);
    }
  }
}

Result<std::optional<RecordingSet::Piece>> RecordingSet::Next() {
  if (next_ == pieces_.size()) {
    const auto pieces = NextPieces();
    if (!pieces) {
      return pieces.error();
    }
    if (pieces->empty()) {
      return std::optional<Piece>();
    }
  }
  return std::optional(pieces_[next_++]);
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
