#include "diagnoser/detect/group_window.h"

#include <gmock/gmock.h>

#include <cstddef>
#include <functional>

#include "diagnoser/detect/detectors.h"

namespace limpet::group_window_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Servers s0, s1, … whose four network metrics are constant; `count` samples each.
struct Servers {
  explicit Servers(const std::vector<double>& values, std::size_t count = 64) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto name = "s" + std::to_string(i);
      members.push_back({.name = name, .node = name, .device = {}, .entities = {}});
      samples.emplace_back();
      for (std::size_t metric = 0; metric < Metrics(GroupKind::kNetwork).size(); ++metric) {
        samples.back().metrics.Add(std::vector<double>(count, values[i]));
      }
    }
  }
  [[nodiscard]] GroupSamples Group() const {
    return {.end = UnixFromSeconds(1'700'000'000),
            .metrics = Metrics(GroupKind::kNetwork),
            .members = members,
            .samples = samples};
  }
  std::vector<Member> members;
  std::vector<MemberSamples> samples;
};

GroupWindow Compare(const Servers& servers, const PresetSettings& preset,
                    const MemberBoundWillDo& bound_will_do = nullptr) {
  return CompareGroup(servers.Group(), preset, *MakeDetector(preset), bound_will_do);
}

TEST(GroupWindow, ComparesAndGradesEveryMetric) {
  const auto window = Compare(Servers({1e6, 1e6, 9e6}), DefaultPreset());
  ASSERT_THAT(window.windows, SizeIs(Metrics(GroupKind::kNetwork).size()));
  const auto [received, place] = window.Find(0, 2);
  ASSERT_NE(received, nullptr);
  EXPECT_EQ(received->s[place], 8e6);
  EXPECT_DOUBLE_EQ(received->effect[place], 8);
  EXPECT_DOUBLE_EQ(received->degree[place], 32);  // 8 / 0.25
  EXPECT_FALSE(window.IsBound(0, 2));
}

// Two healthy servers with two disks each were both named.
TEST(GroupWindow, AServersOwnComponentsAreNoPeersOfItsOthers) {
  Servers servers({1e6, 9e6, 1e6, 9e6});
  for (std::size_t i = 0; i < 4; ++i) {
    servers.members[i].node = i < 2 ? "a" : "b";
  }
  for (const auto& window : Compare(servers, DefaultPreset()).windows) {
    EXPECT_TRUE(window.comparison.undetermined);
    EXPECT_THAT(window.comparison.mean, SizeIs(4));
  }
  servers.members[3].node = "c";
  for (const auto& window : Compare(servers, DefaultPreset()).windows) {
    EXPECT_FALSE(window.comparison.undetermined);
  }
}

TEST(GroupWindow, MetricsAreComparedInAnyOrder) {
  const auto backwards = [](std::size_t count, const std::function<void(std::size_t)>& body) {
    for (std::size_t i = count; i-- > 0;) {
      body(i);
    }
  };
  const Servers servers({1e6, 3e6, 9e6, 2e6});
  const auto preset = DefaultPreset();
  const auto detector = MakeDetector(preset);
  const auto forwards = Compare(servers, preset);
  const auto other = CompareGroup(servers.Group(), preset, *detector, nullptr, backwards);
  ASSERT_EQ(other.windows.size(), forwards.windows.size());
  for (std::size_t i = 0; i < other.windows.size(); ++i) {
    EXPECT_EQ(other.windows[i].metric, forwards.windows[i].metric);
    EXPECT_EQ(other.windows[i].comparison.s, forwards.windows[i].comparison.s);
    EXPECT_EQ(other.windows[i].comparison.degree, forwards.windows[i].comparison.degree);
  }
}

TEST(GroupWindow, HistogramsAreGradedByTheirDistance) {
  const auto window = Compare(Servers({1e6, 1e6, 9e6}), TestbenchPreset());
  const auto& comparison = window.windows.front().comparison;
  EXPECT_EQ(comparison.degree, comparison.s);
  EXPECT_THAT(comparison.effect, IsEmpty());
}

TEST(GroupWindow, AFifthOfAWindowMayBeMissing) {
  Servers servers({1, 2, 3});
  servers.samples[1] = Servers({2}, 52).samples[0];  // ceil(0.8 * 64)
  EXPECT_THAT(Compare(servers, DefaultPreset()).windows.front().who, ElementsAre(0, 1, 2));
  servers.samples[1] = Servers({2}, 51).samples[0];
  const auto window = Compare(servers, DefaultPreset());
  EXPECT_THAT(window.windows.front().who, ElementsAre(0, 2));
  EXPECT_TRUE(window.windows.front().comparison.undetermined);
  EXPECT_EQ(window.Find(0, 1).comparison, nullptr);
}

TEST(GroupWindow, LargeGroupsAreDealtIntoDomains) {
  auto preset = DefaultPreset();
  preset.domain_size = 3;
  const auto window = Compare(Servers({1, 2, 3, 4, 5, 6, 7}), preset);
  ASSERT_THAT(window.windows, SizeIs(2 * Metrics(GroupKind::kNetwork).size()));  // two domains
  EXPECT_EQ(window.windows[0].domain, 0U);
  EXPECT_EQ(window.windows[1].domain, 1U);
  EXPECT_EQ(window.windows[0].who.size() + window.windows[1].who.size(), 7U);
}

TEST(GroupWindow, BoundsAreAskedAboutInLargeGroupsOnly) {
  auto preset = DefaultPreset();
  std::vector<std::size_t> asked;
  const auto will_do = [&](std::size_t metric, std::size_t member, const Comparison&, std::size_t) {
    if (metric == 0) {
      asked.push_back(member);
    }
    return true;
  };
  const Servers servers({1e6, 1e6, 1e6, 9e6});
  preset.exact_up_to = 4;
  (void)Compare(servers, preset, will_do);
  EXPECT_THAT(asked, IsEmpty());
  preset.exact_up_to = 3;
  const auto window = Compare(servers, preset, will_do);
  EXPECT_THAT(asked, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(window.windows.front().comparison.is_bound, Each(true));
}

}  // namespace
}  // namespace limpet::group_window_test
