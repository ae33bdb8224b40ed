#include "diagnoser/evidence/packets/cwnd_watch.h"
#include "diagnoser/evidence/windows/preset_run.h"

#include <gmock/gmock.h>

#include <cmath>

namespace limpet::cwnd_watch_test {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;

constexpr Field kCwnd{.kind = EntityKind::kSocket, .index = 0};
constexpr Field kAcked{.kind = EntityKind::kSocket, .index = 1};

UnixTime At(std::int64_t second) { return UnixFromSeconds(1'700'000'000 + second); }

PipelineConfig Config(bool events = true) {
  auto preset = DefaultPreset();
  preset.cwnd_events = events;
  PipelineConfig config;
  config.presets = {DefaultPreset(), preset};
  config.groups = {{.name = "disks"}, {.name = "tcp", .kind = GroupKind::kCwnd, .ports = {3334}}};
  return config;
}

// Three servers with a connection to one client each; the windows of the last are a tenth as large.
class Servers {
 public:
  explicit Servers(PipelineConfig given = Config())
      : config(std::move(given)),
        watch(config,
              [this](std::uint32_t group, std::string_view metric) {
                return config.presets.back().cwnd_events
                           ? std::optional(runs_.back().Groups()[group].FindLimit(metric))
                           : std::nullopt;
              }),
        directory(
            {Rule::Compile(config.groups[0]).value(), Rule::Compile(config.groups[1]).value()}) {
    for (const auto& preset : config.presets) {
      runs_.emplace_back(preset, 0, nullptr, config.groups);
    }
    for (int i = 1; i <= 3; ++i) {
      const auto number = std::to_string(i);
      const auto socket =
          directory.Restore(EntityKind::kSocket, {.node = "s" + number,
                                                  .local_address = "10.0.0." + number,
                                                  .remote_address = "10.0.1.1",
                                                  .local_port = "3334",
                                                  .remote_port = "50000"});
      sockets_.push_back(socket.value());
    }
  }
  void Read(UnixTime at) {
    for (const auto socket : sockets_) {
      (void)readings.Add(kCwnd, socket, at, socket == sockets_.back() ? 2 : 20);
      (void)readings.Add(kAcked, socket, at, ToSeconds(at - At(0)));
    }
  }
  std::vector<Event> Observe(UnixTime second, UnixTime horizon) {
    EXPECT_EQ(watch.Next(At(0)), second);
    return watch
        .Observe({.first = At(0),
                  .watermark = second,
                  .horizon = horizon,
                  .config = config,
                  .directory = directory,
                  .readings = readings})
        .value();
  }
  // Readings in each of these seconds; the events of the last.
  std::vector<Event> Play(int from, int to) {
    std::vector<Event> events;
    for (int second = from; second <= to; ++second) {
      Read(At(second));
      events = Observe(At(second), At(second));
    }
    return events;
  }

  PipelineConfig config;
  CwndWatch watch;
  Directory directory;
  Readings readings{std::vector<GridSpec>(1)};

 private:
  std::vector<PresetRun> runs_;
  std::vector<std::uint32_t> sockets_;
};

TEST(CwndWatch, WithoutSuchGroupsThereIsNothingToLookAt) {
  auto config = Config();
  config.groups.pop_back();
  const CwndWatch watch(config, [](std::uint32_t, std::string_view) { return std::nullopt; });
  EXPECT_EQ(watch.Next(At(0)), UnixTime::max());
  EXPECT_THAT(watch.Groups(), IsEmpty());
}

TEST(CwndWatch, BeginsWithTheWholeSecondAfterTheFirstReading) {
  Servers servers;
  EXPECT_THAT(servers.watch.Groups(), ElementsAre(Key(1U))) << "the disks' group is none";
  EXPECT_EQ(servers.watch.Next(At(0) + milliseconds(1)), At(1));
  EXPECT_EQ(servers.watch.Next(At(0)), At(1));
  EXPECT_FALSE(servers.watch.Done());
  (void)servers.Play(1, 16);
  EXPECT_EQ(servers.watch.Done(), At(16));
  EXPECT_EQ(servers.watch.Next(At(0)), At(17));
}

TEST(CwndWatch, AnEventNamesWhoIsFarBelowTheMedian) {
  Servers servers;
  EXPECT_THAT(servers.Play(1, 15), IsEmpty()) << "15 of 31 seconds are too few";
  const auto events = servers.Play(16, 16);
  ASSERT_THAT(events, SizeIs(1)) << "nothing is known of the clients' side";
  const auto& event = std::get<CwndEvent>(events[0]);
  EXPECT_EQ(event.end, At(16));
  EXPECT_EQ(event.group, "tcp");
  EXPECT_EQ(event.metric, "cwnd_server");
  EXPECT_EQ(event.n, 3U);
  EXPECT_EQ(event.f, DefaultPreset().cwnd_f);
  EXPECT_FALSE(event.threshold_trained);
  EXPECT_DOUBLE_EQ(*event.median, std::log(20));
  ASSERT_THAT(event.components, SizeIs(3));
  EXPECT_FALSE(event.components[0].anomalous);
  EXPECT_EQ(event.components[2].component, "s3");
  EXPECT_TRUE(event.components[2].anomalous);  // ln 2 < ln 20 / 2
}

TEST(CwndWatch, NobodyIsAnomalousWithoutAMedian) {
  auto config = Config();
  config.masked = {"s1"};
  Servers servers(config);
  const auto events = servers.Play(1, 16);
  ASSERT_THAT(events, SizeIs(1));
  const auto& event = std::get<CwndEvent>(events[0]);
  EXPECT_FALSE(event.median);
  ASSERT_THAT(event.components, SizeIs(2));
  EXPECT_FALSE(event.components[1].anomalous);
}

TEST(CwndWatch, WhenNoPresetAsksForEventsTheSecondsAreKeptAllTheSame) {
  Servers servers(Config(false));
  EXPECT_THAT(servers.Play(1, 16), IsEmpty());
  EXPECT_THAT(servers.watch.Groups().at(1).Servers(), ElementsAre("s1", "s2", "s3"));
}

TEST(CwndWatch, PassesOverSilenceUpToTheHorizon) {
  Servers servers;
  EXPECT_THAT(servers.Observe(At(1), At(100) + milliseconds(500)), IsEmpty());
  EXPECT_EQ(servers.watch.Done(), At(100));
}

TEST(CwndWatch, PassesOverSilenceUpToTheNextReading) {
  Servers at_a_second;
  at_a_second.Read(At(50));
  (void)at_a_second.Observe(At(1), At(100));
  EXPECT_EQ(at_a_second.watch.Next(At(0)), At(50));

  Servers within_a_second;
  within_a_second.Read(At(50) + milliseconds(300));
  (void)within_a_second.Observe(At(1), At(100));
  EXPECT_EQ(within_a_second.watch.Next(At(0)), At(51)) << "the second it counts in";
}

TEST(CwndWatch, AReadingThatStillCountsIsNotPassedOver) {
  Servers servers;
  servers.Read(At(1));
  (void)servers.Observe(At(1), At(100));
  EXPECT_EQ(servers.watch.Done(), At(1)) << "it counts in seconds 2 and 3 as well";
  (void)servers.Observe(At(2), At(100));
  EXPECT_EQ(servers.watch.Done(), At(2));
  (void)servers.Observe(At(3), At(100));
  EXPECT_EQ(servers.watch.Done(), At(100));
}

TEST(CwndWatch, MasksTakeEffectWhenLinksAreForgotten) {
  Servers servers;
  (void)servers.Play(1, 16);
  servers.config.masked = {"s3"};
  servers.watch.SetMasked({});
  // Its old observations are enough for a while; no new one joins them.
  const auto events = servers.Play(17, 41);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(std::get<CwndEvent>(events[0]).n, 2U);
}

TEST(CwndWatch, AForgottenNodeHasNoPast) {
  Servers servers;
  (void)servers.Play(1, 16);
  servers.watch.Forget("s3");
  EXPECT_THAT(servers.watch.Groups().at(1).Servers(), ElementsAre("s1", "s2"));
}

TEST(CwndWatch, GoesOnFromItsState) {
  Servers first;
  (void)first.Play(1, 16);
  const auto done = first.watch.Done();
  auto tails = first.watch.Tails(first.config);
  EXPECT_EQ(done, At(16));
  EXPECT_THAT(tails, ElementsAre(Key("tcp")));

  Servers second;
  second.watch.Resume(done, tails, second.config);
  EXPECT_EQ(second.watch.Next(At(0)), At(17));
  EXPECT_THAT(second.Play(17, 17), SizeIs(1)) << "with the 16 seconds from before";

  tails["other"] = std::move(tails["tcp"]);
  tails.erase("tcp");
  Servers third;
  third.watch.Resume(done, tails, third.config);
  EXPECT_THAT(third.Play(17, 17), IsEmpty()) << "another group's seconds are not its own";
}

}  // namespace
}  // namespace limpet::cwnd_watch_test
