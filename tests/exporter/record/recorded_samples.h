// recorded_samples.h: samples with a number of their own, and which of them a recording holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exporter/collectors/catalog/host.h"
#include "exporter/common/columns/chunk_header.h"
#include "exporter/common/columns/chunk_reader.h"
#include "exporter/common/columns/chunk_text.h"
#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/numbers.h"
#include "exporter/common/text.h"
#include "exporter/sampler/snapshot.h"

namespace limpet::testing {

inline Snapshot NumberedSample(UnixTime at, int number) {
  return {at, {{&catalog::kContextSwitches, {{nullptr, static_cast<double>(number)}}}}, {}};
}

struct NumberedLine {
  UnixTime at;
  int number;
};

// The lines of a recording in either form, up to where it was cut or damaged.
inline std::string RecordedText(std::string_view file) {
  Decoder decoder(Encoding::kZstd, {.max_ratio = DecodeLimits::kNone});
  decoder.Feed(file);
  std::string text;
  for (auto piece = decoder.Next(); piece && !piece->empty(); piece = decoder.Next()) {
    text += *piece;
  }
  if (!columns::IsColumns(text)) {
    return text;
  }
  columns::ChunkReader reader;
  reader.Feed(text);
  std::string lines;
  columns::Chunk chunk;
  for (auto next = reader.Next(chunk); next && *next; next = reader.Next(chunk)) {
    columns::ChunkText of_chunk;
    for (of_chunk.Begin(chunk); !of_chunk.IsDone();) {
      of_chunk.Append(lines, std::size_t{1} << 16U);
    }
  }
  return lines;
}

// In the order of the file, which may have lost its end: what comes before that.
inline std::vector<NumberedLine> RecordedSamples(std::string_view file) {
  const auto text = RecordedText(file);
  std::vector<NumberedLine> found;
  std::string_view rest = text;
  // A last line without its end may have lost digits.
  for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    const auto line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    const auto value = line.find("} ");
    if (!line.starts_with('#') && value != std::string_view::npos) {
      const auto number = line.substr(value + 2, line.rfind(' ') - value - 2);
      found.push_back({*ParseUnixSeconds(line.substr(line.rfind(' ') + 1)),
                       static_cast<int>(*ParseU64(number))});
    }
  }
  return found;
}

}  // namespace limpet::testing
