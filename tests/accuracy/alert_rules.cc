#include "tests/accuracy/alert_rules.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <string_view>
#include <variant>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/explain.h"

namespace limpet::accuracy {
namespace {

constexpr std::uint32_t kLasting = 10;
constexpr double kStrong = 3;
constexpr double kMaxRatio = 1000;  // beyond, limpet_evidence_ratio is absent
constexpr Duration kSixHours = std::chrono::hours(6);
constexpr std::array<std::string_view, 4> kBytes = {"receive_bytes", "transmit_bytes",
                                                    "unsent_bytes", "unreceived_bytes"};

std::optional<double> RatioOf(const Evidence& evidence) {
  if (!evidence.mean || !evidence.peer_median || *evidence.peer_median <= 0 ||
      *evidence.mean / *evidence.peer_median >= kMaxRatio) {
    return std::nullopt;
  }
  return *evidence.mean / *evidence.peer_median;
}

}  // namespace

bool Pages(const VerdictEvent& verdict) {
  const auto* const leading = FindLeading(verdict);
  if (verdict.cause == Cause::kPacketLoss) {
    return true;
  }
  if (leading == nullptr) {
    return false;
  }
  const auto ratio = RatioOf(*leading);
  return ratio ? *ratio >= kStrong
               : std::ranges::find(kBytes, MetricLabel(leading->metric)) != kBytes.end();
}

bool AlertState::Evaluate(UnixTime at, bool active, const AlertTimes& times) {
  if (active) {
    active_ = at;
    since_ = since_.value_or(at);
    const bool begins = !fires_ && at - *since_ >= times.hold;
    fires_ = fires_ || begins;
    return begins;
  }
  since_.reset();
  fires_ = fires_ && active_ && at - *active_ < times.keep;
  return false;
}

void AlertRules::Take(const std::vector<Event>& events) {
  bool judged = false;
  bool base_judged = false;
  for (const auto& event : events) {
    if (const auto* window = std::get_if<WindowEvent>(&event)) {
      judged = true;
      base_judged = base_judged || window->preset == base_;
    }
  }
  if (judged) {
    standing_.clear();
  }
  if (base_judged) {
    storms_.clear();
  }
  for (const auto& event : events) {
    if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
      const auto* const leading = FindLeading(*verdict);
      standing_[{verdict->node, verdict->cause}] = {
          .leading = leading == nullptr ? std::nullopt : std::optional(*leading),
          .pages = !verdict->secondary && Pages(*verdict),
          .secondary = verdict->secondary};
    } else if (const auto* window = std::get_if<WindowEvent>(&event);
               window != nullptr && window->metric == "await") {
      for (const auto& one : window->components) {
        flagged_[{window->preset, one.component}].now = one.flagged;
        if (window->preset == base_) {
          accumulators_[one.component] = one.accumulator;
        }
      }
    } else if (const auto* storm = std::get_if<StormEvent>(&event)) {
      storms_[storm->group + " " + storm->metric] = true;
    } else if (const auto* kinds = std::get_if<BimodalityEvent>(&event)) {
      others_.push_back({"LimpetGroupBimodal", kinds->group + " " + kinds->metric, kinds->end});
    }
  }
}

void AlertRules::EvaluateVerdicts(UnixTime at) {
  for (const auto& [key, standing] : standing_) {
    alerts_[key];
  }
  std::set<std::string> paged;
  for (auto& [key, alerts] : alerts_) {
    const auto found = standing_.find(key);
    const bool stands = found != standing_.end() && !found->second.secondary;
    const bool begins = alerts.page.Evaluate(at, stands && found->second.pages, kIndictedTimes);
    if (alerts.page.Fires()) {
      paged.insert(key.first);
    }
    if (const auto open = open_.find(key); begins && open != open_.end()) {
      open->second.told = Told::kPage;
      open->second.told_at = at;
    }
  }
  std::set<std::string> indicted;
  for (const auto& [key, standing] : standing_) {
    if (!standing.secondary) {
      indicted.insert(key.first);
    }
  }
  for (auto& [key, alerts] : alerts_) {
    const auto found = standing_.find(key);
    const bool stands = found != standing_.end() && !found->second.secondary;
    const bool begins = alerts.warning.Evaluate(at, stands, kDriveTimes);
    if (const auto open = open_.find(key); begins && !paged.contains(key.first) &&
                                           open != open_.end() &&
                                           open->second.told == Told::kIndication) {
      open->second.told = Told::kWarning;
      open->second.told_at = at;
    }
    const bool differs = found != standing_.end() && !indicted.contains(key.first);
    if (alerts.secondary.Evaluate(at, differs, kSecondaryTimes) && !paged.contains(key.first)) {
      others_.push_back({kSecondaryTimes.alert, key.first, at});
    }
  }
}

void AlertRules::EvaluateDrives(UnixTime at) {
  for (const auto& [component, value] : accumulators_) {
    if (value >= kLasting || lasting_.contains(component)) {
      if (lasting_[component].Evaluate(at, value >= kLasting, kLastingTimes)) {
        others_.push_back({kLastingTimes.alert, component, at});
      }
    }
  }
  std::map<std::string, bool> persistent;
  for (auto& [key, flagged] : flagged_) {
    auto& spans = flagged.spans;
    if (flagged.now && last_) {
      spans.emplace_back(*last_, at);
    }
    Duration all{};
    while (!spans.empty() && spans.front().second <= at - kSixHours) {
      spans.pop_front();
    }
    for (const auto& [from, to] : spans) {
      all += to - from;
    }
    // Only of diagnosers that already ran six hours ago.
    persistent[key.second] =
        persistent[key.second] || (at - *first_ >= kSixHours && 2 * all > kSixHours);
  }
  for (const auto& [component, active] : persistent) {
    if ((active || persistent_.contains(component)) &&
        persistent_[component].Evaluate(at, active, kPersistentTimes)) {
      others_.push_back({kPersistentTimes.alert, component, at});
    }
  }
  for (const auto& [about, active] : storms_) {
    storm_alerts_[about];
  }
  for (auto& [about, state] : storm_alerts_) {
    if (state.Evaluate(at, storms_.contains(about), kStormTimes)) {
      others_.push_back({kStormTimes.alert, about, at});
    }
  }
}

// Episodes begin with a verdict and end with it.
void AlertRules::Follow(UnixTime at) {
  for (const auto& [key, standing] : standing_) {
    if (!standing.secondary) {
      const auto [place, is_new] = open_.try_emplace(key);
      if (is_new) {
        place->second = {.node = key.first,
                         .cause = key.second,
                         .from = at,
                         .leading = standing.leading.value_or(Evidence())};
      }
      place->second.to = at;
    }
  }
  for (auto open = open_.begin(); open != open_.end();) {
    if (open->second.to < at) {
      ended_.push_back(std::move(open->second));
      open = open_.erase(open);
    } else {
      ++open;
    }
  }
}

void AlertRules::Evaluate(UnixTime at, const std::vector<Event>& events) {
  first_ = first_.value_or(at);
  Take(events);
  Follow(at);
  EvaluateVerdicts(at);
  EvaluateDrives(at);
  last_ = at;
}

std::vector<Episode> AlertRules::Finish() {
  for (auto& [key, episode] : open_) {
    ended_.push_back(std::move(episode));
  }
  open_.clear();
  return std::move(ended_);
}

}  // namespace limpet::accuracy
