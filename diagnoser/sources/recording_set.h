// recording_set.h: many recordings read as one, merged by time.
//
// Threads: one at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/sources/recording.h"

namespace limpet {

// Files as they are; a folder stands for the recordings in it and in its folders (*.om, *.om.gz,
// *.om.zst), sorted by name. An error for a folder that has none or cannot be read.
[[nodiscard]] Result<std::vector<std::string>> FindRecordings(
    const std::vector<std::string>& inputs);

class RecordingSet {
 public:
  // Lines of one file may be out of order by this much.
  static constexpr Duration kDisorder = std::chrono::seconds(5);
  // A file is read on for so long before the next one's turn: what is known of its series need not
  // come from memory for every second. The pipeline takes what is 40 s ahead of the others
  // (PipelineLimits::future), disorder included.
  static constexpr Duration kTurn = std::chrono::seconds(30);

  struct Piece {
    std::string_view source;  // path
    std::string_view text;    // whole lines; valid until the next call
    Format format = Format::kOpenMetrics;
    UnixTime watermark;  // nothing at or before it is still to come, this piece included; the same
                         // as long as it is the turn of one file
  };

  explicit RecordingSet(std::vector<Recording> recordings)
      : recordings_(std::move(recordings)), next_(recordings_.size()) {}

  // Of the file that was read the least far; nullopt at the end. A recording that cannot be read on
  // is left out from there, and an error; the next call goes on with the others.
  [[nodiscard]] Result<std::optional<Piece>> Next();

  // Of those that ended in the middle of something, so far.
  [[nodiscard]] std::vector<std::string> CutPaths() const;

 private:
  struct Ahead {
    bool known = false;
    std::optional<UnixTime> first;  // of its next piece; nullopt: ended
  };

  // Whose turn it is now; nullopt: nobody has anything left.
  [[nodiscard]] Result<std::optional<std::size_t>> Earliest();

  std::vector<Recording> recordings_;
  std::vector<Ahead> next_;
  std::optional<std::size_t> turn_;
  UnixTime turn_began_;  // with a line of this time
};

}  // namespace limpet
