// A reboot deals out the names of disks anew: a name is not the disk.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "diagnoser/pipeline/pipeline.h"
#include "tests/support/disk_fleet.h"
#include "tests/support/property.h"

namespace limpet::disk_identity_test {
namespace {

using ::testing::Contains;
using testing::DiskFleet;
using testing::FeedFleet;
using testing::FleetDisk;
using testing::FleetPages;
using testing::FleetSaid;
using testing::FleetServer;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;

constexpr std::int64_t kStart = 1'700'000'000;

// Windows of 20 s every 10, flagged after two.
PresetSettings Quick() {
  auto preset = DefaultPreset();
  preset.name = "quick";
  preset.smoothing = 1;
  preset.window = 20;
  preset.shift = 10;
  preset.k = 2;
  preset.device_kinds = true;
  return preset;
}

// As the comments of the configuration advise.
PipelineConfig ByName() {
  PipelineConfig config;
  config.presets = {Quick()};
  config.groups = {{.name = "system", .device = "^sda$"}, {.name = "data", .device = "^sd[b-z]$"}};
  return config;
}

// What tells its disks from each other, whatever they are called.
enum class Known { kWwn, kSerial };

// sda is quiet and slow, the others are busy.
FleetServer Server(int number, int data, Known known) {
  FleetServer server{.name = fmt::format("io{:02}", number), .disks = {}};
  for (int i = 0; i <= data; ++i) {
    FleetDisk disk{.device = std::string("sd") + static_cast<char>('a' + i)};
    if (i == 0) {
      disk.requests = 6;
      disk.bytes = 4096;
      disk.ms = 12;
      disk.swings = false;
    }
    (known == Known::kWwn ? disk.wwn : disk.serial) = fmt::format("{}-{}", number, i);
    server.disks.push_back(disk);
  }
  return server;
}

void DealNamesAnew(FleetServer& server, std::mt19937& random) {
  std::vector<std::string> names;
  for (const auto& disk : server.disks) {
    names.push_back(disk.device);
  }
  std::shuffle(names.begin(), names.end(), random);
  for (std::size_t i = 0; i < names.size(); ++i) {
    server.disks[i].device = names[i];
  }
}

TEST(DiskNames, ARebootThatSwapsThemNamesNobody) {
  for (const auto known : {Known::kWwn, Known::kSerial}) {
    for (const auto pages : {FleetPages::kLimpet, FleetPages::kNode}) {
      Pipeline pipeline(ByName());
      DiskFleet fleet;
      fleet.pages = pages;
      for (int i = 0; i < 5; ++i) {
        fleet.servers.push_back(Server(i, 1, known));
      }
      FleetSaid said;
      for (std::int64_t second = 0; second < 300; ++second) {
        if (second == 100) {
          auto& server = fleet.servers[2];
          fleet.Reboot(server, second);
          std::swap(server.disks[0].device, server.disks[1].device);
        }
        FeedFleet(fleet, pipeline, second, kStart, said);
      }
      EXPECT_THAT(said.named, IsEmpty()) << static_cast<int>(known);
    }
  }
}

TEST(DiskNames, ASlowDiskIsFoundUnderItsNewName) {
  Pipeline pipeline(ByName());
  DiskFleet fleet;
  for (int i = 0; i < 5; ++i) {
    fleet.servers.push_back(Server(i, 1, Known::kWwn));
  }
  fleet.slow = [](const FleetServer& server, const FleetDisk& disk, std::int64_t second) {
    return server.name == "io02" && disk.wwn == "2-1" && second > 150 ? 6.0 : 1.0;
  };
  FleetSaid said;
  for (std::int64_t second = 0; second < 300; ++second) {
    if (second == 100) {
      auto& server = fleet.servers[2];
      fleet.Reboot(server, second);
      std::swap(server.disks[0].device, server.disks[1].device);
    }
    FeedFleet(fleet, pipeline, second, kStart, said);
  }
  EXPECT_THAT(said.named, Contains(Key("io02/sda")));
  EXPECT_THAT(said.named, Not(Contains(Key("io02/sdb"))));
}

TEST(DiskNames, AnotherDiskInTheSameSlotStartsAnew) {
  Pipeline pipeline(ByName());
  DiskFleet fleet;
  for (int i = 0; i < 5; ++i) {
    fleet.servers.push_back(Server(i, 1, Known::kSerial));
  }
  fleet.slow = [](const FleetServer&, const FleetDisk& disk, std::int64_t) {
    return disk.serial == "2-1" ? 6.0 : 1.0;
  };
  FleetSaid said;
  std::int64_t second = 0;
  for (; second < 100; ++second) {
    FeedFleet(fleet, pipeline, second, kStart, said);
  }
  EXPECT_THAT(said.named, Contains(Key("io02/sdb")));
  fleet.servers[2].disks[1].serial = "new";
  fleet.Reboot(fleet.servers[2], second);
  said = {};
  for (; second < 200; ++second) {
    FeedFleet(fleet, pipeline, second, kStart, said);
  }
  EXPECT_THAT(said.named, IsEmpty());
  for (const auto& component : pipeline.View().components) {
    if (component.node == "io02" && component.device == "sdb") {
      EXPECT_EQ(component.accumulator, 0U) << component.metric;
    }
  }
}

// Whatever names change hands, nobody is named.
RC_GTEST_PROP(DiskNames, WhateverChangesHandsNobodyIsNamed, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  const auto pick = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<std::uint32_t>(most - least + 1));
  };
  Pipeline pipeline(ByName());
  DiskFleet fleet;
  fleet.seed = seed;
  fleet.pages = pick(0, 1) == 0 ? FleetPages::kLimpet : FleetPages::kNode;
  const auto known = static_cast<Known>(pick(0, 1));
  const int data = pick(1, 3);
  for (int i = 0, servers = pick(3, 5); i < servers; ++i) {
    fleet.servers.push_back(Server(i, data, known));
  }
  FleetSaid said;
  for (std::int64_t second = 0; second < 140; ++second) {
    if (second > 20 && pick(0, 39) == 0) {
      auto& server = fleet.servers[random() % fleet.servers.size()];
      fleet.Reboot(server, second);
      DealNamesAnew(server, random);
    }
    FeedFleet(fleet, pipeline, second, kStart, said);
  }
  RC_ASSERT(said.named.empty());
}

}  // namespace
}  // namespace limpet::disk_identity_test
