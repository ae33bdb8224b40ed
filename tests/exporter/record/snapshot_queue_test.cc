#include "exporter/record/snapshot_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace limpet::snapshot_queue_test {
namespace {

SnapshotPtr At(std::int64_t seconds) {
  return std::make_shared<const Snapshot>(UnixFromSeconds(seconds), Families(), RenderOptions());
}

TEST(SnapshotQueue, GivesWhatItGotInItsOrder) {
  SnapshotQueue queue(3);
  queue.Push(At(1));
  queue.Push(At(2));
  EXPECT_EQ(queue.Pop()->At(), UnixFromSeconds(1));
  EXPECT_EQ(queue.Pop()->At(), UnixFromSeconds(2));
  EXPECT_EQ(queue.Dropped(), 0U);
}

TEST(SnapshotQueue, DropsTheOldestAndCountsThem) {
  SnapshotQueue queue(2);
  for (int i = 1; i <= 5; ++i) {
    queue.Push(At(i));
  }
  EXPECT_EQ(queue.Dropped(), 3U);
  EXPECT_EQ(queue.Pop()->At(), UnixFromSeconds(4));
  EXPECT_EQ(queue.Pop()->At(), UnixFromSeconds(5));
}

TEST(SnapshotQueue, GivesWhatIsLeftWhenItIsClosed) {
  SnapshotQueue queue(2);
  queue.Push(At(1));
  queue.Close();
  EXPECT_NE(queue.Pop(), nullptr);
  EXPECT_EQ(queue.Pop(), nullptr);
  EXPECT_EQ(queue.Pop(), nullptr);
}

TEST(SnapshotQueue, WakesWhoWaits) {
  SnapshotQueue queue(2);
  SnapshotPtr got;
  std::thread waiting([&] {
    got = queue.Pop();
    EXPECT_EQ(queue.Pop(), nullptr);
  });
  queue.Push(At(7));
  queue.Close();
  waiting.join();
  ASSERT_NE(got, nullptr);
  EXPECT_EQ(got->At(), UnixFromSeconds(7));
}

}  // namespace
}  // namespace limpet::snapshot_queue_test
