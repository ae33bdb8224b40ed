#include "diagnoser/detect/wasserstein/wasserstein.h"

#include <gmock/gmock.h>

#include <cmath>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/detect/group_window.h"

namespace limpet::wasserstein_test {
namespace {

// Disks with constant await and service time, 1000 requests a window each.
struct Disks {
  Disks(const std::vector<double>& await, const std::vector<double>& svctm) {
    const auto metrics = Metrics(GroupKind::kStorage);
    for (std::size_t i = 0; i < await.size(); ++i) {
      const auto name = std::to_string(i);
      members.push_back({.name = name, .node = name, .device = {}, .entities = {}});
      auto& own = samples.emplace_back();
      own.requests = 1000;
      for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
        const double value = metric == Index(DiskMetric::kAwait)         ? await[i]
                             : metric == Index(DiskMetric::kServiceTime) ? svctm[i]
                                                                         : 1;
        own.metrics.Add(std::vector<double>(64, value));
      }
    }
  }
  [[nodiscard]] GroupWindow Compare(const PresetSettings& preset,
                                    const MemberBoundWillDo& bound_will_do = nullptr) const {
    return CompareGroup({.end = UnixFromSeconds(1'700'000'000),
                         .metrics = Metrics(GroupKind::kStorage),
                         .members = members,
                         .samples = samples},
                        preset, WassersteinDetector(preset), bound_will_do);
  }
  std::vector<Member> members;
  std::vector<MemberSamples> samples;
};

double AwaitDegree(const GroupWindow& window, std::size_t member) {
  const auto found = window.Find(Index(DiskMetric::kAwait), member);
  return found.comparison->degree[found.component];
}

TEST(Wasserstein, AwaitCountsAsFarAsServiceTimeBearsItOut) {
  const auto preset = BarePreset();
  EXPECT_GT(AwaitDegree(Disks({10, 10, 10, 40}, {8, 8, 8, 32}).Compare(preset), 3), 1);
  // 10 % more service time: 0.1 / 0.25.
  EXPECT_DOUBLE_EQ(AwaitDegree(Disks({10, 10, 10, 40}, {10, 10, 10, 11}).Compare(preset), 3), 0.4);
  EXPECT_EQ(AwaitDegree(Disks({10, 10, 10, 40}, {8, 8, 8, 6}).Compare(preset), 3), 0);
}

TEST(Wasserstein, ADegreeThatRestsOnABoundIsABound) {
  auto preset = BarePreset();
  preset.exact_up_to = 2;
  const Disks disks({10, 10, 10, 40}, {8, 8, 8, 8});
  // Only service time may stay a bound.
  const auto window =
      disks.Compare(preset, [](std::size_t metric, std::size_t, const Comparison&, std::size_t) {
        return metric == Index(DiskMetric::kServiceTime);
      });
  EXPECT_TRUE(window.IsBound(Index(DiskMetric::kServiceTime), 3));
  EXPECT_TRUE(window.IsBound(Index(DiskMetric::kAwait), 3));
}

TEST(Wasserstein, FarIsTheDistanceThatWouldMakeItAnomalous) {
  const auto preset = BarePreset();
  const WassersteinDetector detector(preset);
  const auto window = Disks({10, 10, 10, 40}, {8, 8, 8, 32}).Compare(preset);
  SampleSet set;
  for (const double await : {10, 10, 10, 40}) {
    set.Add(std::vector<double>(64, await));
  }
  const auto& comparison = *window.Find(Index(DiskMetric::kAwait), 3).comparison;
  const auto distances = detector.Explain({.metric = &RowFor(DiskMetric::kAwait), .samples = &set},
                                          comparison, 3, 1.0);
  EXPECT_THAT(distances.to, ::testing::ElementsAre(30, 30, 30, 0));
  EXPECT_DOUBLE_EQ(distances.far, 2.5);  // a quarter of the peers' 10 ms; z allows 0.6
  // Who is where its peers are has no such distance.
  EXPECT_TRUE(std::isinf(
      detector.Explain({.metric = &RowFor(DiskMetric::kAwait), .samples = &set}, comparison, 0, 1.0)
          .far));
}

TEST(Wasserstein, ABoundOfServiceTimeMustNotOpenTheGateOfAwait) {
  const auto preset = BarePreset();
  const WassersteinDetector detector(preset);
  const Disks disks({10, 10, 10, 40}, {8, 8, 8, 9});
  auto comparison = *disks.Compare(preset).Find(Index(DiskMetric::kServiceTime), 3).comparison;
  comparison.median_iqr = 100;  // z is small: its own degree stays under the threshold
  const Candidate candidate{
      .member = &disks.members[3], .samples = &disks.samples[3], .threshold = 1};
  const auto& svctm = RowFor(DiskMetric::kServiceTime);
  comparison.s[3] = 1.9;  // effect 0.24
  EXPECT_TRUE(detector.BoundSuffices(svctm, comparison, 3, candidate));
  comparison.s[3] = 2.1;
  EXPECT_FALSE(detector.BoundSuffices(svctm, comparison, 3, candidate));
}

}  // namespace
}  // namespace limpet::wasserstein_test
