#include "exporter/common/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/support/manual_clock.h"

namespace limpet::log_test {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
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

// Before, a flood of keys made all of them be forgotten, and each message was let through.
TEST(RateLimitedLog, TenThousandKeysAtOnceDoNotBreakTheBrake) {
  std::vector<std::string> lines;
  testing::ManualClock clock;
  RateLimitedLog log([&](LogLevel, std::string_view text) { lines.emplace_back(text); }, clock,
                     60s);
  const auto flood = [&] {
    for (int i = 0; i < 10'000; ++i) {
      const auto node = "n" + std::to_string(i);
      log.Write(LogLevel::kWarning, node, node + " does not answer");
    }
  };
  for (int seconds = 0; seconds < 59; ++seconds) {
    flood();
    clock.Advance(1s);
  }
  EXPECT_EQ(lines.size(), RateLimitedLog::kMaxKeys);
  clock.Advance(1s);
  lines.clear();
  // Whoever comes next has the room of those whose time is over.
  log.Write(LogLevel::kWarning, "new", "new does not answer");
  // 4096 keys 58 times each, 5904 others 59 times.
  EXPECT_THAT(lines, ElementsAre("new does not answer (585904 about others held back: too many at "
                                 "once)"));
}

class ServiceLogTest : public ::testing::Test {
 protected:
  ServiceLogTest() {
    EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0);
    EXPECT_EQ(::fcntl(ends_[0], F_SETFL, O_NONBLOCK), 0);
  }
  ~ServiceLogTest() override {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  ServiceLogTest(const ServiceLogTest&) = delete;
  ServiceLogTest& operator=(const ServiceLogTest&) = delete;

  [[nodiscard]] std::string Read() const {
    std::string text(1U << 20U, '\0');
    const auto bytes = ::read(ends_[0], text.data(), text.size());
    text.resize(bytes < 0 ? 0 : static_cast<std::size_t>(bytes));
    return text;
  }

  std::array<int, 2> ends_{};
};

TEST_F(ServiceLogTest, DoesNotWaitForWhoeverReadsAndCountsWhatIsLost) {
  const auto log = ServiceLog(LogLevel::kInfo, ends_[1]);
  log(LogLevel::kDebug, "not printed");
  const std::string text(999, 'x');
  for (int i = 0; i < 1000; ++i) {
    log(LogLevel::kInfo, text);
  }
  const auto first = Read();
  const auto lines = static_cast<int>(std::count(first.begin(), first.end(), '\n'));
  EXPECT_GT(lines, 10);
  EXPECT_LT(lines, 1000);
  log(LogLevel::kError, "read again");
  EXPECT_THAT(Read(), AllOf(HasSubstr("Z warning: " + std::to_string(1000 - lines) +
                                      " lines were lost: nobody read this log\n"),
                            EndsWith("Z error: read again\n")));
  log(LogLevel::kError, "and again");
  EXPECT_THAT(Read(), Not(HasSubstr("lost")));
}

// Values of http_sd lists, Location fields and device names are in it.
TEST_F(ServiceLogTest, NamesOfOthersDoNotWriteToTheTerminal) {
  ServiceLog(LogLevel::kInfo, ends_[1])(LogLevel::kWarning,
                                        "a redirect to \"http://\x1b[2J\u202eio01\x07\r/\"");
  EXPECT_THAT(
      Read(),
      EndsWith("warning: a redirect to \"http://\\x1b[2J\\xe2\\x80\\xaeio01\\x07\\x0d/\"\n"));
}

TEST_F(ServiceLogTest, ClipsALineToWhatAPipeTakesAtOnce) {
  ServiceLog(LogLevel::kInfo, ends_[1])(LogLevel::kInfo, std::string(100'000, 'x'));
  const auto line = Read();
  EXPECT_EQ(line.size(), 4096U);
  EXPECT_THAT(line, EndsWith("xxx...\n"));
}

}  // namespace
}  // namespace limpet::log_test
