// recording_slice.h: a part of one recording's turn, read and decoded ahead of its use.
//
// What a slice holds depends on its file and its turn alone, so it does not matter which thread
// reads it, nor when.
// Threads: one at a time a recording.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/sources/recording.h"

namespace limpet {

// Readings that count: from <= at <= to.
struct TimeRange {
  UnixTime from = UnixTime::min();
  UnixTime to = UnixTime::max();
};

struct Slice;

// The result that a slice's user makes of it on the thread that reads it; an object a slice.
class SliceUse {
 public:
  virtual ~SliceUse() = default;
  virtual void Read(const Slice& slice) = 0;
};

struct SliceRequest {
  UnixTime until;  // the turn ends with the last line not later
  TimeRange range;
  bool begins = true;  // it is the first slice of the recording
  std::size_t max_pieces = 1;
  std::vector<std::string> spare;  // memory to use again
  std::shared_ptr<SliceUse> use;   // or null
};

struct Slice {
  std::vector<Recording::OwnedPiece> pieces;
  std::vector<std::string> spare;  // what was not needed
  std::uint64_t bytes_read = 0;    // of the file so far
  bool turn_over = false;
  std::optional<UnixTime> next;   // when the turn is over: begin of the next one; nullopt: ended
  std::optional<Error> error;     // after the pieces; ends the recording
  std::shared_ptr<SliceUse> use;  // that of the request
};

[[nodiscard]] Slice ReadSlice(Recording& recording, SliceRequest request);

// Returns when its first turn begins; nullopt: there is nothing in the range.
[[nodiscard]] Result<std::optional<UnixTime>> FindFirstTurn(Recording& recording,
                                                            const TimeRange& range);

}  // namespace limpet
