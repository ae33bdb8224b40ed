#include "diagnoser/evidence/packets/cwnd_watch.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "diagnoser/detect/cwnd/cwnd.h"
#include "diagnoser/evidence/setup.h"
#include "diagnoser/metrics/catalog.h"
#include "diagnoser/series/gauge_age.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

CwndEvent MakeEvent(UnixTime t, const std::string& group, std::string_view metric,
                    const CwndSeconds::Second& second, const CwndLimit& limit) {
  CwndEvent event{.end = t,
                  .group = group,
                  .metric = std::string(metric),
                  .n = second.servers.size(),
                  .f = limit.f,
                  .threshold_trained = limit.trained,
                  .median = second.median,
                  .components = {}};
  for (const auto& server : second.servers) {
    event.components.push_back(
        {.component = server.name,
         .average = server.average,
         .log = server.log,
         .anomalous = second.median && CwndAnomalous(server.log, *second.median, limit.f)});
  }
  return event;
}

// The last second that passes as silently as `second` did: a reading counts until it is
// kMaxGaugeAge old, so the next one can be heard of in the second it comes in at the earliest.
UnixTime SilentUntil(UnixTime second, UnixTime horizon, const Readings& readings) {
  const auto next = readings.NextOfSockets(second - (kMaxGaugeAge - 1s));
  const auto until = next ? std::min(*next - Duration(1), horizon) : horizon;
  return std::max(second, UnixTime(std::chrono::floor<std::chrono::seconds>(until)));
}

}  // namespace

CwndWatch::CwndWatch(const PipelineConfig& config, FindCwndLimit find_limit)
    : find_limit_(std::move(find_limit)) {
  const auto keep = CwndSecondsToKeep(config);
  auto max_between = kMaxBetween;
  for (const auto& preset : config.presets) {
    max_between = std::max(max_between, preset.MaxGap());
  }
  for (std::uint32_t i = 0; i < config.groups.size(); ++i) {
    if (KindRow(config.groups[i].kind).by_connection) {
      groups_.emplace(i, CwndSeconds(i, keep, max_between));
    }
  }
}

UnixTime CwndWatch::Next(UnixTime first) const {
  return groups_.empty() ? UnixTime::max()
                         : std::chrono::floor<std::chrono::seconds>(done_.value_or(first)) + 1s;
}

// The state of each second goes out once, with the f of the first preset that asks for it.
std::optional<std::vector<Event>> CwndWatch::Observe(const EvidenceMoment& now) {
  const auto second = Next(now.first);
  std::vector<Event> events;
  bool silent = true;  // no server had enough observations
  for (auto& [number, group] : groups_) {
    // Observed even when no preset wants the events: the judges look back at the same seconds.
    const auto sides =
        group.Observe(second, now.directory, now.readings, now.config.addresses, now.config.masked);
    for (std::size_t side = 0; side < kCwndSides; ++side) {
      if (sides[side].servers.empty()) {
        continue;
      }
      silent = false;
      const auto& rule = now.config.groups[number];
      const auto metric = Metrics(rule.kind)[side].name;
      if (const auto limit = find_limit_(number, metric)) {
        events.emplace_back(MakeEvent(second, rule.name, metric, sides[side], *limit));
      }
    }
  }
  done_ = silent ? SilentUntil(second, now.horizon, now.readings) : second;
  return events;
}

// Which connection tells of which server was found out with the old masks.
void CwndWatch::SetMasked(const std::vector<std::string>& /*masked*/) {
  for (auto& [number, group] : groups_) {
    group.ForgetLinks();
  }
}

void CwndWatch::Forget(std::string_view node) {
  for (auto& [number, group] : groups_) {
    group.Forget(node);
  }
}

std::map<std::string, CwndTail> CwndWatch::Tails(const PipelineConfig& config) const {
  std::map<std::string, CwndTail> tails;
  for (const auto& [number, group] : groups_) {
    tails[config.groups[number].name] = group.Tail();
  }
  return tails;
}

void CwndWatch::Resume(std::optional<UnixTime> done, const std::map<std::string, CwndTail>& tails,
                       const PipelineConfig& config) {
  done_ = done;
  for (auto& [number, group] : groups_) {
    const auto tail = tails.find(config.groups[number].name);
    if (tail != tails.end()) {
      group.Resume(tail->second);
    }
  }
}

}  // namespace limpet
