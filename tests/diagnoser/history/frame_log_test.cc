#include "diagnoser/history/frame_log.h"

#include <gmock/gmock.h>

namespace limpet::frame_log_test {
namespace {

std::shared_ptr<const Cluster> Nodes(const std::vector<std::string>& names) {
  auto cluster = std::make_shared<Cluster>();
  for (const auto& name : names) {
    cluster->nodes.push_back({.node = name});
  }
  return cluster;
}

std::shared_ptr<const Frame> MakeOne(int second, const std::shared_ptr<const Cluster>& cluster) {
  auto frame = std::make_shared<Frame>(MakeFrame(cluster, {}, {}, {}));
  frame->time = UnixFromSeconds(second);
  frame->values[0] = static_cast<std::int16_t>(second % 256);
  return frame;
}

TEST(FrameLog, ThinsWhatIsTooLong) {
  const auto cluster = Nodes({"a"});
  FrameLog log(10'000);
  for (int second = 0; second < 1000; ++second) {
    log.Add(MakeOne(second, cluster));
  }
  EXPECT_LT(log.Frames().size(), 100U);
  EXPECT_EQ(log.Frames().front()->time, UnixFromSeconds(0));
  EXPECT_GT(log.Frames().back()->time, UnixFromSeconds(950));
  const auto step = log.Frames()[1]->time - log.Frames()[0]->time;
  for (std::size_t i = 1; i < log.Frames().size(); ++i) {
    EXPECT_EQ(log.Frames()[i]->time - log.Frames()[i - 1]->time, step);
  }
}

TEST(FrameLog, PutsNodesWhereTheLastClusterHasThem) {
  FrameLog log(10'000);
  log.Add(MakeOne(7, Nodes({"b", "gone"})));
  const auto last = Nodes({"a", "b"});
  log.MapTo(last);
  const auto& frame = *log.Frames().front();
  EXPECT_EQ(frame.cluster, last);
  EXPECT_EQ(frame.Row(0)[0], kUnknown);
  EXPECT_EQ(frame.Row(1)[0], 7);
}

}  // namespace
}  // namespace limpet::frame_log_test
