#include "diagnoser/sources/recording_set.h"

#include <utility>

namespace limpet {

Result<std::optional<RecordingSet::Piece>> RecordingSet::Next() {
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
    }
    if (next_[i].first && (!earliest || *next_[i].first < *next_[*earliest].first)) {
      earliest = i;
    }
  }
  if (!earliest) {
    return std::optional<Piece>();
  }
  auto& recording = recordings_[*earliest];
  auto& ahead = next_[*earliest];
  ahead.known = false;
  const auto piece = recording.Next();
  if (!piece) {
    ahead = {.known = true, .first = std::nullopt};
    return piece.error();
  }
  return std::optional(Piece{.source = recording.Path(),
                             .text = (*piece)->text,
                             .format = (*piece)->format,
                             .watermark = (*piece)->first - kDisorder});
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
