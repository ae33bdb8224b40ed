#include "diagnoser/pipeline/state.h"

#include <gmock/gmock.h>

#include "diagnoser/evidence/setup.h"

namespace limpet::state_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr UnixTime kEnd = UnixFromSeconds(1'700'000'000);
constexpr Field kReads{.kind = EntityKind::kDisk, .index = 0};
constexpr Field kCwnd{.kind = EntityKind::kSocket, .index = 0};
constexpr Field kAcked{.kind = EntityKind::kSocket, .index = 1};
constexpr std::size_t kMany = 1000;

// With something before `kEnd - 60s` and something at `kEnd` in each part.
PipelineState State() {
  PipelineState state;
  state.components = {{.preset = "p",
                       .group = "g",
                       .metric = "await",
                       .component = "a/sda",
                       .accumulator = 7,
                       .recent = {{kEnd - 60s, 1, true}, {kEnd, 2, true}},
                       .episodes = {.began = {kEnd - 60s, kEnd}, .last_flagged = kEnd}}};
  state.window_ends = {{"slow", kEnd - 60s}, {"fast", kEnd}};
  state.entities.resize(1);
  state.cwnd["tcp"] = {};
  state.first = kEnd - 60s;
  state.last = kEnd;
  state.cwnd_done = kEnd;
  state.profiles.emplace();
  state.host_entities.resize(1);
  state.exporter_starts = {{"a", 1.5}};
  state.first_seen = {{"new", kEnd}, {"old", kEnd - 60s}};
  return state;
}

TEST(Rewound, ALittleAheadIsNoReason) {
  const auto state = Rewound(State(), kEnd - 30s, 30s);
  EXPECT_EQ(state.last, kEnd);
  EXPECT_THAT(state.entities, SizeIs(1));
  EXPECT_THAT(state.window_ends, SizeIs(2));
}

TEST(Rewound, AStateWithoutReadingsStaysAsItIs) {
  auto state = State();
  state.last.reset();
  EXPECT_THAT(Rewound(state, kEnd - 24h, 30s).entities, SizeIs(1));
}

TEST(Rewound, DataOfTheFutureGoes) {
  const auto state = Rewound(State(), kEnd - 31s, 30s);
  EXPECT_THAT(state.entities, IsEmpty());
  EXPECT_THAT(state.cwnd, IsEmpty());
  EXPECT_THAT(state.host_entities, IsEmpty());
  EXPECT_FALSE(state.first);
  EXPECT_FALSE(state.last);
  EXPECT_FALSE(state.cwnd_done);
  EXPECT_FALSE(state.profiles);
  EXPECT_THAT(state.window_ends, ElementsAre(Key("slow")));
  EXPECT_THAT(state.first_seen, ElementsAre(Key("old")));
}

TEST(Rewound, AccumulatorsAndWhatWasBeforeStay) {
  const auto state = Rewound(State(), kEnd - 31s, 30s);
  ASSERT_THAT(state.components, SizeIs(1));
  const auto& component = state.components[0];
  EXPECT_EQ(component.accumulator, 7U);
  ASSERT_THAT(component.recent, SizeIs(1));
  EXPECT_EQ(component.recent[0].end, kEnd - 60s);
  EXPECT_THAT(component.episodes.began, ElementsAre(kEnd - 60s));
  EXPECT_FALSE(component.episodes.last_flagged);
  EXPECT_EQ(state.exporter_starts.at("a"), 1.5);
}

// Disks, connections to port 3334 and whole nodes, of any role.
std::vector<Rule> Rules() {
  PipelineConfig config;
  config.groups = {{.name = "disks"}, {.name = "tcp", .kind = GroupKind::kCwnd, .ports = {3334}}};
  config.profiles = ProfilePlan();
  return CompileRules(config);
}

struct Known {
  explicit Known(const EntityLimits& limits = {}) : directory(Rules(), limits) {}
  std::uint32_t AddDisk(const std::string& node) {
    return directory.Restore(EntityKind::kDisk, {.node = node, .device = "sda"}).value();
  }
  std::uint32_t AddSocket(const std::string& node) {
    return directory
        .Restore(EntityKind::kSocket, {.node = node,
                                       .local_address = "10.0.0.1",
                                       .remote_address = "10.0.0.2",
                                       .local_port = "3334",
                                       .remote_port = "50000"})
        .value();
  }
  // Three seconds, one request in each.
  void ReadDisk(std::uint32_t disk) {
    for (int second = 0; second <= 3; ++second) {
      (void)readings.Add(kReads, disk, kEnd + second * 1s, second);
    }
  }

  Directory directory;
  Readings readings{std::vector<GridSpec>(1)};
  HostReadings hosts{40s};
};

TEST(ExportEntities, HasCountersOfDisksAndReadingsOfConnections) {
  Known known;
  known.ReadDisk(known.AddDisk("a"));
  const auto socket = known.AddSocket("b");
  (void)known.readings.Add(kCwnd, socket, kEnd, 20);
  (void)known.readings.Add(kAcked, socket, kEnd, 1000);
  const auto states = ExportEntities(known.directory, known.readings, {0}, kMany, OneAfterTheOther);
  ASSERT_THAT(states, SizeIs(2));
  EXPECT_EQ(states[0].kind, EntityKind::kDisk);
  EXPECT_EQ(states[0].entity.node, "a");
  ASSERT_TRUE(states[0].counters.at(0));
  EXPECT_EQ(states[0].counters[0]->value, 3);
  EXPECT_FALSE(states[0].counters.at(1)) << "nothing was read of it";
  EXPECT_EQ(states[1].kind, EntityKind::kSocket);
  ASSERT_THAT(states[1].cwnd, SizeIs(1));
  EXPECT_EQ(states[1].cwnd[0].value, 20);
  EXPECT_THAT(states[1].other, SizeIs(1));
}

TEST(ExportEntities, LeavesOutWhoWasForgotten) {
  Known known;
  const auto gone = known.AddDisk("a");
  known.AddDisk("b");
  known.directory.Forget(EntityKind::kDisk, gone);
  const auto states = ExportEntities(known.directory, known.readings, {0}, kMany, OneAfterTheOther);
  ASSERT_THAT(states, SizeIs(1));
  EXPECT_EQ(states[0].entity.node, "b");
}

TEST(ExportEntities, HasNoBinsBeforeTheOldest) {
  Known known;
  known.ReadDisk(known.AddDisk("a"));
  const auto bins = [&](std::int64_t oldest) {
    const auto states =
        ExportEntities(known.directory, known.readings, {oldest}, kMany, OneAfterTheOther);
    return states.at(0).counters.at(0)->columns.at(0)->values;
  };
  EXPECT_THAT(bins(BinAt(kEnd + 2s, 1s)), ElementsAre(1, 1));
  EXPECT_THAT(bins(BinAt(kEnd + 3s, 1s)), ElementsAre(1));
}

TEST(ExportEntities, WhoComesWhenTheBinsAreTakenGoesWithout) {
  Known known;
  for (const auto* node : {"a", "b", "c"}) {
    known.ReadDisk(known.AddDisk(node));
  }
  const auto oldest = BinAt(kEnd + 2s, 1s);
  const auto states =
      ExportEntities(known.directory, known.readings, {oldest}, 4, OneAfterTheOther);
  ASSERT_THAT(states, SizeIs(3));
  EXPECT_FALSE(states[0].counters.empty());
  EXPECT_FALSE(states[1].counters.empty());
  EXPECT_TRUE(states[2].counters.empty());
}

TEST(RestoreEntities, GivesBackWhatWasExported) {
  Known before;
  before.ReadDisk(before.AddDisk("a"));
  const auto socket = before.AddSocket("b");
  (void)before.readings.Add(kCwnd, socket, kEnd, 20);
  const auto states =
      ExportEntities(before.directory, before.readings, {0}, kMany, OneAfterTheOther);
  Known after;
  RestoreEntities(states, after.directory, after.readings);
  EXPECT_EQ(after.directory.Count(), 2U);
  EXPECT_EQ(after.readings.Last(EntityKind::kDisk, 0), kEnd + 3s);
  EXPECT_EQ(after.readings.Tracks(EntityKind::kDisk, 0)[0].Column(0).At(BinAt(kEnd + 2s, 1s)), 1);
  EXPECT_EQ(after.readings.Last(EntityKind::kSocket, 0), kEnd);
}

TEST(RestoreEntities, LeavesOutWhatNoGroupWants) {
  Known before;
  before.ReadDisk(before.AddDisk("a"));
  before.ReadDisk(before.AddDisk("b"));
  const auto states =
      ExportEntities(before.directory, before.readings, {0}, kMany, OneAfterTheOther);
  Directory none({});
  Readings readings{std::vector<GridSpec>(1)};
  RestoreEntities(states, none, readings);
  EXPECT_EQ(none.Count(), 0U);
  EXPECT_THAT(readings.Tracks(EntityKind::kDisk, 0), IsEmpty());
}

TEST(RestoreEntities, IsBounded) {
  Known before;
  before.AddDisk("a");
  before.AddDisk("b");
  const auto states =
      ExportEntities(before.directory, before.readings, {0}, kMany, OneAfterTheOther);
  Known after({.shared = 1, .reserved = 0});
  RestoreEntities(states, after.directory, after.readings);
  EXPECT_EQ(after.directory.Count(), 1U);
}

// A disk that peer groups have too, and the node it belongs to.
std::vector<HostEntityState> HostStates() {
  Known known;
  const auto disk = known.AddDisk("a");
  const auto host = known.directory.Restore(EntityKind::kHost, {.node = "a"}).value();
  const Field bytes{.kind = EntityKind::kDisk,
                    .index = static_cast<std::uint8_t>(DiskCounter::kReadBytes)};
  const Field load{.kind = EntityKind::kHost, .index = FieldNumber(HostGauge::kLoad1)};
  for (int second = 0; second <= 3; ++second) {
    (void)known.hosts.Add(bytes, disk, kEnd + second * 1s, second);
    (void)known.hosts.Add(load, host, kEnd + second * 1s, 0.5);
  }
  return ExportHostEntities(known.directory, known.hosts, kEnd + 1s);
}

TEST(ExportHostEntities, HasNodesFirstAndTheSecondsAfterTheLastJudged) {
  const auto states = HostStates();
  ASSERT_THAT(states, SizeIs(2));
  EXPECT_EQ(states[0].kind, EntityKind::kHost);
  EXPECT_EQ(states[0].tail.first, kEnd);
  EXPECT_THAT(states[0].tail.gauges[static_cast<std::size_t>(HostGauge::kLoad1)], SizeIs(4));
  EXPECT_EQ(states[1].kind, EntityKind::kDisk);
  std::size_t counters = 0;
  for (const auto& counter : states[1].tail.counters) {
    if (counter) {
      ++counters;
      EXPECT_THAT(counter->columns.at(0)->values, ElementsAre(1, 1));
    }
  }
  EXPECT_EQ(counters, 1U);
}

TEST(ExportHostEntities, LeavesOutWhatHasHadNoReading) {
  Known known;
  known.AddDisk("a");
  EXPECT_THAT(ExportHostEntities(known.directory, known.hosts, kEnd), IsEmpty());
}

TEST(RestoreHostEntities, AreFoundWhenPeerGroupsHaveRestoredThem) {
  Known known({.shared = 1, .reserved = 0});
  const auto disk = known.AddDisk("a");
  RestoreHostEntities(HostStates(), known.directory, known.hosts);
  EXPECT_EQ(known.directory.Count(), 1U) << "no room for the node";
  EXPECT_THAT(known.hosts.TailAfter(EntityKind::kDisk, disk, kEnd).counters, Not(IsEmpty()));
}

TEST(RestoreHostEntities, AreMadeWhenTheyAreNotThere) {
  Known known;
  RestoreHostEntities(HostStates(), known.directory, known.hosts);
  EXPECT_EQ(known.directory.Count(), 2U);
  EXPECT_EQ(known.hosts.Last(0), kEnd + 3s);
}

}  // namespace
}  // namespace limpet::state_test
