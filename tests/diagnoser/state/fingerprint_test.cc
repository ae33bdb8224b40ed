// The numbers were printed by version 0.1.0 (32f87b4): what it saved must be found again. They may
// change only together with the version of the state file (diagnoser/state/format.md).
#include "diagnoser/state/fingerprint.h"

#include <gtest/gtest.h>

#include <chrono>

#include "diagnoser/detect/default_presets.h"

namespace limpet::fingerprint_test {
namespace {

using namespace std::chrono_literals;

PresetSettings EverythingChanged() {
  auto preset = ProductionPreset();
  preset.name = "mine";
  preset.step = 500ms;
  preset.smoothing = 3;
  preset.window = 20;
  preset.shift = 7;
  preset.k = 2;
  preset.iqr = IqrKind::kWithin;
  preset.svctm_gate = SvctmGate::kEither;
  preset.scatter = Scatter::kResiduals;
  preset.latency_floor_flash = 0.125;
  preset.noise_floor_relative = 0.1;
  preset.max_gap = 9s;
  preset.noise_floor = {{"await", 2.5}, {"rd_sec", 1e6}, {"a;b]=1", 1e-7}};
  preset.default_threshold = 7;
  preset.rho = 4;
  return preset;
}

TEST(Fingerprint, IsThatOfTheLastVersion) {
  EXPECT_EQ(Fingerprint(TestbenchPreset()), 17786850653297192031U);
  EXPECT_EQ(Fingerprint(ProductionPreset()), 11528786299563176617U);
  EXPECT_EQ(Fingerprint(BarePreset()), 15070206004649496821U);
  // 7914937952257589405 before docs/decisions/0151: other windows, other filters;
  // 13103901952122374434 before 0182: another gate.
  EXPECT_EQ(Fingerprint(SlowBarePreset()), 16787339467592659526U);
  EXPECT_EQ(Fingerprint(EverythingChanged()), 14109636643738770485U);
}

TEST(Fingerprint, OfAGroupIsThatOfTheLastVersion) {
  const PeerGroupRule disks{.name = "disks", .roles = {"server"}, .device = "^sd"};
  const PeerGroupRule windows{.name = "windows",
                              .kind = GroupKind::kCwnd,
                              .labels = {{.name = "rack", .regex = "r1"}},
                              .ports = {2049, 5000}};
  EXPECT_EQ(Fingerprint(BarePreset(), disks), 8607210651904564763U);
  EXPECT_EQ(Fingerprint(EverythingChanged(), windows), 12663187108895352685U);
}

TEST(Fingerprint, DoesNotHangOnWhatMayBeTuned) {
  auto tuned = DefaultPreset();
  tuned.name = "other";
  tuned.scatter = Scatter::kResiduals;
  tuned.hog_direction = false;
  tuned.exact_up_to = 2;
  tuned.domain_size = 100;
  tuned.ranking = false;
  tuned.rho = 9;
  tuned.default_threshold = 9;
  tuned.default_thresholds["await"] = 9;
  tuned.training_scale = 9;
  tuned.cwnd_f = 0.6;
  tuned.hourly_top = 9;
  EXPECT_EQ(Fingerprint(tuned), Fingerprint(DefaultPreset()));
}

}  // namespace
}  // namespace limpet::fingerprint_test
