#include "diagnoser/sources/recording_set.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace limpet {

namespace fs = std::filesystem;

namespace {

bool IsRecordingName(const std::string& name) {
  return name.ends_with(".om") || name.ends_with(".om.gz") || name.ends_with(".om.zst");
}

}  // namespace

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
                   "expected recordings (*.om, *.om.gz, *.om.zst) in this folder, found none",
                   input};
    }
    std::sort(found.begin(), found.end());  // the kernel's order differs from run to run
    paths.insert(paths.end(), found.begin(), found.end());
  }
  return paths;
}

Result<std::optional<std::size_t>> RecordingSet::Earliest() {
  std::optional<std::size_t> earliest;
  for (std::size_t i = 0; i < recordings_.size(); ++i) {
    if (!next_[i].known) {
      next_[i].known = true;
      next_[i].first.reset();
      const auto first = recordings_[i].Peek();
      if (!first) {
        return first.error();
      }
      next_[i].first = *first;
      recordings_[i].ReleaseBuffers();  // it may be long before its turn comes
    }
    if (next_[i].first && (!earliest || *next_[i].first < *next_[*earliest].first)) {
      earliest = i;
    }
  }
  return earliest;
}

// One file for a while, then the one that is furthest behind, instead of a merge line by line: the
// pipeline sorts by time itself, and finds the series of one file in the cache.
Result<std::optional<RecordingSet::Piece>> RecordingSet::Next() {
  while (true) {
    if (!turn_) {
      const auto earliest = Earliest();
      if (!earliest) {
        return earliest.error();
      }
      if (!*earliest) {
        return std::optional<Piece>();
      }
      turn_ = **earliest;
      turn_began_ = *next_[*turn_].first;
    }
    auto& recording = recordings_[*turn_];
    auto& ahead = next_[*turn_];
    const auto piece = recording.Next(turn_began_ + kTurn);
    if (!piece) {  // damaged: the others are read on
      ahead = {.known = true, .first = std::nullopt};
      turn_.reset();
      return piece.error();
    }
    if (*piece) {
      return std::optional(Piece{.source = recording.Path(),
                                 .text = (*piece)->text,
                                 .format = (*piece)->format,
                                 .watermark = turn_began_ - kDisorder});
    }
    ahead.known = false;
    turn_.reset();
  }
}

std::vector<std::string> RecordingSet::CutPaths() const {
  std::vector<std::string> paths;
  for (const auto& recording : recordings_) {
    if (recording.Cut()) {
      paths.push_back(recording.Path());
    }
  }
  return paths;
}

}  // namespace limpet
