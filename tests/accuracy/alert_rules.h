// alert_rules.h: what the shipped alerts make of a pipeline's verdicts at samples further apart
// than 2 s: a page, a warning, or nothing but an indication on the live page.
//
// The conditions and times are those of config/prometheus/alerts.yml (a test holds the times to
// it) and the inhibition that of alertmanager.yml: nothing is told of a server as a warning that is
// paged. Evaluated once a call, as a Prometheus does that scrapes and evaluates every step.
// Threads: one object, one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/verdict/events.h"
#include "exporter/common/time.h"

namespace limpet::accuracy {

// `for` and `keep_firing_for` of an alert, with the name that it has in alerts.yml.
struct AlertTimes {
  const char* alert;
  Duration hold;
  Duration keep;
};
inline constexpr AlertTimes kIndictedTimes{.alert = "LimpetServerIndicted",
                                           .hold = std::chrono::minutes(1),
                                           .keep = std::chrono::minutes(1)};
inline constexpr AlertTimes kDriveTimes{.alert = "LimpetDriveIndicted",
                                        .hold = std::chrono::minutes(1),
                                        .keep = std::chrono::minutes(30)};
inline constexpr AlertTimes kSecondaryTimes{
    .alert = "LimpetServerSecondary", .hold = std::chrono::minutes(10), .keep = Duration::zero()};
inline constexpr AlertTimes kLastingTimes{
    .alert = "LimpetDriveLasting", .hold = std::chrono::minutes(5), .keep = Duration::zero()};
inline constexpr AlertTimes kPersistentTimes{
    .alert = "LimpetPersistentAnomaly", .hold = std::chrono::minutes(15), .keep = Duration::zero()};
inline constexpr AlertTimes kStormTimes{
    .alert = "LimpetGroupStorm", .hold = std::chrono::minutes(2), .keep = std::chrono::minutes(10)};

// One alert of one server or drive over time.
class AlertState {
 public:
  // Returns whether it begins to fire now.
  bool Evaluate(UnixTime at, bool active, const AlertTimes& times);
  [[nodiscard]] bool Fires() const { return fires_; }

 private:
  std::optional<UnixTime> since_;   // active without a break
  std::optional<UnixTime> active_;  // when last
  bool fires_ = false;
};

enum class Told : std::uint8_t { kIndication, kWarning, kPage };

// A server that was indicted for some time without a break, and the most that was told of it.
struct Episode {
  std::string node;
  Cause cause = Cause::kNone;
  UnixTime from;
  UnixTime to;
  Told told = Told::kIndication;
  std::optional<UnixTime> told_at;  // of the page or the warning
  Evidence leading;                 // of its first verdict
};

// What is told of no verdict in particular: an alert's name, of whom, when.
struct OtherAlert {
  const char* alert;
  std::string about;
  UnixTime at;
};

class AlertRules {
 public:
  // `base`: the preset whose accumulators and storms count; its scales have longer names.
  explicit AlertRules(std::string base) : base_(std::move(base)) {}

  // With all events of one step; a verdict stands until the next windows are closed.
  void Evaluate(UnixTime at, const std::vector<Event>& events);
  // Ended ones, and at the end of all those that stand.
  [[nodiscard]] std::vector<Episode> Finish();
  [[nodiscard]] const std::vector<OtherAlert>& Others() const { return others_; }
  // Components whose accumulator was 10 or more.
  [[nodiscard]] std::size_t Lasting() const { return lasting_.size(); }

 private:
  using NodeCause = std::pair<std::string, Cause>;
  struct Standing {
    std::optional<Evidence> leading;
    bool pages = false;
    bool secondary = false;
  };
  struct Alerts {
    AlertState page;
    AlertState warning;
    AlertState secondary;
  };
  struct Flagged {
    bool now = false;
    std::deque<std::pair<UnixTime, UnixTime>> spans;  // of the last six hours
  };
  void Take(const std::vector<Event>& events);
  void EvaluateVerdicts(UnixTime at);
  void EvaluateDrives(UnixTime at);
  void Follow(UnixTime at);

  std::string base_;
  std::map<NodeCause, Standing> standing_;
  std::map<NodeCause, Alerts> alerts_;
  std::map<NodeCause, Episode> open_;
  std::vector<Episode> ended_;
  std::vector<OtherAlert> others_;
  std::map<std::string, std::uint32_t> accumulators_;  // of await, by component
  std::map<std::string, AlertState> lasting_;
  std::map<std::pair<std::string, std::string>, Flagged> flagged_;  // by preset and component
  std::map<std::string, AlertState> persistent_;
  std::map<std::string, bool> storms_;  // by group and metric
  std::map<std::string, AlertState> storm_alerts_;
  std::optional<UnixTime> first_;
  std::optional<UnixTime> last_;
};

// Whether an indictment pages at samples further apart than 2 s.
[[nodiscard]] bool Pages(const VerdictEvent& verdict);

}  // namespace limpet::accuracy
