#include "exporter/collectors/facts/parse.h"

#include <charconv>
#include <cstdint>
#include <system_error>

#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

// "6.0" and so on before the unit.
std::optional<double> ParseBefore(std::string_view text, std::string_view unit) {
  const auto end = text.find(unit);
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  const auto number = ParseDouble(Trim(text.substr(0, end)));
  // No link is that fast: a bound, so that a damaged file makes no infinite speed.
  return number && *number > 0 && *number < 1e6 ? number : std::nullopt;
}

// Of all lines; nullopt where one has no such column.
std::optional<double> SumHexColumn(std::string_view text, std::size_t column) {
  constexpr int kHex = 16;
  std::optional<double> sum;
  Lines lines(text);
  while (const auto line = lines.Next()) {
    Fields fields(*line);
    std::string_view field;
    for (std::size_t i = 0; i <= column; ++i) {
      field = fields.Next();
    }
    std::uint32_t value = 0;
    const auto [end, error] =
        std::from_chars(field.data(), field.data() + field.size(), value, kHex);
    if (error != std::errc() || end != field.data() + field.size()) {
      return std::nullopt;
    }
    sum = sum.value_or(0) + value;
  }
  return sum;
}

}  // namespace

std::optional<double> ParseCount(std::string_view text) {
  const auto number = ParseU64(Trim(text));
  return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

std::optional<double> ParseLanes(std::string_view text) {
  constexpr double kMostLanes = 32;
  const auto lanes = ParseCount(text);
  return lanes && *lanes > 0 && *lanes <= kMostLanes ? lanes : std::nullopt;
}

std::optional<double> ParseSataSpeed(std::string_view text) {
  const auto gigabits = ParseBefore(text, "Gbps");
  return gigabits ? std::optional(*gigabits * 1e9 / 8) : std::nullopt;
}

std::optional<double> ParsePcieSpeed(std::string_view text) {
  const auto transfers = ParseBefore(text, "GT/s");
  return transfers ? std::optional(*transfers * 1e9) : std::nullopt;
}

std::optional<double> ParseFullPressure(std::string_view text) {
  Lines lines(text);
  while (const auto line = lines.Next()) {
    if (!line->starts_with("full ")) {
      continue;
    }
    constexpr std::string_view kTotal = "total=";
    const auto total = line->find(kTotal);
    const auto microseconds = total == std::string_view::npos
                                  ? std::nullopt
                                  : ParseU64(Trim(line->substr(total + kTotal.size())));
    return microseconds ? std::optional(static_cast<double>(*microseconds) / 1e6) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> ParseSoftnetDropped(std::string_view text) { return SumHexColumn(text, 1); }
std::optional<double> ParseSoftnetSqueezed(std::string_view text) { return SumHexColumn(text, 2); }

// Some drivers pad their names, and a damaged one may hold any byte: labels must be UTF-8.
std::string ParseWord(std::string_view text) {
  constexpr std::size_t kLongest = 256;  // a page with a longer line may be refused as a whole
  return Printable(Trim(text).substr(0, kLongest));
}

std::string ParseChoice(std::string_view text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open == std::string_view::npos ? 0 : open);
  return open == std::string_view::npos || close == std::string_view::npos
             ? ParseWord(text)
             : ParseWord(text.substr(open + 1, close - open - 1));
}

std::string ParseDriver(std::string_view text) {
  constexpr std::string_view kKey = "DRIVER=";
  Lines lines(text);
  while (const auto line = lines.Next()) {
    if (line->starts_with(kKey)) {
      return ParseWord(line->substr(kKey.size()));
    }
  }
  return "";
}

}  // namespace limpet
