#include <gmock/gmock.h>

#include "diagnoser/incidents/store.h"

namespace limpet {
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
  ASSERT_TRUE(store.Sent(due[0].number));
  ASSERT_TRUE(store.Postpone(due[1].number, now + 1min));
  EXPECT_THAT(*store.Due("hook", now, 10), IsEmpty());  // the third must not overtake
  due = *store.Due("hook", now + 1min, 10);
  ASSERT_THAT(due, SizeIs(2));
  EXPECT_EQ(due[0].attempts, 1U);
  // A clock that was set back a day waits for nothing.
  EXPECT_THAT(*store.Due("hook", now - 24h, 10), SizeIs(2));
  EXPECT_EQ(*store.DropOver("hook", 1), 1);
  EXPECT_EQ(store.Due("hook", now + 1min, 10)->front().number, due[1].number);
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
}  // namespace limpet
