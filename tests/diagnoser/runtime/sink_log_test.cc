#include "diagnoser/runtime/sink_log.h"

#include <gmock/gmock.h>

#include <vector>

namespace limpet::sink_log_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SinkLogTest : public ::testing::Test {
 protected:
  std::vector<std::string> lines_;
  SinkLog log_{[this](LogLevel, std::string_view line) { lines_.emplace_back(line); }};
};

TEST_F(SinkLogTest, SaysOnceWhyASinkFailsAndThatItWorksAgain) {
  log_.Attempted("hook", "");
  EXPECT_THAT(lines_, IsEmpty());
  log_.Attempted("hook", "got 500");
  log_.Attempted("hook", "timed out");
  log_.Attempted("chat", "got 404");
  log_.Attempted("hook", "");
  log_.Attempted("hook", "");
  log_.Attempted("hook", "got 503");
  EXPECT_THAT(lines_,
              ElementsAre(HasSubstr("hook: got 500; messages wait"), HasSubstr("chat: got 404"),
                          HasSubstr("hook: takes messages again"), HasSubstr("hook: got 503")));
}

TEST_F(SinkLogTest, SaysOnceThatAQueueIsFull) {
  log_.Overflowed("hook", 0, 3);
  EXPECT_THAT(lines_, IsEmpty());
  log_.Attempted("hook", "got 500");
  log_.Overflowed("hook", 2, 3);
  log_.Overflowed("hook", 1, 3);
  EXPECT_THAT(lines_,
              ElementsAre(HasSubstr("got 500"), HasSubstr("hook: 3 messages wait already")));
  log_.Attempted("hook", "");
  log_.Overflowed("hook", 1, 3);
  EXPECT_THAT(lines_.back(), HasSubstr("the oldest are dropped"));
  EXPECT_EQ(lines_.size(), 4U);
}

TEST_F(SinkLogTest, SaysOnceThatMessagesAreRefused) {
  log_.Refused("kubernetes", "got 404");
  log_.Refused("kubernetes", "got 404");
  EXPECT_THAT(lines_, ElementsAre(HasSubstr("nodes that it does not know")));
}

TEST_F(SinkLogTest, SaysThatChangesAreLostWhenItBegins) {
  log_.Lost(0);
  log_.Lost(3);
  log_.Lost(5);
  log_.Lost(5);
  EXPECT_THAT(lines_, ElementsAre(HasSubstr("changes are lost")));
  log_.Lost(6);
  EXPECT_EQ(lines_.size(), 2U);
}

}  // namespace
}  // namespace limpet::sink_log_test
