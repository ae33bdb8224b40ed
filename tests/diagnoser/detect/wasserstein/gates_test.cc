#include "diagnoser/detect/wasserstein/gates.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/detect/time_scales.h"
#include "tests/support/compare_peers.h"

namespace limpet::gates_test {
namespace {

// Three peers at 10 and one at `odd`, constant: s = odd - 10, median 10, no spread.
Comparison Against(double odd, std::string_view metric = "await", double peers = 10) {
  SampleSet set;
  for (int i = 0; i < 3; ++i) {
    set.Add(std::vector<double>(64, peers));
  }
  set.Add(std::vector<double>(64, odd));
  return testing::ComparePeers(set, metric, BarePreset());
}

constexpr GateFacts kBusyDisk = {
    .requests = 2000, .flash = false, .mean_difference = 0, .svctm_effect = 8.0, .mean_util = 95.0};

double AwaitDegree(double odd, const GateFacts& facts,
                   const PresetSettings& preset = BarePreset()) {
  return GateDegree(Against(odd), 3, testing::Metric("await"), preset, facts).degree;
}

TEST(Gates, EffectAndZByHand) {
  const auto degree = GateDegree(Against(30), 3, testing::Metric("await"), BarePreset(), kBusyDisk);
  EXPECT_DOUBLE_EQ(degree.effect, 2);  // 20 / max(10, 5)
  EXPECT_DOUBLE_EQ(degree.z, 100);     // 20 / max(0, 0.2, 0.05)
  EXPECT_DOUBLE_EQ(degree.degree, 8);  // min(2/0.25, 100/3, 8/0.25)
}

TEST(Gates, TheFloorIsTheLeastScale) {
  const auto degree =
      GateDegree(Against(7, "await", 1), 3, testing::Metric("await"), BarePreset(), kBusyDisk);
  EXPECT_DOUBLE_EQ(degree.effect, 6.0 / 5);
  auto flash = kBusyDisk;
  flash.flash = true;
  const auto on_flash =
      GateDegree(Against(7, "await", 1), 3, testing::Metric("await"), BarePreset(), flash);
  EXPECT_DOUBLE_EQ(on_flash.effect, 6);
}

double BalanceDegree(double odd, double peers, double traffic, std::optional<double> excess = 0,
                     double doubtful = 0, double sent_degree = 0, double usual = 1) {
  GateFacts facts;
  facts.sent_degree = sent_degree;
  facts.carried = {.bytes = traffic, .excess = excess, .usual = usual, .doubtful = doubtful};
  return GateDegree(Against(odd, "unsent", peers), 3, testing::Metric("unsent"), BarePreset(),
                    facts)
      .degree;
}

TEST(Gates, AnImbalanceIsHeldAgainstWhatTheServersCarry) {
  EXPECT_DOUBLE_EQ(BalanceDegree(4e6, 0, 10e6), 0.4 / 0.25);
  EXPECT_LT(BalanceDegree(4e6, 0, 100e6), 1);
  EXPECT_GT(BalanceDegree(4e6, 0, 0), 10) << "nothing but the hog";
  EXPECT_EQ(BalanceDegree(1e6, 0, 0), 0) << "under 1 MiB/s";
}

// Writes reach the disks in bursts, here and there: every sample is far from balanced, the window
// is not.
TEST(Gates, WhatIsBufferedForAMomentIsNoImbalance) {
  SampleSet set;
  for (int server = 0; server < 4; ++server) {
    std::vector<double> samples;
    for (int i = 0; i < 64; ++i) {
      samples.push_back((i % 2 == 0 ? 20e6 : -20e6) + (server == 3 ? 4e6 : 0));
    }
    set.Add(samples);
  }
  auto preset = BarePreset();
  const auto comparison = testing::ComparePeers(set, "unsent", preset);
  GateFacts facts;
  facts.carried = {.bytes = 10e6};
  const auto graded = [&](std::size_t i) {
    return GateDegree(comparison, i, testing::Metric("unsent"), preset, facts);
  };
  EXPECT_EQ(graded(0).effect, 0);
  EXPECT_DOUBLE_EQ(graded(3).effect, 0.4);
  EXPECT_LT(graded(3).degree, 1) << "forty times its mean from one sample to the next";
  preset.smoothing = 1;
  EXPECT_GT(graded(3).z, 0.7) << "64 samples that are worth 64";
  facts.means_scatter = 4e6;
  EXPECT_LE(graded(3).z, 1) << "its peers' means are as far apart";
}

TEST(Gates, ASurplusIsOneOfItsOwnNotOfTheCachesOfItsPeers) {
  EXPECT_EQ(BalanceDegree(0, -30e6, 50e6), 0) << "sends what it reads; its peers have it cached";
  EXPECT_EQ(BalanceDegree(0, 30e6, 50e6), 0) << "everybody else has a hog";
  EXPECT_GT(BalanceDegree(-30e6, 0, 50e6, 30e6), 1) << "a deficit is one on both counts";
}

TEST(Gates, WhereClientsStarveASurplusIsOneBesideThePeersAlone) {
  GateFacts facts;
  facts.carried = {.bytes = 50e6, .excess = 0.0, .usual = 1};
  const auto degree = [&](double odd) {
    return GateDegree(Against(odd, "unsent", -30e6), 3, testing::Metric("unsent"), BarePreset(),
                      facts)
        .degree;
  };
  EXPECT_EQ(degree(-5e6), 0);
  facts.carried.starved = true;
  EXPECT_DOUBLE_EQ(degree(-5e6), 0.5 / 0.25);
  EXPECT_DOUBLE_EQ(degree(10e6), 0.8 / 0.25);
  facts.carried.surplus = false;
  EXPECT_EQ(degree(-5e6), 0);
}

TEST(Gates, ASurplusBesidePeersThatHaveMostInMemoryIsWhatItIsBesideZero) {
  EXPECT_DOUBLE_EQ(BalanceDegree(4e6, -80e6, 100e6), 0.04 / 0.25);
  EXPECT_DOUBLE_EQ(BalanceDegree(50e6, -80e6, 100e6), 0.5 / 0.25);
}

// 40 MB/s of 300 are no quarter, and three times what a disk moves.
TEST(Gates, ASurplusOfOneDiskIsHeldAgainstDisks) {
  GateFacts facts;
  facts.carried = {.bytes = 300e6, .of_one_disk = 12.5e6, .disks = 25};
  const auto degree = [&] {
    return GateDegree(Against(40e6, "unsent", 0), 3, testing::Metric("unsent"), BarePreset(), facts)
        .degree;
  };
  EXPECT_LT(degree(), 1) << "all disks together";
  facts.carried.at_one_disk = 40e6;
  EXPECT_DOUBLE_EQ(degree(), 40.0 / (0.02 * 300 / 5) / 3);
  facts.carried.of_one_disk = 80e6;
  EXPECT_DOUBLE_EQ(degree(), 0.5 / 0.25);
  facts.carried.at_one_disk = 19e6;
  EXPECT_LT(degree(), 1) << "the others of its disks do more as well";
  facts.carried.at_one_disk = 40e6;
  facts.carried.surplus = false;
  EXPECT_EQ(degree(), 0);
}

TEST(Gates, WhatTheNetworkDoesNotExplainIsNoImbalance) {
  GateFacts facts;
  facts.carried = {.bytes = 10e6, .excess = 8e6, .usual = 1, .surplus = false, .deficit = false};
  const auto degree = [&](double odd) {
    return GateDegree(Against(odd, "unsent", 0), 3, testing::Metric("unsent"), BarePreset(), facts)
        .degree;
  };
  EXPECT_EQ(degree(8e6), 0);
  EXPECT_EQ(degree(-8e6), 0);
  facts.carried.surplus = true;
  EXPECT_GT(degree(8e6), 1);
  facts.carried.deficit = true;
  EXPECT_GT(degree(-8e6), 1);
}

TEST(Gates, ADeficitWithoutMoreTrafficThanThePeersMayBeALargerCache) {
  EXPECT_EQ(BalanceDegree(-30e6, 0, 50e6), 0);
  EXPECT_EQ(BalanceDegree(-30e6, 0, 50e6, 14e6), 0);
  EXPECT_GT(BalanceDegree(-30e6, 0, 50e6, 16e6), 1);
  EXPECT_EQ(BalanceDegree(-30e6, 0, 50e6, std::nullopt), 0) << "copies for other servers, perhaps";
  EXPECT_EQ(BalanceDegree(-30e6, 0, 50e6, std::nullopt, 0, 1.5), 1.5);
  EXPECT_EQ(BalanceDegree(-30e6, 0, 50e6, 100e6), 0) << "twice the load, and a third is cached";
  EXPECT_EQ(BalanceDegree(-30e6, 0, 50e6, 45e6, 0, 0, 0.6), 0);
  EXPECT_GT(BalanceDegree(-30e6, 0, 50e6, 40e6, 0, 0, 0.6), 1);
  EXPECT_EQ(BalanceDegree(-30e6, 0, 50e6, 30e6, 0, 0, 0), 0) << "nobody to learn from";
}

// The only server with files reads ahead for many streams, and drops a third of it again.
TEST(Gates, WithoutBusyPeersASurplusCountsAsFarAsItIsNotDoubtful) {
  EXPECT_GT(BalanceDegree(2e6, 0, 4e6), 1);
  EXPECT_EQ(BalanceDegree(2e6, 0, 4e6, 0, 4e6), 0);
  EXPECT_DOUBLE_EQ(BalanceDegree(6e6, 0, 4e6, 0, 4e6), 2);
  EXPECT_GT(BalanceDegree(-2e6, 0, 4e6, 2e6, 4e6), 1) << "a deficit is no reading ahead";
}

// Buffers empty in seconds, however many samples these are.
TEST(Gates, AnImbalanceNeedsToBeLargerOnlyInWindowsOfLessThanAMinute) {
  const auto degree = [](const PresetSettings& preset) {
    GateFacts facts;
    facts.carried = {.bytes = 10e6};
    return GateDegree(Against(4e6, "unsent", 0), 3, testing::Metric("unsent"), preset, facts)
               .degree /
           preset.threshold_factor;
  };
  EXPECT_DOUBLE_EQ(degree(SlowDefaultPreset()), 0.4 / 0.25);
  EXPECT_DOUBLE_EQ(degree(ScalePreset(SlowDefaultPreset(), "fast")), 0.4 / 0.25);
  EXPECT_DOUBLE_EQ(degree(ScalePreset(DefaultPreset(), "fast")), 0.4 / 0.25 / 3) << "16 s";
  EXPECT_DOUBLE_EQ(degree(ScalePreset(DefaultPreset(), "middle")), 0.4 / 0.25 / 2) << "32 s";
  EXPECT_DOUBLE_EQ(degree(ScalePreset(DefaultPresetFor(std::chrono::seconds(5)), "fast")),
                   0.4 / 0.25 / 1.6)
      << "40 s";
}

TEST(Gates, ASettledWindowAsksForNoSlowerDevice) {
  auto facts = kBusyDisk;
  facts.svctm_effect = 0.5;
  const auto fast = ScalePreset(SlowDefaultPreset(), "fast");
  EXPECT_DOUBLE_EQ(AwaitDegree(30, facts, fast), 2 * fast.threshold_factor);
  EXPECT_DOUBLE_EQ(AwaitDegree(30, facts, ScalePreset(DefaultPreset(), "fast")), 2);
  EXPECT_DOUBLE_EQ(AwaitDegree(30, facts, ScalePreset(DefaultPreset(), "middle")), 4)
      << "32 samples";
  EXPECT_DOUBLE_EQ(AwaitDegree(12, facts, fast), 0.8) << "what stands out little, it does not name";
}

// A disk 1.5 times slower was named after 76 to 108 s.
TEST(Gates, InThirtyTwoSamplesASlowerDeviceProvesAsMuchAsInThePresetsOwn) {
  auto facts = kBusyDisk;
  facts.svctm_effect = 0.4;
  facts.slowdown = 1.4;
  const auto degree = [&](const PresetSettings& preset) {
    return AwaitDegree(11.5, facts, preset) / preset.threshold_factor;
  };
  EXPECT_DOUBLE_EQ(degree(DefaultPreset()), 0.4 / 0.25);
  EXPECT_DOUBLE_EQ(degree(ScalePreset(DefaultPreset(), "middle")), 0.4 / 0.25);
  EXPECT_DOUBLE_EQ(degree(ScalePreset(DefaultPreset(), "fast")), 0.4 / 0.25 / 3);
}

TEST(Gates, WithBalancesMoreLoadAloneIsNoHog) {
  auto preset = BarePreset();
  GateFacts facts;
  const auto degree = [&](double odd) {
    return GateDegree(Against(odd, "rd_sec", 1e5), 3, testing::Metric("rd_sec"), preset, facts)
        .degree;
  };
  EXPECT_GT(degree(1.4e5), 1) << "without balances it is";
  preset.balance = true;
  facts.await_effect = 0.3;
  EXPECT_EQ(degree(1.4e5), 0);
  EXPECT_GT(degree(1.6e5), 1);
  facts.await_effect = 0.03;
  EXPECT_EQ(degree(1.6e5), 0);
}

// Bursts of minutes on healthy drives did: 10 warnings in 1,920 simulated server-hours at 60 s.
TEST(Gates, InShortWindowsOfSparseSamplesAHogMakesItsDiskWaitAsMuchMore) {
  auto preset = SlowDefaultPreset();
  const auto scale = ScalePreset(preset, "fast");
  GateFacts facts;
  facts.await_effect = 0.4;
  const auto degree = [&](const PresetSettings& by) {
    return GateDegree(Against(4e5, "rd_sec", 1e5), 3, testing::Metric("rd_sec"), by, facts).degree;
  };
  EXPECT_GT(degree(preset), 1) << "half an hour of it";
  EXPECT_EQ(degree(scale), 0) << "two minutes";
  // 4 warnings and a page in 7,680 server-hours at 15 s.
  facts.await_effect = 0.6;
  EXPECT_EQ(degree(ScalePreset(preset, "middle")), 0) << "six minutes";
  facts.await_effect = 1;
  EXPECT_GT(degree(scale), scale.threshold_factor);
  facts.await_effect = 0.4;
  EXPECT_GT(degree(ScalePreset(DefaultPreset(), "fast")), 1) << "second by second";
}

// What sleeps between requests takes its own time to wake up.
TEST(Gates, RareRequestsOfFlashHaveTheFloorOfDisks) {
  auto facts = kBusyDisk;
  facts.flash = true;
  const auto degree = [&](double odd, double peers) {
    return GateDegree(Against(odd, "await", peers), 3, testing::Metric("await"), BarePreset(),
                      facts)
        .degree;
  };
  facts.requests = 20 * 64;
  EXPECT_GT(degree(2, 0.8), 1);
  facts.requests = 20 * 64 - 1;
  EXPECT_EQ(degree(2, 0.8), 0);
  EXPECT_GT(degree(12, 0.8), 1);
}

TEST(Gates, TheFloorOfFlashMayBeRelative) {
  auto preset = BarePreset();
  preset.latency_floor_flash = 0;
  auto flash = kBusyDisk;
  flash.flash = true;
  const auto effect = [&](double odd, double peers) {
    return GateDegree(Against(odd, "await", peers), 3, testing::Metric("await"), preset, flash)
        .effect;
  };
  EXPECT_NEAR(effect(0.2, 0.1), 1, 1e-9);
  EXPECT_NEAR(effect(0.02, 0.01), 0.5, 1e-9) << "at least 0.02 ms";
}

// 0.1 ms a request: under the floor only what is timed well, and by a device that takes three
// tenths longer.
TEST(Gates, FlashThatIsTimedWellMayBeUnderItsFloor) {
  auto preset = DefaultPreset();
  auto facts = kBusyDisk;
  facts.flash = true;
  facts.svctm_effect = 0.4;
  facts.slowdown = 1.4;
  const auto degree = [&] {
    return GateDegree(Against(0.16, "await", 0.1), 3, testing::Metric("await"), preset, facts)
        .degree;
  };
  EXPECT_EQ(degree(), 0);
  facts.timed_flash = true;
  EXPECT_GT(degree(), 1);
  facts.svctm_effect = 0.28;
  facts.slowdown = 1.28;
  EXPECT_LT(degree(), 1);
  facts.svctm_effect = 0.4;
  preset.service_time = ServiceTime::kRequest;
  EXPECT_EQ(degree(), 0) << "nothing known of the device's time for its work";
}

TEST(Gates, WhoServesTheMostNeedsAThirdMoreOfItsDevicesTime) {
  auto facts = kBusyDisk;
  facts.svctm_effect = 0.3;
  EXPECT_GT(AwaitDegree(30, facts), 1);
  facts.busiest = true;
  EXPECT_LT(AwaitDegree(30, facts), 1);
}

// Chunks on single servers: queues differ so much from moment to moment that await proves nothing.
TEST(Gates, TwiceAsLongForTheSameWorkIsEnoughByItself) {
  SampleSet set;
  for (int server = 0; server < 4; ++server) {
    std::vector<double> samples;
    for (int i = 0; i < 64; ++i) {
      samples.push_back((i % 2 == 0 ? 100 : 900) + (server == 3 ? 150 : 0));
    }
    set.Add(samples);
  }
  auto preset = BarePreset();
  preset.service_time = ServiceTime::kDevice;
  const auto comparison = testing::ComparePeers(set, "await", preset);
  auto facts = kBusyDisk;
  facts.svctm_effect = 1;
  const auto degree = [&] {
    return GateDegree(comparison, 3, testing::Metric("await"), preset, facts).degree;
  };
  EXPECT_LT(degree(), 1) << "by its service time alone it is not known";
  facts.slowdown = 2;
  EXPECT_DOUBLE_EQ(degree(), 4);
  facts.slowdown = 1.2;
  EXPECT_LT(degree(), 1);
  facts.slowdown = 1.3;
  EXPECT_GT(degree(), 1);
  facts.slowdown_scatter = 0.15;
  EXPECT_LT(degree(), 1) << "its peers are as far apart";
  facts.slowdown_scatter = 0.02;
  facts.busiest = true;
  EXPECT_LT(degree(), 1);
  EXPECT_EQ(GateDegree(comparison, 0, testing::Metric("await"), preset, facts).degree, 0)
      << "nobody waits longer for it";
  EXPECT_FALSE(GatedBoundSuffices(comparison, 3, testing::Metric("await"), preset, kBusyDisk, 1))
      << "a bound of s says nothing of it";
}

TEST(Gates, AFastDiskIsNotJudgedByItsLatency) {
  EXPECT_EQ(
      GateDegree(Against(4.9, "await", 1), 3, testing::Metric("await"), BarePreset(), kBusyDisk)
          .degree,
      0);
  auto flash = kBusyDisk;
  flash.flash = true;
  EXPECT_GT(
      GateDegree(Against(4.9, "await", 1), 3, testing::Metric("await"), BarePreset(), flash).degree,
      1);
}

TEST(Gates, AFewRequestsProveNothing) {
  auto facts = kBusyDisk;
  facts.requests = 29.9;
  EXPECT_EQ(AwaitDegree(30, facts), 0);
  facts.requests = 30;
  EXPECT_GT(AwaitDegree(30, facts), 1);
}

TEST(Gates, LowLatencyIsNoFault) {
  const auto comparison = Against(6);
  EXPECT_EQ(GateDegree(comparison, 3, testing::Metric("await"), BarePreset(), kBusyDisk).degree, 0);
  auto either_way = BarePreset();
  either_way.hog_direction = false;
  EXPECT_GT(GateDegree(comparison, 3, testing::Metric("await"), either_way, kBusyDisk).degree, 0);
}

TEST(Gates, AwaitNeedsAHighServiceTimeBesideIt) {
  auto facts = kBusyDisk;
  facts.svctm_effect = 0.05;
  EXPECT_DOUBLE_EQ(AwaitDegree(30, facts), 0.2);
  facts.svctm_effect = 0;
  EXPECT_EQ(AwaitDegree(30, facts), 0);
  facts.svctm_effect.reset();
  EXPECT_GT(AwaitDegree(30, facts), 1) << "the source has no busy time";
}

TEST(Gates, TheServiceTimeGateHasFourSettings) {
  auto preset = BarePreset();
  auto facts = kBusyDisk;
  facts.svctm_effect = 0;
  preset.svctm_gate = SvctmGate::kOff;
  EXPECT_GT(AwaitDegree(30, facts, preset), 1);
  preset.svctm_gate = SvctmGate::kBusy;
  EXPECT_EQ(AwaitDegree(30, facts, preset), 0);
  facts.mean_util = 89;
  EXPECT_GT(AwaitDegree(30, facts, preset), 1);
  preset.svctm_gate = SvctmGate::kEither;
  EXPECT_EQ(AwaitDegree(30, facts, preset), 0);
  EXPECT_GT(AwaitDegree(200, facts, preset), 1) << "an effect over 10 speaks for itself";
}

TEST(Gates, TheServiceTimeGateMayBeOffWhereBusyTimeIsCapped) {
  auto preset = BarePreset();
  preset.svctm_gate = SvctmGate::kUncapped;
  auto facts = kBusyDisk;
  facts.svctm_effect = 0;
  facts.least_util = 98;  // a striped closed loop
  EXPECT_EQ(AwaitDegree(30, facts, preset), 0);
  facts.least_util = 100;
  EXPECT_GT(AwaitDegree(30, facts, preset), 1);
  facts.least_util = 70;
  facts.busy_within_limit = true;
  EXPECT_GT(AwaitDegree(30, facts, preset), 1) << "its own is capped, the peers' is not";
  facts.busiest = true;
  EXPECT_LT(AwaitDegree(14, facts, preset), 1) << "more load, a longer wait";
  EXPECT_GT(AwaitDegree(30, facts, preset), 1);
  preset.svctm_gate = SvctmGate::kAlways;
  EXPECT_EQ(AwaitDegree(30, facts, preset), 0);
}

TEST(Gates, TheKernelsClockCountsAlsoWhereBusyTimeIsCapped) {
  auto preset = BarePreset();
  preset.svctm_gate = SvctmGate::kUncapped;
  auto facts = kBusyDisk;
  facts.svctm_effect = 0;
  facts.least_util = 100;
  facts.device_time = DeviceTime{.mean = 30, .peer_median = 10, .slowdown = 1, .decides = true};
  EXPECT_EQ(AwaitDegree(30, facts, preset), 0);
  facts.svctm_effect = 1;
  EXPECT_GT(AwaitDegree(30, facts, preset), 1);
}

TEST(Gates, ThroughputNeedsAMebibyteMoreThanItsPeers) {
  EXPECT_EQ(
      GateDegree(Against(2000, "rd_sec", 0), 3, testing::Metric("rd_sec"), BarePreset(), {}).degree,
      0);
  EXPECT_GT(
      GateDegree(Against(4096, "rd_sec", 0), 3, testing::Metric("rd_sec"), BarePreset(), {}).degree,
      1);
  EXPECT_EQ(
      GateDegree(Against(0, "rd_sec", 9000), 3, testing::Metric("rd_sec"), BarePreset(), {}).degree,
      0);
}

TEST(Gates, OneDirectionOfTheNetworkOpensTheGateForBoth) {
  GateFacts facts;
  facts.mean_difference = 2'000'000;
  const auto comparison = Against(5000, "rxbyt", 1000);
  EXPECT_GT(GateDegree(comparison, 3, testing::Metric("rxbyt"), BarePreset(), facts).degree, 1);
  facts.mean_difference = 1'000'000;
  EXPECT_EQ(GateDegree(comparison, 3, testing::Metric("rxbyt"), BarePreset(), facts).degree, 0);
}

TEST(Gates, NothingToDivideByIsLargeButFinite) {
  const auto degree = GateDegree(Against(5, "tps", 0), 3, testing::Metric("tps"), BarePreset(), {});
  EXPECT_TRUE(std::isfinite(degree.effect));
  EXPECT_TRUE(std::isfinite(degree.degree));
  EXPECT_GT(degree.degree, 1e100);
  EXPECT_EQ(GateDegree(Against(0, "tps", 0), 3, testing::Metric("tps"), BarePreset(), {}).degree,
            0);
}

}  // namespace
}  // namespace limpet::gates_test
