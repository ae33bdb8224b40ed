#include "diagnoser/runtime/inbox.h"

#include <gtest/gtest.h>

#include <thread>

namespace limpet {
namespace {

using namespace std::chrono_literals;

FetchedPage Page(std::size_t bytes) { return {.result = {.body = std::string(bytes, 'x')}}; }

SteadyTime In(Duration wait) { return RealClock().Steady() + wait; }

TEST(Inbox, HandsOutAllThatIsThereInOrder) {
  Inbox inbox(100);
  EXPECT_TRUE(inbox.Put(Page(1)));
  EXPECT_TRUE(inbox.Put(Page(2)));
  const auto pages = inbox.Take(In(1h));
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[0].result.body.size(), 1U);
  EXPECT_TRUE(inbox.Take(In(0s)).empty());
}

TEST(Inbox, RefusesWhatDoesNotFitAndCountsIt) {
  Inbox inbox(100);
  EXPECT_TRUE(inbox.Put(Page(1000)));  // one page is always taken
  EXPECT_FALSE(inbox.Put(Page(1)));
  EXPECT_EQ(inbox.Refused(), 1U);
  (void)inbox.Take(In(0s));
  EXPECT_TRUE(inbox.Put(Page(60)));
  EXPECT_FALSE(inbox.Put(Page(60)));
  EXPECT_EQ(inbox.Refused(), 2U);
}

TEST(Inbox, AWaitingTakeEndsWithAPageOrAWake) {
  Inbox inbox(100);
  std::thread other([&] { inbox.Put(Page(1)); });
  EXPECT_EQ(inbox.Take(In(1h)).size(), 1U);
  other.join();
  std::thread waker([&] { inbox.Wake(); });
  EXPECT_TRUE(inbox.Take(In(1h)).empty());
  waker.join();
}

}  // namespace
}  // namespace limpet
