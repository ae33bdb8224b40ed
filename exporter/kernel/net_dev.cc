#include "exporter/kernel/net_dev.h"

#include <optional>

#include "exporter/common/text.h"
#include "exporter/kernel/whole_lines.h"

namespace limpet {
namespace {

std::optional<NetDevLine> ParseLine(std::string_view line) {
  const auto colon = line.rfind(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  NetDevLine interface;
  interface.name = Trim(line.substr(0, colon));
  if (interface.name.empty()) {
    return std::nullopt;
  }
  Fields fields(line.substr(colon + 1));
  for (auto& counter : interface.counters) {
    const auto value = ParseU64(fields.Next());
    if (!value) {
      return std::nullopt;
    }
    counter = *value;
  }
  return interface;
}

}  // namespace

NetDev ParseNetDev(std::string_view text) {
  NetDev result;
  const auto whole = WholeLines(text);
  result.interfaces.reserve(whole.size() / 64);
  Lines lines(whole);
  std::size_t number = 0;
  const auto skip = [&](std::string_view why) {
    if (result.skipped++ == 0) {
      result.problem = "line " + std::to_string(number) + ": " + std::string(why);
    }
  };
  while (const auto line = lines.Next()) {
    ++number;
    if (number <= 2 && line->find('|') != std::string_view::npos) {
      continue;  // the two lines of headings
    }
    if (auto interface = ParseLine(*line)) {
      result.interfaces.push_back(*interface);
    } else if (!Trim(*line).empty()) {
      skip("expected an interface, a colon and 16 numbers");
    }
  }
  if (whole.size() != text.size()) {
    ++number;
    skip("cut before its end");
  }
  return result;
}

}  // namespace limpet
