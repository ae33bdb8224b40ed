// Any text where a time is expected: what is taken lies within the instants that are counted with,
// and an instant that was written is read as it was.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/commands/time_range.h"
#include "diagnoser/runtime/incident_pages.h"
#include "diagnoser/runtime/store_replay.h"
#include "diagnoser/sources/iso_instant.h"
#include "diagnoser/sources/sample_instant.h"
#include "exporter/common/instants.h"
#include "exporter/common/yaml.h"
#include "tests/fuzz/number_mutator.h"

namespace {

void Require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void Check(const std::optional<limpet::UnixTime>& instant) {
  using std::chrono::seconds;
  if (instant) {
    Require(limpet::IsInstant(*instant));
    const auto again = limpet::ParseIsoInstant(limpet::IsoTime(*instant));
    Require(again && *again == std::chrono::floor<seconds>(*instant));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Check(limpet::ParseIsoInstant(text));
  Check(limpet::ParseAnyInstant(text));
  Check(limpet::ParseInstant(text));
  // Two texts, the second behind a blank line.
  const auto end = text.find("\n\n");
  const auto second = end == std::string::npos ? std::string() : text.substr(end + 2);
  if (const auto range = limpet::ParseTimeRange(text.substr(0, end), second)) {
    Require(range->from < range->to);
  }
  const auto now = limpet::UnixFromSeconds(1'795'314'848);
  if (const auto sampled = limpet::SampleInstant("limpet_sample_timestamp_seconds " + text)) {
    Require(limpet::IsInstant(*sampled));
    (void)limpet::ClockSkew(*sampled, now, now, limpet::kSamplePeriod);
  }
  const auto until = limpet::ParseUntil(text, now);
  Require(!until || !*until || (**until > now && limpet::IsInstant(**until)));
  if (const auto duration = limpet::yaml::ParseDuration(text)) {
    Require(*duration >= limpet::Duration::zero());
  }
  return 0;
}
