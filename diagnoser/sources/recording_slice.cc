#include "diagnoser/sources/recording_slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "diagnoser/sources/line_times.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

// Without the lines before `from`, as far as they are in order.
void DropEarlier(Recording::OwnedPiece& piece, UnixTime from) {
  const auto text = piece.Text();
  const auto last = FindLastTime(text, piece.format);
  const auto earlier =
      last && *last < from ? text.size() : FindLater(text, from - Duration(1), piece.format);
  piece.begin += earlier;
  piece.size -= earlier;
}

// What a file says in its first block alone: of its disks, and of its exporter.
bool IsSaidOnce(std::string_view line) {
  const auto name = line.substr(0, line.find_first_of("{ "));
  return name.ends_with("_info") || name.ends_with("_start_time_seconds");
}

// The lines of the first block that are said once, as if they had been said at `from`: what comes
// before it is left out, but its disks are the same.
class FirstBlock {
 public:
  explicit FirstBlock(UnixTime from) : from_(from) {}

  void Read(const Recording::OwnedPiece& piece) {
    Lines lines(piece.Text());
    while (const auto line = over_ ? std::nullopt : lines.Next()) {
      const auto at = FindFirstTime(*line, 0, line->size(), piece.format);
      if (!at) {
        continue;
      }
      first_ = first_.value_or(*at);
      over_ = *at != *first_ || *at >= from_;
      if (!over_ && IsSaidOnce(*line)) {
        Keep(*line, piece.format);
      }
    }
  }
  // Empty when there is nothing.
  [[nodiscard]] Recording::OwnedPiece Finish() {
    over_ = true;
    return {.buffer = std::exchange(text_, {}), .begin = 0, .size = size_, .format = format_};
  }

 private:
  void Keep(std::string_view line, Format format) {
    const auto milliseconds =
        std::chrono::ceil<std::chrono::milliseconds>(from_.time_since_epoch()).count();
    format_ = format;
    text_ += line.substr(0, line.rfind(' ') + 1);
    text_ += format == Format::kText
                 ? fmt::format("{}\n", milliseconds)
                 : fmt::format("{}.{:03}\n", milliseconds / 1000, milliseconds % 1000);
    size_ = text_.size();
  }

  UnixTime from_;
  std::optional<UnixTime> first_;
  std::string text_;
  std::size_t size_ = 0;
  Format format_ = Format::kOpenMetrics;
  bool over_ = false;
};

void EndTurn(Recording& recording, const TimeRange& range, Slice& slice) {
  slice.turn_over = true;
  const auto next = recording.Peek();
  if (!next) {
    slice.error = next.error();
  } else if (*next && **next <= range.to) {
    slice.next = std::max(**next, range.from);
  }
}

std::string TakeSpare(std::vector<std::string>& spare) {
  if (spare.empty()) {
    return {};
  }
  auto one = std::move(spare.back());
  spare.pop_back();
  return one;
}

}  // namespace

Slice ReadSlice(Recording& recording, SliceRequest request) {
  Slice slice;
  const auto& range = request.range;
  const bool cuts = range.from != UnixTime::min();
  FirstBlock first_block(range.from);
  while (slice.pieces.size() < request.max_pieces) {
    auto piece = recording.Take(std::min(request.until, range.to), TakeSpare(request.spare));
    if (!piece) {
      slice.error = piece.error();
      break;
    }
    if (!*piece) {
      EndTurn(recording, range, slice);
      break;
    }
    if (cuts && request.begins) {
      first_block.Read(**piece);
    }
    if (cuts) {
      DropEarlier(**piece, range.from);
    }
    if ((*piece)->IsEmpty()) {
      request.spare.push_back(std::move((*piece)->buffer));
      continue;
    }
    if (auto said = first_block.Finish(); said.size > 0) {
      slice.pieces.push_back(std::move(said));
    }
    slice.pieces.push_back(*std::move(*piece));
  }
  slice.spare = std::move(request.spare);
  slice.bytes_read = recording.BytesRead();
  if (request.use) {
    request.use->Read(slice);
    slice.use = std::move(request.use);
  }
  return slice;
}

Result<std::optional<UnixTime>> FindFirstTurn(Recording& recording, const TimeRange& range) {
  const auto first = recording.Peek();
  if (!first) {
    return first.error();
  }
  recording.ReleaseBuffers();  // it may be long before its turn comes
  return *first && **first <= range.to ? std::optional(std::max(**first, range.from))
                                       : std::optional<UnixTime>();
}

}  // namespace limpet
