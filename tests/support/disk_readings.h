// disk_readings.h: the readings of four disks as members of a group, for tests of a preset's run
// without pages.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/evidence/windows/preset_run.h"

namespace limpet::testing {

// Windows of 20 s every 10, flagged at once.
inline PresetSettings QuickPreset() {
  auto preset = DefaultPreset();
  preset.name = "quick";
  preset.smoothing = 1;
  preset.window = 20;
  preset.shift = 10;
  preset.k = 1;
  return preset;
}

// sdb of a to d from second 1000 to 1060, by default the last one four times as slow as its peers.
struct FourDisks {
  explicit FourDisks(const std::array<double, 4>& slowness = {1, 1, 1, 4}) {
    members.emplace_back();
    for (std::uint32_t disk = 0; disk < 4; ++disk) {
      const std::string node(1, static_cast<char>('a' + disk));
      members[0].members.push_back(
          {.name = node + "/sdb", .node = node, .device = "sdb", .entities = {disk}});
      for (int second = 0; second <= 60; ++second) {
        const double busy = second * slowness[disk];
        Add(disk, DiskCounter::kReads, second, 100.0 * second);
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
    (void)readings.Add(field, disk, UnixFromSeconds(1000 + second), value);
  }
  // Of a run with one group.
  std::vector<Event> Close(PresetRun& run, std::int64_t end) {
    return run.Close(UnixFromSeconds(end), members, directory, {}, readings);
  }

  Readings readings{std::vector<GridSpec>(1)};
  std::vector<GroupMembers> members;
  Directory directory{std::vector<Rule>()};
};

}  // namespace limpet::testing
