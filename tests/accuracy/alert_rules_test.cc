#include "tests/accuracy/alert_rules.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <string>

namespace limpet::accuracy::alert_rules_test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr const char* kBase = "default-15s";

VerdictEvent Verdict(double mean) {
  VerdictEvent verdict{.node = "io02", .cause = Cause::kDiskBusy};
  verdict.evidence = {{.component = "io02/sda",
                       .metric = "await",
                       .scale = "fast",
                       .degree = 2,
                       .mean = mean,
                       .peer_median = 10}};
  return verdict;
}

// Of a verdict that stands for `steps` of 15 s.
std::vector<Episode> ToldOf(double mean, int steps) {
  AlertRules rules(kBase);
  for (int i = 0; i < 60; ++i) {
    std::vector<Event> events = {WindowEvent{.preset = "default-15s/fast"}};
    if (i >= 20 && i < 20 + steps) {
      events.emplace_back(Verdict(mean));
    }
    rules.Evaluate(UnixFromSeconds(1'700'000'000 + 15 * i), events);
  }
  return rules.Finish();
}

TEST(AlertRules, AStrongVerdictOfAMinutePages) {
  const auto told = ToldOf(40, 6);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front().told, Told::kPage);
  EXPECT_EQ(told.front().told_at, told.front().from + minutes(1));
}

TEST(AlertRules, AWeakOneWarns) {
  const auto told = ToldOf(20, 6);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front().told, Told::kWarning);
}

TEST(AlertRules, AShortOneIsAnIndicationOnly) {
  const auto told = ToldOf(40, 4);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front().told, Told::kIndication);
}

// Its `for` and `keep_firing_for` in alerts.yml.
std::string TimesOf(const std::string& rules, const AlertTimes& times, const std::string& key) {
  const auto begin = rules.find(std::string("- alert: ") + times.alert + "\n");
  const auto rule = rules.substr(begin, rules.find("- alert:", begin + 1) - begin);
  const auto at = rule.find("\n        " + key + ": ");
  return at == std::string::npos
             ? "0m"
             : rule.substr(at + key.size() + 11, rule.find('\n', at + 1) - at - key.size() - 11);
}

TEST(AlertRules, TimesAreThoseThatAreShipped) {
  std::ifstream file("config/prometheus/alerts.yml");
  std::ostringstream text;
  text << file.rdbuf();
  for (const auto& times : {kIndictedTimes, kDriveTimes, kSecondaryTimes, kLastingTimes,
                            kPersistentTimes, kStormTimes}) {
    EXPECT_EQ(TimesOf(text.str(), times, "for"),
              std::to_string(std::chrono::duration_cast<minutes>(times.hold).count()) + "m")
        << times.alert;
    EXPECT_EQ(TimesOf(text.str(), times, "keep_firing_for"),
              std::to_string(std::chrono::duration_cast<minutes>(times.keep).count()) + "m")
        << times.alert;
  }
}

}  // namespace
}  // namespace limpet::accuracy::alert_rules_test
