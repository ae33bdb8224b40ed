// recorded_samples.h: samples with a number of their own, and which of them a recording holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exporter/collectors/catalog/host.h"
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

// In the order of the file, which may have lost its end: what comes before that.
inline std::vector<NumberedLine> RecordedSamples(std::string_view file) {
  Decoder decoder(Encoding::kZstd, {.max_ratio = DecodeLimits::kNone});
  decoder.Feed(file);
  std::string text;
  for (auto piece = decoder.Next(); piece && !piece->empty(); piece = decoder.Next()) {
    text += *piece;
  }
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
