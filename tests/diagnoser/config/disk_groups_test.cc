// Peer groups that make themselves: what README's lines of configuration say of ordinary hardware.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <random>

#include "diagnoser/config/plan.h"
#include "diagnoser/pipeline/pipeline.h"
#include "tests/support/disk_fleet.h"
#include "tests/support/property.h"

namespace limpet::disk_groups_test {
namespace {

using ::testing::Contains;
using testing::DiskFleet;
using testing::FeedFleet;
using testing::FleetDisk;
using testing::FleetPages;
using testing::FleetSaid;
using testing::FleetServer;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;

constexpr std::int64_t kStart = 1'700'000'000;

// The servers of a fleet as targets, and nothing said of peer groups.
PipelineConfig Configure(const DiskFleet& fleet) {
  std::string text = "targets:\n";
  for (const auto& server : fleet.servers) {
    text += fmt::format("  - address: {}\n", server.name);
  }
  if (fleet.step >= 15) {
    text += "scrape: {interval: 15s}\n";
  }
  auto settings = ParseSettings(text, "diagnoser.yml", nullptr, ConfigUse::kDiagnose);
  EXPECT_TRUE(settings) << settings.error().Text();
  const auto targets = settings->fixed_targets;
  return MakePlan(*settings, targets).pipeline;
}

// What exporters tell of the disks.
enum class Told { kNothing, kIdentity, kMounts, kAll };

struct Hardware {
  int servers = 6;
  int data = 1;
  bool system = false;
  bool nvme = false;  // two of them beside the data disks
  Told told = Told::kAll;
  FleetPages pages = FleetPages::kLimpet;
};

void Describe(const Hardware& hardware, const std::string& server, bool system, FleetDisk& disk) {
  if (hardware.told == Told::kNothing) {
    return;
  }
  disk.serial = server + disk.device;
  disk.wwn = "0x5000" + disk.serial;
  if (hardware.told == Told::kIdentity) {
    return;
  }
  disk.mountpoint = system ? "/" : "/srv/" + disk.device;
  disk.size = system ? 240e9 : 8e12;
  if (hardware.told == Told::kAll) {
    disk.model = system ? "MZ7LH240" : "ST8000NM0055";
    disk.rotational = system || disk.device.starts_with("nvme") ? "0" : "1";
  }
}

DiskFleet Build(const Hardware& hardware) {
  DiskFleet fleet;
  fleet.pages = hardware.pages;
  for (int i = 1; i <= hardware.servers; ++i) {
    FleetServer server{.name = fmt::format("io{:02}", i), .disks = {}};
    const auto add = [&](const std::string& name, double requests, double bytes, double ms) {
      FleetDisk disk{.device = name, .requests = requests, .bytes = bytes, .ms = ms};
      const bool system = requests < 10;
      disk.swings = !system;
      Describe(hardware, server.name, system, disk);
      server.disks.push_back(disk);
    };
    char next = 'a';
    if (hardware.system) {
      add(fmt::format("sd{}", next++), 4, 8192, 1.5);
    }
    for (int disk = 0; disk < hardware.data; ++disk) {
      add(fmt::format("sd{}", next++), 60, 131072, 6);
    }
    for (int disk = 0; disk < (hardware.nvme ? 2 : 0); ++disk) {
      add(fmt::format("nvme{}n1", disk), 800, 16384, 0.2);
    }
    fleet.servers.push_back(server);
  }
  return fleet;
}

// Every kind of hardware, as both exporters may tell of it.
std::vector<Hardware> Matrix() {
  std::vector<Hardware> all;
  for (const auto told : {Told::kNothing, Told::kIdentity, Told::kMounts, Told::kAll}) {
    for (const auto pages : {FleetPages::kLimpet, FleetPages::kNode}) {
      for (const int data : {1, 2, 12}) {
        for (const bool system : {false, true}) {
          all.push_back({.data = data, .system = system, .told = told, .pages = pages});
        }
      }
    }
  }
  all.push_back({.data = 24, .system = true});
  all.push_back({.data = 4, .system = true, .nvme = true});
  all.push_back({.servers = 3, .data = 2, .system = true});
  return all;
}

std::string Text(const Hardware& one) {
  return fmt::format("{} servers, {} data disks, system {}, nvme {}, told {}, pages {}",
                     one.servers, one.data, one.system, one.nvme, static_cast<int>(one.told),
                     static_cast<int>(one.pages));
}

FleetSaid Diagnose(DiskFleet& fleet, std::int64_t seconds) {
  Pipeline pipeline(Configure(fleet));
  FleetSaid said;
  for (std::int64_t second = 0; second < seconds; second += fleet.step) {
    FeedFleet(fleet, pipeline, second, kStart, said);
  }
  return said;
}

TEST(DiskGroups, HealthyServersAreNotNamedWhateverDisksTheyHave) {
  const auto all = Matrix();
  constexpr std::array kLoads = {1.0, 1.3, 2.0};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double load = kLoads[(i + i / 6) % kLoads.size()];  // each beside each kind of hardware
    auto fleet = Build(all[i]);
    fleet.servers[2].load = load;
    EXPECT_THAT(Diagnose(fleet, 200).named, IsEmpty()) << Text(all[i]) << ", load " << load;
  }
}

// Drives and processors that sleep between rare requests answer as they please.
TEST(DiskGroups, QuietSystemDisksMayBeUnlikeEachOther) {
  for (const auto pages : {FleetPages::kLimpet, FleetPages::kNode}) {
    for (const std::int64_t step : {1, 15}) {
      auto fleet = Build({.data = 2, .system = true, .pages = pages});
      fleet.step = step;
      for (std::size_t i = 0; i < fleet.servers.size(); ++i) {
        fleet.servers[i].disks[0].ms = 0.8 + 0.3 * static_cast<double>(i);
        fleet.servers[i].disks[0].requests = 8 - static_cast<double>(i);
      }
      EXPECT_THAT(Diagnose(fleet, step == 1 ? 600 : 4 * 3600).named, IsEmpty()) << step;
    }
  }
}

// A data disk of io02 takes so many times as long from second 100 on, and is named so soon.
void ExpectFound(double factor, std::int64_t within) {
  for (const auto& hardware : Matrix()) {
    auto fleet = Build(hardware);
    const int last = hardware.data - 1 + (hardware.system ? 1 : 0);
    const auto sick = fleet.servers[1].disks[static_cast<std::size_t>(last)].device;
    fleet.slow = [&](const FleetServer& server, const FleetDisk& disk, std::int64_t second) {
      return server.name == "io02" && disk.device == sick && second >= 100 ? factor : 1;
    };
    const auto said = Diagnose(fleet, 115 + within);
    const auto found = said.named.find("io02/" + sick);
    if (found == said.named.end()) {
      ADD_FAILURE() << "not named: " << Text(hardware);
      continue;
    }
    EXPECT_LE(found->second, 100 + within) << Text(hardware);
    EXPECT_EQ(said.causes.at("io02"), Cause::kDiskBusy) << Text(hardware);
    EXPECT_EQ(said.causes.size(), 1U) << Text(hardware);
  }
}

TEST(DiskGroups, ADataDiskSixTimesSlowerIsNamedBesideWhateverOtherDisks) { ExpectFound(6, 45); }
// An open load does not queue at it: the preset's own windows see it.
TEST(DiskGroups, ADataDiskHalfSlowerIsNamedBesideWhateverOtherDisks) { ExpectFound(1.5, 160); }

TEST(DiskGroups, OfTwoServersNobodyIsNamed) {
  for (const bool slow : {false, true}) {
    auto fleet = Build({.servers = 2, .data = 2, .system = true});
    fleet.slow = [&](const FleetServer& server, const FleetDisk& disk, std::int64_t) {
      return slow && server.name == "io02" && disk.device == "sdb" ? 6.0 : 1.0;
    };
    EXPECT_THAT(Diagnose(fleet, 200).named, IsEmpty());
  }
}

TEST(DiskGroups, DisksOfOtherSizesAreTold) {
  auto fleet = Build({.data = 2});
  for (auto& disk : fleet.servers[4].disks) {
    disk.size = 20e12;
    disk.requests = 150;
    disk.ms = 14;
  }
  Pipeline pipeline(Configure(fleet));
  FleetSaid said;
  for (std::int64_t second = 0; second < 150; ++second) {
    FeedFleet(fleet, pipeline, second, kStart, said);
  }
  EXPECT_THAT(said.named, IsEmpty());
  const auto kinds = pipeline.View().disk_kinds;
  ASSERT_EQ(kinds.size(), 1U);
  EXPECT_THAT(kinds[0].alone, Contains(HasSubstr("sda of io05 is compared with nobody")));
}

TEST(DiskGroups, WhatTheyAreMadeOfIsTold) {
  auto fleet = Build({.data = 1, .system = true});
  Pipeline pipeline(Configure(fleet));
  FleetSaid said;
  for (std::int64_t second = 0; second < 60; ++second) {
    FeedFleet(fleet, pipeline, second, kStart, said);
  }
  const auto kinds = pipeline.View().disk_kinds;
  ASSERT_EQ(kinds.size(), 1U);
  EXPECT_EQ(kinds[0].kinds, "12 disks in two kinds: sdb (data), sda (system)");
  std::set<std::string> groups;
  for (const auto& group : pipeline.View().groups) {
    groups.insert(group.group);
  }
  EXPECT_THAT(groups, Contains("server-disks"));
  EXPECT_THAT(groups, Contains("server-disks-system"));
  EXPECT_THAT(groups, Not(Contains("server-disks-nvme")));
}

// Nothing tells the disks apart but what they are asked for.
TEST(DiskGroups, NamesThatChangeHandsUnseenNameNobody) {
  for (const auto told : {Told::kNothing, Told::kIdentity, Told::kMounts, Told::kAll}) {
    for (const auto pages : {FleetPages::kLimpet, FleetPages::kNode}) {
      auto fleet = Build({.data = 1, .system = true, .told = told, .pages = pages});
      Pipeline pipeline(Configure(fleet));
      FleetSaid said;
      for (std::int64_t second = 0; second < 300; ++second) {
        if (second == 120) {
          auto& server = fleet.servers[3];
          fleet.Reboot(server, second);
          std::swap(server.disks[0].device, server.disks[1].device);
        }
        FeedFleet(fleet, pipeline, second, kStart, said);
      }
      EXPECT_THAT(said.named, IsEmpty()) << static_cast<int>(told) << static_cast<int>(pages);
    }
  }
}

// Whatever names change hands, nobody is named: also where nobody says what the disks are.
RC_GTEST_PROP(DiskGroups, WhateverNamesChangeHandsNobodyIsNamed, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  const auto pick = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<std::uint32_t>(most - least + 1));
  };
  auto fleet = Build({.servers = pick(3, 5),
                      .data = pick(1, 2),
                      .system = true,
                      .told = static_cast<Told>(pick(0, 3)),
                      .pages = pick(0, 1) == 0 ? FleetPages::kLimpet : FleetPages::kNode});
  fleet.seed = seed;
  Pipeline pipeline(Configure(fleet));
  FleetSaid said;
  for (std::int64_t second = 0; second < 140; ++second) {
    if (second > 20 && pick(0, 39) == 0) {
      auto& server = fleet.servers[random() % fleet.servers.size()];
      fleet.Reboot(server, second);
      std::vector<std::string> names;
      for (const auto& disk : server.disks) {
        names.push_back(disk.device);
      }
      std::shuffle(names.begin(), names.end(), random);
      for (std::size_t i = 0; i < names.size(); ++i) {
        server.disks[i].device = names[i];
      }
    }
    FeedFleet(fleet, pipeline, second, kStart, said);
  }
  RC_ASSERT(said.named.empty());
}

// Four healthy servers of three disks, and a USB disk for backups at one of them, at 15 s.
TEST(DiskGroups, ADiskForBackupsAtOneServerIsNobodysPeer) {
  auto fleet =
      Build({.servers = 4, .data = 3, .told = Told::kIdentity, .pages = FleetPages::kNode});
  fleet.step = 15;
  fleet.servers[2].disks.push_back(
      {.device = "sdx", .requests = 1.2, .bytes = 131072, .ms = 48, .serial = "usb"});
  EXPECT_THAT(Diagnose(fleet, 4 * 3600).named, IsEmpty());
}

TEST(DiskGroups, ADatabasesVolumeIsNoDiskOfItsServer) {
  auto fleet =
      Build({.servers = 5, .data = 1, .told = Told::kIdentity, .pages = FleetPages::kNode});
  fleet.step = 15;
  fleet.servers[3].disks.push_back(
      {.device = "rbd0", .requests = 45, .bytes = 16384, .ms = 18, .serial = "rbd"});
  EXPECT_THAT(Diagnose(fleet, 4 * 3600).named, IsEmpty());
}

// Eight servers with a busy and a light disk each, which wait in their own queues under bursts that
// all servers have; a disk's queue differs from its peers' for some seconds.
DiskFleet BuildBusyAndLight(Told told, double light, std::uint64_t seed, std::size_t seconds) {
  auto fleet = Build({.servers = 8, .data = 2, .told = told});
  fleet.seed = seed;
  for (auto& server : fleet.servers) {
    server.disks[1].requests *= light;
  }
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  std::vector<double> bursts(seconds);
  double load = 0.5;
  for (auto& burst : bursts) {
    load = random() % 12 == 0 ? 0.2 + 0.7 * static_cast<double>(random() % 1000) / 1000 : load;
    burst = load;
  }
  fleet.slow = [=](const FleetServer& server, const FleetDisk& disk, std::int64_t second) {
    const auto chance = std::hash<std::string>()(
        fmt::format("{}{}{}{}", server.name, disk.device, second / 7, seed));
    const double own = 0.9 + 0.2 * static_cast<double>(chance % 1000) / 1000;
    const double share = disk.device == "sda" ? 1 : light;
    return 1 / (1 - std::min(0.95, bursts[static_cast<std::size_t>(second)] * own * share));
  };
  return fleet;
}

TEST(DiskGroups, BusyAndLightDisksUnderCommonBurstsNameNobody) {
  for (const auto told : {Told::kNothing, Told::kAll}) {
    for (const double light : {0.15, 0.3, 0.6}) {
      auto fleet = BuildBusyAndLight(told, light, 1 + static_cast<std::uint64_t>(told), 1440);
      EXPECT_THAT(Diagnose(fleet, 1440).named, IsEmpty())
          << static_cast<int>(told) << " light " << light;
    }
  }
}

// Of either kind.
TEST(DiskGroups, ASlowDiskAmongBusyAndLightOnesIsNamed) {
  for (const double light : {0.15, 0.3, 0.6}) {
    for (const std::string sick : {"sda", "sdb"}) {
      auto fleet = BuildBusyAndLight(Told::kAll, light, 4, 400);
      const auto healthy = fleet.slow;
      fleet.slow = [&](const FleetServer& server, const FleetDisk& disk, std::int64_t second) {
        const bool slow = server.name == "io02" && disk.device == sick && second >= 120;
        return healthy(server, disk, second) * (slow ? 6 : 1);
      };
      const auto said = Diagnose(fleet, 400);
      EXPECT_EQ(said.named.size(), 1U) << light << sick;
      const auto found = said.named.find("io02/" + sick);
      EXPECT_TRUE(found != said.named.end() && found->second <= 120 + 60) << light << sick;
    }
  }
}

}  // namespace
}  // namespace limpet::disk_groups_test
