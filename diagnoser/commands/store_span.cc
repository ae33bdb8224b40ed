#include "diagnoser/commands/store_span.h"

#include <fmt/format.h>

#include <chrono>

#include "diagnoser/sources/address.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

Error Expected(const std::string& flag, const std::string& what, const std::string& text) {
  return {ErrorCode::kInvalid, "expected " + what + ", got \"" + text + "\"", flag};
}

Result<void> SetEndpoint(const std::string& text, Endpoint& endpoint) {
  const auto url = ParseResourceUrl(text);
  if (!url) {
    return Expected("--prometheus", "a URL such as http://localhost:9090", text);
  }
  endpoint.host = url->host;
  endpoint.port = url->port;
  endpoint.https = url->https;
  endpoint.path = url->path;
  // Queries are appended as "/api/v1/…"; people copy URLs with and without the last slash.
  while (endpoint.path.ends_with('/')) {
    endpoint.path.pop_back();
  }
  return {};
}

// A step longer than a preset's gap would make every sample a missing one.
Result<void> CheckStep(Duration step, const std::vector<PresetSettings>& presets) {
  for (const auto& preset : presets) {
    if (step > preset.MaxGap()) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("expected at most {}s for preset {}: with readings further apart "
                               "every sample would be missing",
                               ToSeconds(preset.MaxGap()), preset.name),
                   "--step"};
    }
  }
  return {};
}

}  // namespace

Result<StoreSpan> ParseStoreSpan(const ReplayOptions& options, const DiagnoserConfig& config) {
  StoreSpan span{.settings = config.store.value_or(StoreSettings()), .wants = {}};
  if (const auto set = SetEndpoint(options.prometheus, span.settings.endpoint); !set) {
    return set.error();
  }
  if (!options.step.empty()) {
    const auto step = yaml::ParseDuration(options.step);
    if (!step || *step < std::chrono::seconds(1)) {
      return Expected("--step", "a duration of at least 1s, such as 15s", options.step);
    }
    span.settings.step = *step;
  }
  if (const auto fits = CheckStep(span.settings.step, config.pipeline.presets); !fits) {
    return fits.error();
  }
  const std::string instant = "a time such as 2026-01-31T10:00:00Z or Unix seconds";
  const auto& start = options.start.empty() ? options.from : options.start;
  const auto& stop = options.end.empty() ? options.to : options.end;
  const auto begin = ParseInstant(start);
  if (!begin) {
    return Expected(options.start.empty() ? "--from" : "--start", instant, start);
  }
  // Readings are taken at both ends of a step: a shorter span has none.
  const auto end = ParseInstant(stop);
  if (!end || *end < *begin + span.settings.step) {
    return Expected(options.end.empty() ? "--to" : "--end",
                    instant + ", at least one step after the first", stop);
  }
  span.begin = *begin;
  span.end = *end;
  span.wants = WantsOf(config.pipeline.groups, span.settings.step, config.custom);
  return span;
}

}  // namespace limpet
