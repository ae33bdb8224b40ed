#include "diagnoser/mapping/stacks.h"

#include <gmock/gmock.h>

#include "tests/support/property.h"

namespace limpet::stacks_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string_view> Counted(EntityKind kind, const std::vector<StackedDevice>& devices) {
  const auto bottoms = FindBottoms(kind, devices);
  std::vector<std::string_view> counted;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (bottoms[i]) {
      counted.push_back(devices[i].name);
    }
  }
  return counted;
}

std::vector<std::string_view> ByName(EntityKind kind, const std::vector<std::string_view>& names) {
  std::vector<StackedDevice> devices;
  for (const auto name : names) {
    devices.push_back({.name = name});
  }
  return Counted(kind, devices);
}
std::vector<std::string_view> Interfaces(const std::vector<std::string_view>& names) {
  return ByName(EntityKind::kInterface, names);
}
std::vector<std::string_view> Disks(const std::vector<std::string_view>& names) {
  return ByName(EntityKind::kDisk, names);
}

TEST(Stacks, MembersCountForTheirBond) {
  EXPECT_THAT(Interfaces({"bond0", "bond0.100", "eno1", "eno2"}), ElementsAre("eno1", "eno2"));
  EXPECT_THAT(Interfaces({"eth0", "eth0.5", "team0"}), ElementsAre("eth0"));
}

TEST(Stacks, PodsAndBridgesCarryNothingOfTheirOwn) {
  EXPECT_THAT(Interfaces({"br0", "eth0", "veth1a2b3c4", "cali0123456789a", "docker0", "br-1a2b3c",
                          "cni0", "flannel.1", "virbr0", "vnet3", "lxc_health", "cilium_host",
                          "eni0123456789a", "wg0", "tun0", "vmbr0", "fwln100i0"}),
              ElementsAre("eth0"));
}

TEST(Stacks, CardsAreNoneOfThem) {
  const std::vector<std::string_view> cards = {"enp3s0f0np0", "ens1", "enx00e04c", "em1",  "p1p2",
                                               "hsn0",        "ib0",  "wlan0",     "eth10"};
  EXPECT_THAT(Interfaces(cards), ::testing::ElementsAreArray(cards));
  for (const auto card : cards) {
    EXPECT_EQ(LayerByName(EntityKind::kInterface, card), Layer::kHardware) << card;
  }
  EXPECT_THAT(Interfaces({"brain", "lan1", "storage"}), ElementsAre("brain", "lan1", "storage"))
      << "names that tell nothing";
}

TEST(Stacks, TheTopCountsWhereNothingBelowIsSeen) {
  EXPECT_THAT(Interfaces({"bond0", "bond0.100"}), ElementsAre("bond0"));
  EXPECT_THAT(Interfaces({"bond0.100"}), ElementsAre("bond0.100"));
  EXPECT_THAT(Interfaces({"br0", "vlan5", "veth9"}), ElementsAre("vlan5"));
  EXPECT_THAT(Interfaces({"veth9"}), ElementsAre("veth9"));
  EXPECT_THAT(Disks({"dm-0"}), ElementsAre("dm-0"));
  EXPECT_THAT(Disks({"dm-0", "md127"}), ElementsAre("md127"));
}

TEST(Stacks, IpoibIsPartOfItsPort) {
  EXPECT_THAT(Interfaces({"eth0", "ib0", "ib0.8001", "mlx5_0/1"}), ElementsAre("eth0", "mlx5_0/1"));
  EXPECT_THAT(Interfaces({"eth0", "ib0", "ib0.8001"}), ElementsAre("eth0", "ib0"));
}

TEST(Stacks, DisksBelowCountForVolumes) {
  EXPECT_THAT(Disks({"sda", "sdb", "dm-0", "md0", "drbd0", "bcache0", "zd16"}),
              ElementsAre("sda", "sdb"));
  EXPECT_THAT(
      Disks({"sda", "sda1", "nvme0n1", "nvme0n1p1", "mmcblk0", "mmcblk0p2", "vda", "vda15"}),
      ElementsAre("sda", "nvme0n1", "mmcblk0", "vda"));
  EXPECT_THAT(Disks({"xvda1", "xvda2"}), ElementsAre("xvda1", "xvda2")) << "no whole disk is there";
  EXPECT_THAT(Disks({"nvme0n1", "nvme0c0n1", "nvme0c1n1", "nvme1n1"}),
              ElementsAre("nvme0c0n1", "nvme0c1n1", "nvme1n1"));
}

TEST(Stacks, MemoryAndNetworksAreNoDisks) {
  EXPECT_THAT(Disks({"sda", "zram0", "ram0", "loop3", "rbd0", "nbd0", "sr0", "fd0"}),
              ElementsAre("sda"));
  EXPECT_THAT(Disks({"zram0", "rbd1"}), IsEmpty());
  EXPECT_THAT(Disks({"loop11", "zram0"}), ElementsAre("loop11")) << "all that there is";
  EXPECT_THAT(Counted(EntityKind::kDisk, {{.name = "rbd1", .asked_for = true}}),
              ElementsAre("rbd1"));
}

TEST(Stacks, WhatTheExporterSaysComesBeforeNames) {
  const std::vector<std::string> cards = {"lan1", "lan2"};
  const std::vector<std::string> bond = {"storage"};
  EXPECT_THAT(Counted(EntityKind::kInterface, {{.name = "storage", .kind = "bond", .lowers = cards},
                                               {.name = "br0", .kind = "hardware"},
                                               {.name = "lan1", .kind = "hardware"},
                                               {.name = "lan2", .kind = "hardware"},
                                               {.name = "data", .kind = "vlan", .lowers = bond}}),
              ElementsAre("br0", "lan1", "lan2"));
  EXPECT_THAT(
      Counted(EntityKind::kInterface, {{.name = "lan1"}, {.name = "storage", .kind = "bond"}}),
      ElementsAre("lan1"))
      << "node_exporter says no more than that it is one";
}

TEST(Stacks, AVolumeStandsForDisksThatAreNotSeen) {
  const std::vector<std::string> paths = {"sdc", "sdd"};
  const std::vector<std::string> pods = {"veth1"};
  EXPECT_THAT(Counted(EntityKind::kDisk, {{.name = "sda", .kind = "hardware"},
                                          {.name = "dm-0", .kind = "multipath", .lowers = paths}}),
              ElementsAre("sda", "dm-0"));
  EXPECT_THAT(
      Counted(EntityKind::kInterface, {{.name = "eth0", .kind = "hardware"},
                                       {.name = "docker0", .kind = "bridge", .lowers = pods}}),
      ElementsAre("eth0"));
}

TEST(Stacks, ALongNameIsOnlyAName) {
  std::string name = "sd";
  for (int i = 0; i < 1'000'000; ++i) {
    name += "1p";
  }
  name += '1';
  EXPECT_EQ(LayerByName(EntityKind::kDisk, name), Layer::kUnknown);
  EXPECT_THAT(Disks({name}), ElementsAre(name));
}

TEST(Stacks, AllOfAContainersInterfacesCount) {
  EXPECT_THAT(Counted(EntityKind::kInterface,
                      {{.name = "eth0", .kind = "virtual"}, {.name = "net1", .kind = "macvlan"}}),
              ElementsAre("eth0", "net1"));
}

TEST(Stacks, ARingHasNoBottomAndLosesNothing) {
  const std::vector<std::string> a = {"a"};
  const std::vector<std::string> b = {"b"};
  EXPECT_THAT(
      Counted(EntityKind::kInterface, {{.name = "a", .lowers = b}, {.name = "b", .lowers = a}}),
      ElementsAre("a", "b"));
  EXPECT_THAT(Counted(EntityKind::kInterface, {{.name = "a", .lowers = a}}), ElementsAre("a"));
  EXPECT_THAT(Counted(EntityKind::kInterface, {}), IsEmpty());
}

// Each device stands on some of those before it: bit b of edges[i] says whether on number i - 1 -
// b.
struct Told {
  explicit Told(const std::vector<std::uint8_t>& edges) : lowers(edges.size()) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      for (std::size_t b = 0; b < std::min<std::size_t>(i, 8); ++b) {
        if ((unsigned{edges[i]} >> b & 1U) != 0) {
          lowers[i].push_back("d" + std::to_string(i - 1 - b));
        }
      }
      names.push_back("d" + std::to_string(i));
    }
  }
  [[nodiscard]] std::vector<StackedDevice> Devices() const {
    std::vector<StackedDevice> devices;
    for (std::size_t i = 0; i < names.size(); ++i) {
      devices.push_back({.name = names[i],
                         .kind = lowers[i].empty() ? "hardware" : "bridge",
                         .lowers = lowers[i]});
    }
    return devices;
  }

  std::vector<std::string> names;
  std::vector<std::vector<std::string>> lowers;
};

RC_GTEST_PROP(StacksProperty, WhatIsToldCountsExactlyAtItsBottom,
              (const std::vector<std::uint8_t>& edges)) {
  const Told told(edges);
  auto devices = told.Devices();
  for (const auto kind : {EntityKind::kInterface, EntityKind::kDisk}) {
    const auto bottoms = FindBottoms(kind, devices);
    for (std::size_t i = 0; i < devices.size(); ++i) {
      RC_ASSERT(bottoms[i] == told.lowers[i].empty());
    }
    std::reverse(devices.begin(), devices.end());
    auto reversed = FindBottoms(kind, devices);
    std::reverse(devices.begin(), devices.end());
    std::reverse(reversed.begin(), reversed.end());
    RC_ASSERT(reversed == bottoms);
  }
}

RC_GTEST_PROP(StacksProperty, SomeInterfaceAlwaysCounts,
              (const std::vector<std::uint8_t>& edges, const std::vector<std::uint8_t>& hidden)) {
  const Told told(edges);
  auto devices = told.Devices();
  for (const auto place : hidden) {
    if (!devices.empty()) {
      devices.erase(devices.begin() + static_cast<std::ptrdiff_t>(place % devices.size()));
    }
  }
  const auto bottoms = FindBottoms(EntityKind::kInterface, devices);
  RC_ASSERT(devices.empty() || std::ranges::count(bottoms, true) > 0);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const bool stands = std::ranges::any_of(devices[i].lowers, [&](const std::string& lower) {
      return std::ranges::any_of(devices, [&](const auto& one) { return one.name == lower; });
    });
    RC_ASSERT(!(stands && bottoms[i]));
  }
}

}  // namespace
}  // namespace limpet::stacks_test
