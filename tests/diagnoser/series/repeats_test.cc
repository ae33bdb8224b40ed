#include "diagnoser/series/repeats.h"

#include <gmock/gmock.h>

#include <cmath>

#include "diagnoser/metrics/missing.h"

namespace limpet::repeats_test {
namespace {

using ::testing::ElementsAre;

constexpr std::size_t kSteps = 30;

// About `mean` a step, up and down by a third, otherwise at every `seed`.
DeviceBytes Traffic(double in, double out, double seed, bool doubtful = true) {
  DeviceBytes device{.in = {}, .out = {}, .doubtful = doubtful};
  for (std::size_t i = 0; i < kSteps; ++i) {
    const double at = static_cast<double>(i) * seed;
    device.in.push_back(in * (1 + 0.3 * std::sin(at)));
    device.out.push_back(out * (1 + 0.3 * std::cos(1.3 * at)));
  }
  return device;
}

DeviceBytes Sum(const DeviceBytes& a, const DeviceBytes& b, double share = 1) {
  auto sum = a;
  sum.doubtful = true;
  for (std::size_t i = 0; i < kSteps; ++i) {
    sum.in[i] = share * (a.in[i] + b.in[i]);
    sum.out[i] = share * (a.out[i] + b.out[i]);
  }
  return sum;
}

TEST(Repeats, ABondOfAnyNameIsTheSumOfItsMembers) {
  const auto one = Traffic(50e6, 90e6, 1);
  const auto two = Traffic(40e6, 20e6, 2.2);
  EXPECT_THAT(FindRepeats(std::vector{one, Sum(one, two), two}), ElementsAre(false, true, false));
}

TEST(Repeats, ALayerCountsNoHeaders) {
  const auto card = Traffic(50e6, 90e6, 1);
  const auto none = Traffic(0, 0, 1);
  EXPECT_THAT(FindRepeats(std::vector{card, Sum(card, none, 0.95)}), ElementsAre(false, true));
  EXPECT_THAT(FindRepeats(std::vector{card, Sum(card, none, 0.8)}), ElementsAre(false, false));
  EXPECT_THAT(FindRepeats(std::vector{card, Sum(card, none, 1.1)}), ElementsAre(false, false));
}

TEST(Repeats, AcknowledgmentsAreMostlyHeaders) {
  auto card = Traffic(2e6, 90e6, 1);
  auto vlan = card;
  for (auto& step : vlan.in) {
    step *= 0.7;
  }
  EXPECT_THAT(FindRepeats(std::vector{card, vlan}), ElementsAre(true, false));
}

TEST(Repeats, TheSameMeanIsNotTheSameTraffic) {
  EXPECT_THAT(FindRepeats(std::vector{Traffic(50e6, 50e6, 1), Traffic(50e6, 50e6, 1.4)}),
              ElementsAre(false, false));
}

TEST(Repeats, CardsAreNeverLayers) {
  const auto card = Traffic(50e6, 50e6, 1, false);
  EXPECT_THAT(FindRepeats(std::vector{card, card}), ElementsAre(false, false));
}

TEST(Repeats, AChainCountsOnce) {
  const auto card = Traffic(50e6, 90e6, 1);
  const auto repeats = FindRepeats(std::vector{card, card, card});
  EXPECT_EQ(std::count(repeats.begin(), repeats.end(), false), 1);
}

TEST(Repeats, MirrorsWriteTheSameAndAreTwoDisks) {
  const auto disk = Traffic(0, 50e6, 1);
  EXPECT_THAT(FindRepeats(std::vector{disk, disk}), ElementsAre(false, false));
  auto known = disk;
  known.doubtful = false;
  EXPECT_THAT(FindRepeats(std::vector{disk, known}), ElementsAre(true, false))
      << "of a volume over a disk";
}

TEST(Repeats, WhatIsIdleOrUnknownRepeatsNothing) {
  const auto idle = Traffic(0, 0, 1);
  EXPECT_THAT(FindRepeats(std::vector{idle, idle}), ElementsAre(false, false));
  auto unknown = Traffic(50e6, 90e6, 1);
  const auto card = unknown;
  std::fill(unknown.in.begin() + 4, unknown.in.end(), kMissing);
  std::fill(unknown.out.begin() + 4, unknown.out.end(), kMissing);
  EXPECT_THAT(FindRepeats(std::vector{card, unknown}), ElementsAre(false, false));
  EXPECT_THAT(FindRepeats({}), ElementsAre());
}

}  // namespace
}  // namespace limpet::repeats_test
