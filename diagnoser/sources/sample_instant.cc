#include "diagnoser/sources/sample_instant.h"

#include <algorithm>

#include "exporter/common/exposition/parser.h"
#include "exporter/common/instants.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::string_view kName = "limpet_sample_timestamp_seconds ";

}  // namespace

std::optional<UnixTime> SampleInstant(std::string_view page) {
  // Searched, not parsed: this is done before the page is parsed, for its instant.
  for (std::size_t at = page.find(kName); at != std::string_view::npos;
       at = page.find(kName, at + 1)) {
    if (at == 0 || page[at - 1] == '\n') {  // not a HELP or TYPE line
      const auto rest = page.substr(at + kName.size());
      const auto said = ParseUnixSeconds(Trim(rest.substr(0, rest.find('\n'))));
      return said ? std::optional(ClampInstant(*said)) : std::nullopt;
    }
  }
  return std::nullopt;
}

Duration ClockSkew(UnixTime sampled, UnixTime asked, UnixTime answered, Duration period) {
  // A sample may be a whole period old when it is fetched, and a slow target may take it only then.
  const auto age = asked - sampled;
  return sampled > answered ? sampled - answered : -std::max(age - period, Duration::zero());
}

}  // namespace limpet
