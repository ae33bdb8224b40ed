#include "exporter/common/exposition/print_numbers.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace limpet {
namespace {

template <class Number>
char* PutNumber(char* out, Number number) {
  return std::to_chars(out, out + kPrintedBytes, number).ptr;
}

// `milliseconds` as seconds with three decimals.
char* PutThousandths(char* out, std::uint64_t milliseconds) {
  out = PutNumber(out, milliseconds / 1000);
  const auto rest = static_cast<unsigned>(milliseconds % 1000);
  *out++ = '.';
  *out++ = static_cast<char>('0' + rest / 100);
  *out++ = static_cast<char>('0' + rest / 10 % 10);
  *out++ = static_cast<char>('0' + rest % 10);
  return out;
}

}  // namespace

char* Copy(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

char* PrintSampleValue(char* out, double value) {
  constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
  constexpr double kFifteenDigits = 1e15;
  if (std::isnan(value)) {
    return Copy(out, "NaN");
  }
  if (std::isinf(value)) {
    return Copy(out, value > 0 ? "+Inf" : "-Inf");
  }
  const double size = std::fabs(value);
  if (size < kExactIntegers && (value != 0 || !std::signbit(value))) {
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value) {
      return PutNumber(out, whole);
    }
    // Most other values are the kernel's milliseconds as seconds. A decimal of at most 15 digits
    // that reads back as the value is the only one, so it is the shortest.
    const double thousandths = std::nearbyint(size * 1000);
    if (thousandths < kFifteenDigits && thousandths / 1000 == size) {
      if (value < 0) {
        *out++ = '-';
      }
      out = PutThousandths(out, static_cast<std::uint64_t>(thousandths));
      while (out[-1] == '0') {
        --out;
      }
      return out;
    }
  }
  return PutNumber(out, value);
}

void AppendSampleValue(std::string& text, double value) {
  char number[kPrintedBytes];
  text.append(number, PrintSampleValue(number, value));
}

std::string RenderTimestamp(UnixTime at, Format format) {
  const auto milliseconds =
      std::chrono::floor<std::chrono::milliseconds>(at.time_since_epoch()).count();
  char text[kPrintedBytes];
  char* out = text;
  if (format == Format::kText) {
    out = PutNumber(out, milliseconds);
  } else {
    if (milliseconds < 0) {
      *out++ = '-';
    }
    out = PutThousandths(out, static_cast<std::uint64_t>(std::abs(milliseconds)));
  }
  return {text, static_cast<std::size_t>(out - text)};
}

std::string RenderUnixSeconds(UnixTime at) {
  constexpr std::int64_t kBillion = 1'000'000'000;
  const auto since_epoch = at.time_since_epoch();
  if (since_epoch % std::chrono::milliseconds(1) == Duration::zero()) {
    return RenderTimestamp(at, Format::kOpenMetrics);
  }
  const auto nanoseconds = since_epoch.count();
  const auto rest = std::to_string(std::abs(nanoseconds % kBillion));
  return (nanoseconds < 0 ? "-" : "") + std::to_string(std::abs(nanoseconds / kBillion)) + '.' +
         std::string(9 - rest.size(), '0') + rest;
}

}  // namespace limpet
