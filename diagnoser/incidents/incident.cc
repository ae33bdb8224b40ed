#include "diagnoser/incidents/incident.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "exporter/common/hash.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

constexpr std::size_t kIdDigits = 16;

}  // namespace

// One disk that fails is called a hog while others read from it and busy when they no longer do.
std::string_view IncidentFamily(Cause cause) {
  const auto& row = RowOf(cause);
  return cause == Cause::kNone                  ? ""
         : row.source == CauseSource::kSyscalls ? "server"
                                                : Name(row.family);
}

std::string IncidentId(std::string_view cluster, std::string_view node, std::string_view family,
                       UnixTime since) {
  // NUL apart: no two lists of names make the same text.
  std::string text(cluster);
  for (const auto part : {node, family}) {
    text += '\0';
    text += part;
  }
  text += '\0';
  text += std::to_string(std::chrono::floor<std::chrono::hours>(since).time_since_epoch().count());
  std::array<char, kIdDigits + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(Fnv1a64(text)));
  return digits.data();
}

bool IsIncidentId(std::string_view text) {
  return text.size() == kIdDigits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string_view Name(AnswerKind kind) {
  constexpr std::string_view kNames[] = {"fixed", "false-alarm", "known", "maintenance", "scrub"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::optional<AnswerKind> ParseAnswerKind(std::string_view text) {
  for (const auto kind : kAnswerKinds) {
    if (text == Name(kind)) {
      return kind;
    }
  }
  return std::nullopt;
}

std::string CleanText(std::string_view text, std::size_t bytes) {
  auto clean = Printable(text.substr(0, bytes));
  // A character may have been cut in two, and what is no text takes four characters a byte.
  return clean.size() <= bytes ? clean : Printable(clean.substr(0, bytes));
}

}  // namespace limpet
