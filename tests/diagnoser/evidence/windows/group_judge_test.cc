#include "diagnoser/evidence/windows/group_judge.h"

#include <gmock/gmock.h>

#include <cmath>

namespace limpet::group_judge_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kStart = 1'700'000'000;
UnixTime At(std::int64_t second) { return UnixFromSeconds(kStart + second); }

// Windows of 20 s every 10, flagged after two.
PresetSettings Quick() {
  auto preset = DefaultPreset();
  preset.name = "quick";
  preset.smoothing = 1;
  preset.window = 20;
  preset.shift = 10;
  preset.k = 2;
  return preset;
}

// Disks a/sdb, b/sdb, … with 100 requests a second, each of so many milliseconds.
struct Disks {
  explicit Disks(const std::vector<double>& await) {
    for (std::uint32_t disk = 0; disk < await.size(); ++disk) {
      const std::string node(1, static_cast<char>('a' + disk));
      members.members.push_back(
          {.name = node + "/sdb", .node = node, .device = "sdb", .entities = {disk}});
      for (int second = 0; second <= 60; ++second) {
        const double requests = 100.0 * second;
        const double busy = requests * await[disk] / 1000;
        Add(disk, DiskCounter::kReads, second, requests);
        Add(disk, DiskCounter::kReadSeconds, second, busy);
        Add(disk, DiskCounter::kBusySeconds, second, busy / 4);
        // A metric needs all of its counters, if only to know that they stand still.
        for (const auto counter : {DiskCounter::kWrites, DiskCounter::kReadBytes,
                                   DiskCounter::kWrittenBytes, DiskCounter::kWriteSeconds}) {
          Add(disk, counter, second, 0);
        }
      }
    }
  }
  void Add(std::uint32_t disk, DiskCounter counter, int second, double value) {
    const Field field{.kind = EntityKind::kDisk, .index = static_cast<std::uint8_t>(counter)};
    (void)readings.Add(field, disk, At(second), value);
  }

  Readings readings{std::vector<GridSpec>(1)};
  GroupMembers members;
  Directory directory{std::vector<Rule>()};
};

GroupJudge::Result Judge(GroupJudge& judge, const Disks& disks, int end,
                         JudgeMode mode = JudgeMode::kJudge) {
  return judge.JudgeWindow(At(end), mode, disks.members, disks.directory, disks.readings, 0);
}

const WindowEvent& Find(const GroupJudge::Result& result, std::string_view metric) {
  const auto found = std::find_if(result.windows.begin(), result.windows.end(),
                                  [&](const auto& window) { return window.metric == metric; });
  return found == result.windows.end() ? result.windows.at(0) : *found;
}

const PeerGroupRule kRule{.name = "io"};

TEST(GroupJudge, FlagsTheDiskThatWaitsLonger) {
  const auto preset = Quick();
  const Disks disks({10, 10, 40, 11});
  GroupJudge judge(kRule, preset, nullptr);
  EXPECT_THAT(Judge(judge, disks, 30).flagged, IsEmpty()) << "one window is no finding";
  const auto result = Judge(judge, disks, 40);
  ASSERT_THAT(result.flagged, SizeIs(1));
  const auto& evidence = result.flagged.at("c");
  ASSERT_THAT(evidence, SizeIs(3)) << "%util, await and svctm";
  EXPECT_EQ(evidence[1].metric, "await");
  EXPECT_EQ(evidence[1].component, "c/sdb");
  EXPECT_EQ(evidence[1].peers, 3U);
  EXPECT_EQ(evidence[1].far, 3U);
  EXPECT_THAT(evidence[1].far_peers, ElementsAre("a/sdb", "b/sdb", "d/sdb"));
  EXPECT_THAT(evidence[1].windows, ElementsAre(At(30), At(40)));
  EXPECT_EQ(evidence[1].threshold_origin, ThresholdOrigin::kDefault);
  EXPECT_EQ(judge.TakingPart(), 4U);
  EXPECT_EQ(judge.Records().at("c/sdb").metrics.at("await").accumulator, 1U);
}

TEST(GroupJudge, GivesAWindowForEveryMetricByName) {
  const auto preset = Quick();
  GroupJudge judge(kRule, preset, nullptr);
  const auto result = Judge(judge, Disks({10, 10, 40}), 30);
  std::vector<std::string> names;
  for (const auto& window : result.windows) {
    names.push_back(window.metric);
    EXPECT_EQ(window.n, 3U);
    EXPECT_FALSE(window.threshold_trained);
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_THAT(names, ::testing::Contains("await"));
  const auto& await = Find(result, "await").components;
  EXPECT_NEAR(*await[2].mean, 40, 1e-9);
  EXPECT_NEAR(*await[2].peer_median, 10, 1e-9);
  EXPECT_EQ(await[2].direction, Direction::kHigh);
  EXPECT_TRUE(await[2].window_anomalous);
  EXPECT_FALSE(await[2].flagged);
}

TEST(GroupJudge, AWindowsThresholdsAreAllTrainedOrNone) {
  auto preset = Quick();
  preset.k = 1;
  Thresholds thresholds;
  thresholds.components["io"]["await"] = {{"a/sdb", 1.5}, {"b/sdb", 2.5}};
  thresholds.FillMedians();
  GroupJudge judge(kRule, preset, &thresholds);
  const auto result = Judge(judge, Disks({10, 10, 40}), 30);
  const auto& await = Find(result, "await");
  EXPECT_TRUE(await.threshold_trained);
  EXPECT_EQ(await.components[0].threshold, 1.5);
  EXPECT_EQ(await.components[1].threshold, 2.5);
  EXPECT_EQ(await.components[2].threshold, 2) << "the median of the group's";
  EXPECT_FALSE(Find(result, "svctm").threshold_trained);
  const auto& evidence = result.flagged.at("c");
  EXPECT_EQ(evidence[0].threshold_origin, ThresholdOrigin::kDefault) << evidence[0].metric;
  EXPECT_EQ(evidence[1].threshold_origin, ThresholdOrigin::kGroup) << evidence[1].metric;
}

TEST(GroupJudge, RecentComponentsHaveTheThresholdsOfTheirMainGroup) {
  const auto preset = Quick();
  Thresholds thresholds;
  thresholds.components["io"]["await"] = {{"a/sdb", 1.5}};
  PeerGroupRule recent{.name = "io-recent"};
  recent.recent_of = "io";
  GroupJudge judge(recent, preset, &thresholds);
  const auto result = Judge(judge, Disks({10, 10, 40}), 30);
  EXPECT_EQ(Find(result, "await").components[0].threshold, 1.5);
  EXPECT_EQ(Find(result, "await").group, "io-recent");
}

TEST(GroupJudge, TwoCannotBeToldApart) {
  auto preset = Quick();
  preset.k = 1;
  GroupJudge judge(kRule, preset, nullptr);
  const auto result = Judge(judge, Disks({10, 400}), 30);
  const auto& await = Find(result, "await");
  EXPECT_TRUE(await.undetermined);
  EXPECT_FALSE(await.components[1].s.has_value());
  EXPECT_FALSE(await.lo.has_value());
  EXPECT_THAT(result.flagged, IsEmpty());
}

TEST(GroupJudge, ARecalledWindowIsNotCountedAgain) {
  const auto preset = Quick();
  const Disks disks({10, 10, 40, 11});
  GroupJudge judge(kRule, preset, nullptr);
  (void)Judge(judge, disks, 30);
  (void)Judge(judge, disks, 40);
  const auto again = Judge(judge, disks, 40, JudgeMode::kRecall);
  EXPECT_THAT(again.flagged, SizeIs(1));
  const auto& record = judge.Records().at("c/sdb").metrics.at("await");
  EXPECT_EQ(record.accumulator, 1U);
  EXPECT_THAT(record.recent, SizeIs(2));
}

TEST(GroupJudge, WhoIsGoneIsForgotten) {
  const auto preset = Quick();
  Disks disks({10, 10, 40, 11});
  GroupJudge judge(kRule, preset, nullptr);
  (void)Judge(judge, disks, 30);
  judge.ForgetNode("a");
  EXPECT_FALSE(judge.Records().contains("a/sdb"));
  disks.members.members.pop_back();
  judge.KeepOnly(disks.members);
  EXPECT_FALSE(judge.Records().contains("d/sdb"));
  EXPECT_TRUE(judge.Records().contains("c/sdb"));
}

TEST(GroupJudge, RestoresNodeAndDeviceFromAName) {
  const auto preset = Quick();
  GroupJudge disks(kRule, preset, nullptr);
  disks.Restore({.metric = "await", .component = "a/cciss/c0d0", .accumulator = 7});
  EXPECT_EQ(disks.Records().at("a/cciss/c0d0").node, "a");
  EXPECT_EQ(disks.Records().at("a/cciss/c0d0").device, "cciss/c0d0");
  EXPECT_EQ(disks.Records().at("a/cciss/c0d0").metrics.at("await").accumulator, 7U);
  GroupJudge servers({.name = "net", .kind = GroupKind::kNetwork}, preset, nullptr);
  EXPECT_TRUE(servers.Has("rxbyt"));
  EXPECT_FALSE(servers.Has("await"));
  servers.Restore({.metric = "rxbyt", .component = "a"});
  EXPECT_EQ(servers.Records().at("a").device, "");
}

TEST(GroupJudge, WithBoundsTheSameDisksAreFlagged) {
  auto exact = Quick();
  exact.k = 1;
  auto bounded = exact;
  bounded.exact_up_to = 2;
  std::vector<double> await(40, 10);
  await[7] = 45;
  const Disks disks(await);
  GroupJudge by_all(kRule, exact, nullptr);
  GroupJudge by_bounds(kRule, bounded, nullptr);
  const auto all = Judge(by_all, disks, 30);
  const auto some = Judge(by_bounds, disks, 30);
  ASSERT_THAT(some.flagged, SizeIs(1));
  EXPECT_EQ(some.flagged.begin()->second.front().degree,
            all.flagged.begin()->second.front().degree);
  const auto& components = Find(some, "await").components;
  EXPECT_FALSE(components[7].s_is_bound);
  EXPECT_TRUE(components[0].s_is_bound);
}

// Seconds up to 20 in which the servers' logarithms are these beside a median of 4.
CwndSeconds Windows(const std::vector<double>& logs) {
  CwndTail tail;
  const auto latest = kStart + 20;
  for (auto& medians : tail.medians) {
    medians = {.latest = latest, .values = std::vector<double>(20, 4.0)};
  }
  for (std::size_t i = 0; i < logs.size(); ++i) {
    CwndTail::Server server{.name = "s" + std::to_string(i), .observed = {}, .logs = {}};
    server.logs[0] = {.latest = latest, .values = std::vector<double>(20, logs[i])};
    tail.servers.push_back(std::move(server));
  }
  CwndSeconds seconds(0, 64);
  seconds.Resume(tail);
  return seconds;
}

TEST(GroupJudge, FlagsTheServerWithSmallWindows) {
  auto preset = Quick();
  preset.k = 1;
  GroupJudge judge({.name = "tcp", .kind = GroupKind::kCwnd}, preset, nullptr);
  const auto result = judge.JudgeCwnd(At(20), JudgeMode::kJudge, Windows({4, 4, 1}));
  EXPECT_THAT(result.windows, IsEmpty());
  ASSERT_THAT(result.flagged, SizeIs(1));
  const auto& evidence = result.flagged.at("s2");
  ASSERT_THAT(evidence, SizeIs(1)) << "the servers' own side has no seconds";
  EXPECT_EQ(evidence[0].metric, "cwnd_client");
  EXPECT_EQ(evidence[0].direction, Direction::kLow);
  EXPECT_DOUBLE_EQ(evidence[0].degree, (1 - 0.25) / (1 - preset.cwnd_f));
  EXPECT_DOUBLE_EQ(*evidence[0].mean, std::exp(1.0));
  EXPECT_DOUBLE_EQ(*evidence[0].peer_median, std::exp(4.0));
  EXPECT_EQ(evidence[0].peers, 2U);
  EXPECT_FALSE(evidence[0].far.has_value());
}

TEST(GroupJudge, ATrainedFIsUsedForItsSide) {
  auto preset = Quick();
  preset.k = 1;
  Thresholds thresholds;
  thresholds.cwnd["tcp"]["cwnd_client"] = 0.2;
  GroupJudge judge({.name = "tcp", .kind = GroupKind::kCwnd}, preset, &thresholds);
  EXPECT_THAT(judge.JudgeCwnd(At(20), JudgeMode::kJudge, Windows({4, 4, 1})).flagged, IsEmpty());
  const auto low = judge.JudgeCwnd(At(20), JudgeMode::kJudge, Windows({4, 4, 0.5}));
  EXPECT_EQ(low.flagged.at("s2").front().threshold_origin, ThresholdOrigin::kGroup);
  EXPECT_EQ(judge.FindLimit("cwnd_server").f, preset.cwnd_f);
}

}  // namespace
}  // namespace limpet::group_judge_test
