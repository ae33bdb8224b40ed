#include <gmock/gmock.h>

#include "diagnoser/incidents/store.h"

namespace limpet::store_queues_test {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

IncidentStore OpenStore() { return *IncidentStore::Open(":memory:", Database::Access::kReadWrite); }

TEST(IncidentQueues, SinksAreToldInOrderAndTriedAgain) {
  auto store = OpenStore();
  const auto now = UnixFromSeconds(100);
  const OutboxEntry entry{
      .sink = "hook", .incident = "x", .change = "began", .at = now, .next = now, .body = "{}"};
  ASSERT_TRUE(store.Put({}, std::vector{entry, entry, entry}));
  EXPECT_EQ(*store.Waiting("hook"), 3);
  EXPECT_THAT(*store.Due("other", now, 10), IsEmpty());
  auto due = *store.Due("hook", now, 10);
  ASSERT_THAT(due, SizeIs(3));
  ASSERT_TRUE(store.Sent(due[0]));
  ASSERT_TRUE(store.Postpone(due[1], now + 1min));
  EXPECT_THAT(*store.Due("hook", now, 10), IsEmpty());  // the third must not overtake
  due = *store.Due("hook", now + 1min, 10);
  ASSERT_THAT(due, SizeIs(2));
  EXPECT_EQ(due[0].attempts, 1U);
  // A clock that was set back a day waits for nothing.
  EXPECT_THAT(*store.Due("hook", now - 24h, 10), SizeIs(2));
  EXPECT_EQ(*store.DropOver("hook", 1), 1);
  EXPECT_EQ(store.Due("hook", now + 1min, 10)->front().number, due[1].number);
}

// NTP sets a clock back by minutes when a battery is empty.
TEST(IncidentQueues, AClockSetBackHoldsUpNoMessage) {
  auto store = OpenStore();
  const auto now = UnixFromSeconds(10'000);
  const OutboxEntry entry{.sink = "hook", .change = "began", .at = now, .next = now, .body = "{}"};
  ASSERT_TRUE(store.Put({}, std::vector{entry}));
  EXPECT_THAT(*store.Due("hook", now - 20min, 10), SizeIs(1));  // was never tried
  ASSERT_TRUE(store.Postpone(entry, now + IncidentStore::kLongestPause));
  EXPECT_THAT(*store.Due("hook", now, 10), IsEmpty());
  EXPECT_THAT(*store.Due("hook", now - 1s, 10), SizeIs(1));  // longer than it can have to wait
}

// While the disk was gone others have got the numbers of those that were on their way.
TEST(IncidentQueues, WhatWasSentIsNotTakenForAnother) {
  auto store = OpenStore();
  OutboxEntry entry{.sink = "hook", .incident = "a", .change = "began", .at = UnixFromSeconds(5)};
  ASSERT_TRUE(store.Put({}, std::vector{entry}));
  entry.incident = "b";
  ASSERT_TRUE(store.Sent(entry));
  EXPECT_EQ(*store.Waiting("hook"), 1);
  entry.incident = "a";
  ASSERT_TRUE(store.Sent(entry));
  EXPECT_EQ(*store.Waiting("hook"), 0);
}

TEST(IncidentQueues, AnotherStoreTakesAllOver) {
  auto memory = OpenStore();
  IncidentRecord record;
  record.id = "a";
  ASSERT_TRUE(
      memory.Put(std::vector{record},
                 std::vector<OutboxEntry>{{.sink = "gone", .incident = "a", .body = "{}"}}));
  ASSERT_TRUE(memory.Add({.incident = "a", .at = UnixFromSeconds(7), .note = "told\x1b"}));
  ASSERT_TRUE(memory.Add({.incident = "a", .at = UnixFromSeconds(8), .until = UnixFromSeconds(9)}));
  ASSERT_TRUE(memory.Tell(1, {}));
  ASSERT_TRUE(memory.Put(std::vector<Act>{
      {.incident = "a", .node = "io1", .state = "dry-run", .at = UnixFromSeconds(5)}}));
  auto disk = OpenStore();
  ASSERT_TRUE(disk.TakeOver(memory, std::vector{record}));
  EXPECT_EQ(*disk.AnswersTo("a"), *memory.AnswersTo("a"));
  EXPECT_EQ(*disk.ActsOf("a"), *memory.ActsOf("a"));
  EXPECT_EQ(*disk.Waiting("gone"), 1);
  EXPECT_THAT(*disk.Untold(), SizeIs(1));  // the other one has been told
}

TEST(IncidentQueues, MessagesOfSinksThatAreNoMoreGo) {
  auto store = OpenStore();
  ASSERT_TRUE(store.Put({}, std::vector<OutboxEntry>{{.sink = "gone", .at = UnixFromSeconds(5)},
                                                     {.sink = "hook", .at = UnixFromSeconds(9)}}));
  const auto written = store.Written();
  ASSERT_TRUE(store.DropMessagesBefore(UnixFromSeconds(9)));
  EXPECT_EQ(store.Written(), written + 1);
  EXPECT_EQ(*store.Waiting("gone"), 0);
  EXPECT_EQ(*store.Waiting("hook"), 1);
}

TEST(IncidentQueues, ActsAreOrderedAndFinished) {
  auto store = OpenStore();
  const Act act{.incident = "a",
                .node = "io1",
                .state = "ordered",
                .at = UnixFromSeconds(5),
                .document = "{}"};
  auto refused = act;
  refused.state = "refused";
  ASSERT_TRUE(store.Put(std::vector{act, refused}));
  const auto ordered = *store.OrderedActs();
  ASSERT_THAT(ordered, SizeIs(1));
  EXPECT_EQ(ordered[0].number, 1);
  ASSERT_TRUE(store.FinishAct(1, "done", "ok"));
  EXPECT_THAT(*store.OrderedActs(), IsEmpty());
  ASSERT_THAT(*store.Acts(UnixTime()), SizeIs(1));
  EXPECT_EQ(store.Acts(UnixTime())->front().state, "done");
  EXPECT_THAT(*store.ActsOf("a"), SizeIs(2));
  EXPECT_THAT(*store.Acts(UnixFromSeconds(6)), IsEmpty());
}

}  // namespace
}  // namespace limpet::store_queues_test
