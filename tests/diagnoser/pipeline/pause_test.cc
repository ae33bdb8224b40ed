// A pause of the diagnoser itself: nobody is read, so nobody has recovered.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "diagnoser/pipeline/pipeline.h"
#include "tests/support/disk_fleet.h"

namespace limpet::pause_test {
namespace {

using testing::DiskFleet;
using testing::FleetDisk;
using testing::FleetServer;
using ::testing::IsEmpty;

constexpr std::int64_t kStart = 1'700'000'000;
constexpr std::int64_t kBegin = 60;  // of the pause
constexpr std::int64_t kWell = 4;
constexpr std::int64_t kLength = 110;
const std::string kSick = "d";

// Windows so short that a pause of some seconds empties them.
PresetSettings Quick() {
  PresetSettings preset;
  preset.name = "quick";
  preset.smoothing = 2;
  preset.window = 8;
  preset.shift = 4;
  preset.k = 2;
  preset.max_gap = std::chrono::seconds(8);
  preset.doubt_readings = true;
  return preset;
}

// The sick disk does its work as fast as the others for some seconds.
DiskFleet Fleet(std::int64_t well_from) {
  DiskFleet fleet;
  for (const auto* const name : {"a", "b", "c", "d", "e", "f"}) {
    fleet.servers.push_back({.name = name, .disks = {FleetDisk{.device = "sda", .ms = 8}}});
  }
  fleet.slow = [well_from](const FleetServer& server, const FleetDisk& /*disk*/,
                           std::int64_t second) {
    const bool well = second >= well_from && second < well_from + kWell;
    return server.name == kSick && !well ? 1.42 : 1.0;
  };
  return fleet;
}

struct Pause {
  std::int64_t seconds = 0;
  std::int64_t well_from = 0;
  std::string silent = {};  // does not answer from shortly before until after it
};

bool IsNamed(const Pipeline& pipeline) {
  const auto view = pipeline.View();
  const auto is_sick = [](const auto& one) { return one.node == kSick; };
  return std::ranges::any_of(view.verdicts, is_sick) || std::ranges::any_of(view.unknown, is_sick);
}

// The seconds at which the sick server has no name, from the first one on.
std::vector<std::int64_t> SecondsWithoutName(const Pause& pause) {
  const auto end = kBegin + pause.seconds;
  auto fleet = Fleet(pause.well_from);
  Pipeline pipeline({.presets = {Quick()}, .groups = {{.name = "io"}}});
  std::vector<std::int64_t> without;
  for (std::int64_t second = 0; second < kLength; ++second) {
    const auto at = UnixFromSeconds(kStart + second);
    const bool stopped = second >= kBegin && second < end;
    for (const auto& server : fleet.servers) {
      const auto page = fleet.Page(server, second, kStart);
      const bool answers = server.name != pause.silent || second < kBegin - 3 || second > end + 3;
      if (!stopped && answers) {
        (void)pipeline.Ingest(
            {.source = server.name, .node = server.name, .role = "server", .at = at, .text = page});
      }
    }
    if (!stopped) {
      (void)pipeline.Advance(at);
      if (second > kBegin - 4 && !IsNamed(pipeline)) {
        without.push_back(second);
      }
    }
  }
  return without;
}

// A window in which a sick disk looks well ends no verdict, and so it is after a pause: that is no
// window in which it looked well, too. Windows end at multiples of 4 s; in one the disk is well for
// half of the time, in its neighbours for a quarter.
TEST(Pause, OfTheDiagnoserEndsNoVerdict) {
  for (const std::int64_t seconds : {9, 12, 17}) {
    for (auto well = kBegin + seconds / 4 * 4 + 2; well < kBegin + seconds + 30; well += 4) {
      for (const auto* const silent : {"", "a"}) {
        EXPECT_THAT(SecondsWithoutName({.seconds = seconds, .well_from = well, .silent = silent}),
                    IsEmpty())
            << seconds << " s, well from " << well << " on, silent: " << silent;
      }
    }
  }
}

}  // namespace
}  // namespace limpet::pause_test
