// A recording in columns of any bytes: bounded, and what can be read of it can be written again.
//
// Chunks stand here one after the other, each behind its length of two bytes: a checksum would hold
// up the fuzzer.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "exporter/common/columns/chunk_decoder.h"
#include "exporter/common/columns/chunk_reader.h"
#include "exporter/common/columns/chunk_text.h"
#include "exporter/common/columns/text_chunks.h"

namespace {

using limpet::columns::Chunk;

constexpr std::size_t kMaxText = std::size_t{1} << 20U;  // a few bytes may stand for many samples

void Require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

std::string TextOf(const Chunk& chunk) {
  std::string text;
  limpet::columns::ChunkText lines;
  for (lines.Begin(chunk); !lines.IsDone() && text.size() < kMaxText;) {
    const auto before = text.size();
    lines.Append(text, 4096);
    Require(lines.IsDone() || text.size() > before);
  }
  return lines.IsDone() ? text : std::string();
}

// Lines that a parser accepts are the same after another way there and back.
void WriteAgain(const std::string& text) {
  const auto convert = [](const std::string& lines) {
    limpet::columns::TextChunks chunks;
    auto bytes = chunks.Convert(lines, limpet::Format::kOpenMetrics);
    bytes += chunks.Finish();
    limpet::columns::ChunkReader reader;
    reader.Feed(bytes);
    std::string back;
    Chunk chunk;
    while (true) {
      const auto next = reader.Next(chunk);
      Require(next.has_value());
      if (!*next) {
        Require(reader.Whole() && reader.LeftOut() == 0);
        return back;
      }
      back += TextOf(chunk);
    }
  };
  const auto once = convert(text);
  Require(convert(once) == once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  limpet::columns::ChunkReader reader;  // nearly always a wrong checksum
  reader.Feed(rest);
  Chunk chunk;
  while (true) {
    const auto next = reader.Next(chunk);
    if (!next || !*next) {
      break;
    }
  }
  limpet::columns::ChunkDecoder decoder;
  while (rest.size() >= 2) {
    const auto length =
        std::size_t{data[size - rest.size()]} | std::size_t{data[size - rest.size() + 1]} << 8U;
    const auto bytes = rest.substr(2, length);
    rest.remove_prefix(2 + bytes.size());
    if (!decoder.Decode(bytes, chunk)) {
      continue;
    }
    Require(chunk.times.size() * chunk.columns.size() <= limpet::columns::kMaxValues);
    Require(chunk.table->Size() == chunk.columns.size());
    WriteAgain(TextOf(chunk));
  }
  return 0;
}
