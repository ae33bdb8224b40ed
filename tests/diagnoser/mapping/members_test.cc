#include "diagnoser/mapping/members.h"

#include <gmock/gmock.h>

namespace limpet::members_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Field kReads{EntityKind::kDisk, 0};
constexpr Field kReceived{EntityKind::kInterface, 0};
constexpr Field kDiskStack{EntityKind::kDisk, kStackField};
constexpr Field kNetStack{EntityKind::kInterface, kStackField};

class MembersTest : public ::testing::Test {
 protected:
  explicit MembersTest(const std::string& disks = "") {
    std::vector<Rule> rules;
    rules.push_back(
        *Rule::Compile({.name = "disks", .kind = GroupKind::kStorage, .device = disks}));
    rules.push_back(*Rule::Compile({.name = "network", .kind = GroupKind::kNetwork}));
    directory = Directory(std::move(rules));
  }

  void See(Field field, const LabelPairs& labels) {
    (void)directory.Resolve(field, labels, {.node = "io01", .role = "io", .labels = {}});
  }
  void Disks(const std::vector<std::string_view>& names) {
    for (const auto name : names) {
      See(kReads, {{"device", std::string(name)}});
    }
  }
  void Interfaces(const std::vector<std::string_view>& names) {
    for (const auto name : names) {
      See(kReceived, {{"device", std::string(name)}});
    }
  }
  [[nodiscard]] Member Server(const std::vector<std::string>& masked = {}) const {
    auto found = FindMembers(directory, 1, masked);
    return found.members.empty() ? Member() : found.members.front();
  }
  [[nodiscard]] std::vector<std::string> Names(EntityKind kind,
                                               const std::vector<std::uint32_t>& numbers) const {
    std::vector<std::string> names;
    for (const auto number : numbers) {
      names.push_back(directory.Entities(kind)[number].device);
    }
    return names;
  }
  [[nodiscard]] std::vector<std::string> CountedInterfaces() const {
    return Names(EntityKind::kInterface, Server().entities);
  }
  [[nodiscard]] std::vector<std::string> CountedDisks(
      const std::vector<std::string>& masked = {}) const {
    return Names(EntityKind::kDisk, Server(masked).disks);
  }

  Directory directory{{}};
};

TEST_F(MembersTest, AServerHasTheBottomsOfItsStacks) {
  Disks({"sda", "dm-0", "zram0"});
  Interfaces({"eno2", "bond0", "bond0.100", "eno1", "veth12"});
  EXPECT_THAT(CountedInterfaces(), ElementsAre("eno1", "eno2")) << "by name";
  EXPECT_THAT(CountedDisks(), ElementsAre("sda"));
  EXPECT_THAT(FindMembers(directory, 0, {}).members, SizeIs(3))
      << "who is compared is another matter";
}

TEST_F(MembersTest, WhatComesLaterMovesTheBottom) {
  Interfaces({"storage", "lan1"});
  EXPECT_THAT(CountedInterfaces(), ElementsAre("lan1", "storage"));
  EXPECT_THAT(Server().doubtful, SizeIs(2));
  const auto version = directory.Version();
  See(kNetStack, {{"device", "storage"}, {"kind", "bond"}, {"lower", "lan1"}});
  EXPECT_NE(directory.Version(), version);
  EXPECT_THAT(CountedInterfaces(), ElementsAre("lan1"));
  const auto told = directory.Version();
  See(kNetStack, {{"device", "storage"}, {"kind", "bond"}, {"lower", "lan1"}});
  EXPECT_EQ(directory.Version(), told) << "nothing new";
}

TEST_F(MembersTest, NodeExporterNamesBondsAndMultipathDevices) {
  Interfaces({"eth0", "data"});
  See(kNetStack, {{"master", "data"}});
  EXPECT_THAT(CountedInterfaces(), ElementsAre("eth0"));
  Disks({"dm-0", "dm-1"});
  See(kDiskStack, {{"device", "dm-1"}, {"name", "a"}, {"uuid", "mpath-3600a"}});
  See(kDiskStack, {{"device", "dm-0"}, {"name", "b"}, {"uuid", "LVM-x"}});
  EXPECT_THAT(CountedDisks(), ElementsAre("dm-1"));
}

TEST_F(MembersTest, PortsAreInterfaces) {
  Interfaces({"eth0", "ib0"});
  See(kReceived, {{"device", "mlx5_0"}, {"port", "1"}});
  EXPECT_THAT(CountedInterfaces(), ElementsAre("eth0", "mlx5_0/1"));
  EXPECT_THAT(Server().doubtful, IsEmpty());
}

TEST_F(MembersTest, AMaskedDiskDoesNotComeBackAsItsVolume) {
  Disks({"sda", "sdb", "dm-0"});
  Interfaces({"eth0"});
  EXPECT_THAT(CountedDisks({"io01/sda"}), ElementsAre("sdb"));
}

// What is logged there passes no network.
TEST_F(MembersTest, ADiskOfTheSystemIsNotHeldAgainstTheNetworkWhereThereAreOthers) {
  Interfaces({"eth0"});
  Disks({"sda", "sdb", "sdc", "dm-0"});
  const Field info{EntityKind::kDisk, kInfoField};
  See(info, {{"device", "sda"}, {"mountpoint", "/"}});
  See(info, {{"device", "dm-0"}, {"mountpoint", "/boot"}});
  See(kDiskStack, {{"device", "dm-0"}, {"kind", "dm"}, {"lower", "sdc"}});
  EXPECT_THAT(CountedDisks(), ElementsAre("sdb"));
  EXPECT_THAT(CountedDisks({"io01/sdb"}), IsEmpty()) << "in maintenance";
  See(info, {{"device", "sdb"}, {"mountpoint", "/usr"}});
  EXPECT_THAT(CountedDisks(), ElementsAre("sda", "sdb", "sdc")) << "the file system is on them";
}

TEST_F(MembersTest, OfAllServersEachByItself) {
  Disks({"sda", "dm-0"});
  (void)directory.Resolve(kReads, {{"device", "dm-0"}},
                          {.node = "io02", .role = "io", .labels = {}});
  EXPECT_THAT(FindAllCounted(directory, EntityKind::kDisk), ElementsAre(true, false, true));
  EXPECT_THAT(FindCounted(directory, EntityKind::kDisk, {1}), ElementsAre(1U));
  EXPECT_THAT(FindAllCounted(directory, EntityKind::kInterface), IsEmpty());
}

class MembersByRegexTest : public MembersTest {
 protected:
  MembersByRegexTest() : MembersTest("^(dm-|loop|rbd)") {}
};

TEST_F(MembersByRegexTest, WhatIsAskedForCounts) {
  Disks({"sda", "dm-0", "zram0"});
  Interfaces({"eth0"});
  EXPECT_THAT(CountedDisks(), ElementsAre("dm-0"));
}

TEST_F(MembersByRegexTest, ANetworkDiskThatIsAskedForCounts) {
  Disks({"rbd0", "sda"});
  Interfaces({"eth0"});
  EXPECT_THAT(CountedDisks(), ElementsAre("rbd0"));
}

}  // namespace
}  // namespace limpet::members_test
