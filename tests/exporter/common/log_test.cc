#include "exporter/common/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/manual_clock.h"

namespace limpet {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

TEST(ParseLogLevel, KnowsTheNames) {
  EXPECT_EQ(ParseLogLevel("warn"), LogLevel::kWarning);
  EXPECT_EQ(ParseLogLevel("debug"), LogLevel::kDebug);
  EXPECT_EQ(ParseLogLevel("loud"), std::nullopt);
}

TEST(RateLimitedLog, LetsAKeyThroughOnceAnIntervalAndCountsTheRest) {
  std::vector<std::string> lines;
  testing::ManualClock clock;
  RateLimitedLog log([&](LogLevel, std::string_view text) { lines.emplace_back(text); }, clock,
                     60s);
  log.Write(LogLevel::kWarning, "disk", "disk failed");
  clock.Advance(1s);
  log.Write(LogLevel::kWarning, "disk", "disk failed");
  log.Write(LogLevel::kWarning, "net", "net failed");
  clock.Advance(60s);
  log.Write(LogLevel::kWarning, "disk", "disk failed");
  EXPECT_THAT(lines,
              ElementsAre("disk failed", "net failed", "disk failed (1 more like this held back)"));
}

}  // namespace
}  // namespace limpet
