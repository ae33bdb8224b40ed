// Headers from anybody: nothing is given that was not asked for by name. The input is Accept and
// Accept-Encoding, a newline between them.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "exporter/common/exposition/negotiate.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const auto line = std::string_view(input).substr(0, input.find('\n'));
  const auto rest = std::string_view(input).substr(line.size());
  std::string lower;
  for (const char c : input) {
    lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  const auto accept = std::string_view(lower).substr(0, line.size());
  const auto encoding = std::string_view(lower).substr(line.size());
  const auto result = limpet::Negotiate(line, rest);
  const auto npos = std::string_view::npos;
  if (result.format == limpet::Format::kOpenMetrics &&
      accept.find("application/openmetrics-text") == npos) {
    std::abort();
  }
  if (result.gzip && encoding.find("gzip") == npos && encoding.find('*') == npos) {
    std::abort();
  }
  (void)limpet::ParseContentType(line);
  return 0;
}
