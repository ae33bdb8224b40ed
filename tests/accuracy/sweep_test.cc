// What a sweep changes, and what its cells count.
#include "tests/accuracy/sweep.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "diagnoser/detect/default_presets.h"

namespace limpet::accuracy::sweep_test {
namespace {

TEST(Sweep, FirstVariantIsThePapersOwn) {
  EXPECT_EQ(WithVariant({TestbenchPreset()}, Variants().front()), std::vector{TestbenchPreset()});
}

TEST(Sweep, EachVariantHasANameOfItsOwn) {
  std::set<std::string> names;
  for (const auto& variant : Variants()) {
    for (const auto& preset : WithVariant(DefaultPresets(), variant)) {
      EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    }
  }
  EXPECT_EQ(names.size(), Variants().size() * DefaultPresets().size());
}

TEST(Sweep, TestbenchGetsThePapersNumber) {
  const std::vector before = {TestbenchPreset()};
  EXPECT_EQ(WithVariant(before, {"WinSize", 48}).front().window, 48U);
  EXPECT_EQ(WithVariant(before, {"WinShift", 16}).front().shift, 16U);
  EXPECT_EQ(WithVariant(before, {"k", 7}).front().k, 7U);
  EXPECT_EQ(WithVariant(before, {"smoothing", 9}).front().smoothing, 9U);
  EXPECT_EQ(WithVariant(before, {"threshold scale", 1}).front().threshold_factor, 0.5);
}

TEST(Sweep, TimeScalesFollowTheirPreset) {
  const auto halved = WithVariant(DefaultPresets(), {"WinSize", 32});
  for (std::size_t i = 0; i < halved.size(); ++i) {
    EXPECT_EQ(halved[i].window, DefaultPresets()[i].window / 2);
    if (halved[i].IsScale()) {
      EXPECT_EQ(halved[i].scale_of.preset, "default, WinSize 32");
    }
  }
}

TEST(Sweep, CellCountsFaultsAndFaultFreeRunsApart) {
  RunResult found{.key = {.fault = simulator::Fault::kDiskHog}, .faulty = "io04", .sick = {"io04"}};
  found.indictments.push_back(
      {.preset = "p", .at = 235, .node = "io04", .cause = Cause::kDiskHog, .degree = 2});
  RunResult calm = found;
  calm.key.fault.reset();
  calm.faulty.clear();
  EXPECT_EQ(SweepCell(std::vector{found, calm}, "p"), "100/0/100/0, 100 s; 100");
  EXPECT_EQ(SweepCell(std::vector{found}, "another"), "0/0/0/0, –; 0");
}

}  // namespace
}  // namespace limpet::accuracy::sweep_test
