#include "diagnoser/runtime/state_saver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

namespace limpet {
namespace {

using ::testing::ElementsAre;

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
    saver.Offer("1");
    began.get_future().wait();
    saver.Offer("2");
    saver.Offer("3");
    go_on.set_value();
  }
  EXPECT_THAT(saved, ElementsAre("1", "3"));
}

}  // namespace
}  // namespace limpet
