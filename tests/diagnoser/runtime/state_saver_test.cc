#include "diagnoser/runtime/state_saver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace limpet::state_saver_test {
namespace {

using ::testing::ElementsAre;

TEST(StateSaver, EncodesOnItsOwnThreadAndLetsTheStateGoBeforeItWrites) {
  const auto state = std::make_shared<std::string>("state");
  std::thread::id encoder;
  long holders = 0;
  {
    StateSaver saver([&](const std::string& encoded) {
      EXPECT_EQ(encoded, "state");
      holders = state.use_count();
    });
    saver.Offer([&encoder, held = state] {
      encoder = std::this_thread::get_id();
      return *held;
    });
  }
  EXPECT_NE(encoder, std::this_thread::get_id());
  EXPECT_EQ(holders, 1);
}

TEST(StateSaver, WritesTheLatestOfferAndTheLastOneBeforeItEnds) {
  std::vector<std::string> saved;
  std::promise<void> began;
  std::promise<void> go_on;
  auto may_go_on = go_on.get_future();
  {
    StateSaver saver([&](const std::string& encoded) {
      saved.push_back(encoded);
      if (saved.size() == 1) {
        began.set_value();
        may_go_on.wait();  // a disk that takes its time
      }
    });
    saver.Offer([] { return "1"; });
    began.get_future().wait();
    saver.Offer([] { return "2"; });
    saver.Offer([] { return "3"; });
    go_on.set_value();
  }
  EXPECT_THAT(saved, ElementsAre("1", "3"));
}

}  // namespace
}  // namespace limpet::state_saver_test
