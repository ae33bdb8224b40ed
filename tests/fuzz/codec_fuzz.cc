// Decoders: the size of the pieces that arrive changes nothing, bounds hold, and what we encode
// comes back. The first byte of the input chooses the encoding and the size of the pieces.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "exporter/common/exposition/codec.h"

namespace {

using limpet::Decoder;
using limpet::Encoding;

constexpr limpet::DecodeLimits kLimits{.max_output = 4 << 20, .max_ratio = 200};

void Require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

struct Read {
  std::string text;
  bool whole = false;
  bool failed = false;
};

Read ReadInPieces(Encoding encoding, std::string_view input, std::size_t size) {
  Decoder decoder(encoding, kLimits);
  Read read;
  while (!input.empty()) {
    decoder.Feed(input.substr(0, size));
    input.remove_prefix(std::min(size, input.size()));
    while (true) {
      const auto piece = decoder.Next();
      if (!piece) {
        read.failed = true;
        return read;
      }
      if (piece->empty()) {
        break;
      }
      read.text += *piece;
      Require(read.text.size() <= kLimits.max_output);
    }
  }
  read.whole = decoder.Whole();
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const auto encoding = static_cast<Encoding>(data[0] % 3);
  const std::string input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto at_once = ReadInPieces(encoding, input, std::max<std::size_t>(input.size(), 1));
  const auto pieces = ReadInPieces(encoding, input, 1U + data[0] / 3U);
  if (!at_once.failed && !pieces.failed) {
    Require(at_once.text == pieces.text && at_once.whole == pieces.whole);
  } else {
    Require(at_once.text.starts_with(pieces.text) || pieces.text.starts_with(at_once.text));
  }

  const auto gzip = limpet::Decode(Encoding::kGzip, limpet::GzipEncode(input));
  Require(gzip && !gzip->cut && gzip->text == input);
  limpet::ZstdWriter writer(3);
  auto frames = writer.Write(std::string_view(input).substr(0, input.size() / 2));
  frames += writer.EndFrame();
  frames += writer.Write(std::string_view(input).substr(input.size() / 2));
  frames += writer.EndFrame();
  const auto zstd = limpet::Decode(Encoding::kZstd, frames);
  Require(zstd && zstd->text == input && zstd->cut == input.empty());
  return 0;
}
