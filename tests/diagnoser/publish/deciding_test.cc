#include "diagnoser/publish/deciding.h"

#include <gtest/gtest.h>

#include "diagnoser/publish/explain.h"

namespace limpet::deciding_test {
namespace {

using namespace std::chrono_literals;

UnixTime At(int seconds) { return UnixTime(std::chrono::seconds(seconds)); }

std::vector<VerdictEvent> Hog(std::vector<UnixTime> windows, double mean) {
  Evidence evidence{.component = "io05", .group = "net", .metric = "txbyt"};
  evidence.mean = mean;
  evidence.peer_median = 1e6;
  evidence.windows = std::move(windows);
  return {{.end = At(0),
           .preset = "default",
           .node = "io05",
           .cause = Cause::kNetworkHog,
           .luns = {},
           .evidence = {evidence}}};
}

TEST(DecidingWindows, EvidenceDoesNotContradictTheVerdictAfterRecovery) {
  DecidingWindows deciding;
  auto sick = Hog({At(32), At(64), At(96)}, 9e6);
  deciding.Apply(sick, At(96));
  auto recovered = Hog({At(32), At(64), At(96)}, 1e6);  // the window of 128 s is like its peers'
  deciding.Apply(recovered, At(128));
  EXPECT_EQ(Explain(recovered.front().evidence.front()), Explain(sick.front().evidence.front()));
}

TEST(DecidingWindows, AnotherAnomalousWindowBringsItsOwnNumbers) {
  DecidingWindows deciding;
  auto first = Hog({At(32), At(64), At(96)}, 9e6);
  deciding.Apply(first, At(96));
  auto second = Hog({At(64), At(96), At(128)}, 4e6);
  deciding.Apply(second, At(128));
  EXPECT_EQ(second.front().evidence.front().mean, 4e6);
}

// A window without data, where scrapes fail: the flag pauses and comes back for the windows it had.
TEST(DecidingWindows, AVerdictThatPausedHasTheNumbersItHad) {
  DecidingWindows deciding;
  auto sick = Hog({At(32), At(64), At(96)}, 9e6);
  deciding.Apply(sick, At(96));
  std::vector<VerdictEvent> none;
  deciding.Apply(none, At(128));
  auto again = Hog({At(32), At(64), At(96)}, 1e6);
  deciding.Apply(again, At(160));
  EXPECT_EQ(again.front().evidence.front().mean, 9e6);
}

TEST(DecidingWindows, WhoHasNoVerdictIsForgottenAfterTwoHours) {
  DecidingWindows deciding;
  auto sick = Hog({At(96)}, 9e6);
  deciding.Apply(sick, At(96));
  std::vector<VerdictEvent> none;
  deciding.Apply(none, At(97 + 7200));
  auto again = Hog({At(96)}, 2e6);
  deciding.Apply(again, At(97 + 7200));
  EXPECT_EQ(again.front().evidence.front().mean, 2e6);
}

TEST(DecidingWindows, SystemCallsHaveNoWindows) {
  DecidingWindows deciding;
  auto broken = Hog({}, 9e6);
  deciding.Apply(broken, At(0));
  broken = Hog({}, 3e6);
  deciding.Apply(broken, At(0));
  EXPECT_EQ(broken.front().evidence.front().mean, 3e6);
}

}  // namespace
}  // namespace limpet::deciding_test
