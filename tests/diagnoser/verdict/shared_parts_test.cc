#include "diagnoser/verdict/shared_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <string>

namespace limpet::shared_parts_test {
namespace {

// Hosts at switches, with disks on two controllers each and in enclosures that two hosts share.
struct Fleet {
  std::size_t hosts = 24;
  std::size_t disks = 12;  // of a host
  std::size_t hosts_of_switch = 8;
  std::vector<PartMember> members = {};

  void Build() {
    for (std::size_t host = 0; host < hosts; ++host) {
      for (std::size_t disk = 0; disk < disks; ++disk) {
        const auto name = "h" + std::to_string(host);
        members.push_back(
            {.name = name + "/d" + std::to_string(disk),
             .parts = {{"controller", name + "c" + std::to_string(disk * 2 / disks)},
                       {"host", name},
                       {"enclosure", "e" + std::to_string(host / 2) + (disk % 2 == 0 ? "a" : "b")},
                       {"switch", "s" + std::to_string(host / hosts_of_switch)},
                       {"slot", std::to_string(disk)}}});
      }
    }
  }
  void Flag(const std::function<bool(const PartMember&)>& is_sick) {
    for (auto& member : members) {
      member.flagged = member.flagged || is_sick(member);
    }
  }
  void FlagPart(const std::pair<std::string, std::string>& part, double share,
                std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(0, 1);
    Flag([&](const PartMember& member) {
      return std::find(member.parts.begin(), member.parts.end(), part) != member.parts.end() &&
             uniform(random) < share;
    });
  }
  void FlagSingles(std::size_t count, std::mt19937& random) {
    std::uniform_int_distribution<std::size_t> any(0, members.size() - 1);
    for (std::size_t i = 0; i < count; ++i) {
      members[any(random)].flagged = true;
    }
  }
};

Fleet Healthy() {
  Fleet fleet;
  fleet.Build();
  return fleet;
}

std::set<std::pair<std::string, std::string>> Named(const Fleet& fleet) {
  std::set<std::pair<std::string, std::string>> names;
  for (const auto& part : FindSharedParts(fleet.members)) {
    names.emplace(part.kind, part.name);
  }
  return names;
}

using Truth = std::set<std::pair<std::string, std::string>>;

// Of 200 fleets, how many have exactly the parts that are sick named.
int CountRight(const std::function<Truth(Fleet&, std::mt19937&)>& make_sick) {
  std::mt19937 random(7);
  int right = 0;
  for (int i = 0; i < 200; ++i) {
    auto fleet = Healthy();
    const auto truth = make_sick(fleet, random);
    right += Named(fleet) == truth ? 1 : 0;
  }
  return right;
}

std::pair<std::string, std::string> AnyPart(const Fleet& fleet, std::mt19937& random) {
  const auto& parts =
      fleet.members[std::uniform_int_distribution<std::size_t>(0, fleet.members.size() - 1)(random)]
          .parts;
  return parts[std::uniform_int_distribution<std::size_t>(0, 3)(random)];
}

TEST(SharedParts, OneSickPartIsNamed) {
  EXPECT_GE(CountRight([](Fleet& fleet, std::mt19937& random) {
              const auto part = AnyPart(fleet, random);
              fleet.FlagPart(part, 1, random);
              return Truth{part};
            }),
            190);
}

TEST(SharedParts, OneSickPartAmongSickDisksAndMissedOnes) {
  EXPECT_GE(CountRight([](Fleet& fleet, std::mt19937& random) {
              const auto part = AnyPart(fleet, random);
              fleet.FlagPart(part, 0.95, random);
              fleet.FlagSingles(3, random);
              return Truth{part};
            }),
            190);
}

TEST(SharedParts, SeveralSickPartsAreNamed) {
  EXPECT_GE(CountRight([](Fleet& fleet, std::mt19937& random) {
              Truth truth;
              // Of different hosts and enclosures, so that none of them is part of another.
              for (const auto* part : {"1a", "5b", "9a"}) {
                truth.emplace("enclosure", std::string("e") + part);
              }
              truth.emplace("controller", "h6c1");
              for (const auto& part : truth) {
                fleet.FlagPart(part, 1, random);
              }
              fleet.FlagSingles(2, random);
              return truth;
            }),
            190);
}

TEST(SharedParts, SingleSickDisksHaveNone) {
  for (const std::size_t sick : {1U, 2U, 5U, 12U}) {
    EXPECT_EQ(CountRight([&](Fleet& fleet, std::mt19937& random) {
                fleet.FlagSingles(sick, random);
                return Truth{};
              }),
              200)
        << sick;
  }
}

TEST(SharedParts, TwoSlowSlotsOnManyHostsBlameNoHost) {
  auto fleet = Healthy();
  fleet.Flag([](const PartMember& member) {
    return member.name.ends_with("/d3") || member.name.ends_with("/d8");
  });
  EXPECT_EQ(Named(fleet), (Truth{{"slot", "3"}, {"slot", "8"}}));
  for (auto& member : fleet.members) {  // nobody has told of slots
    member.parts.pop_back();
  }
  EXPECT_EQ(Named(fleet), Truth{});
}

TEST(SharedParts, SayWhoIsAffectedOfHowMany) {
  auto fleet = Healthy();
  std::mt19937 random(1);
  fleet.FlagPart({"controller", "h2c0"}, 1, random);
  const auto found = FindSharedParts(fleet.members);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].flagged,
            (std::vector<std::string>{"h2/d0", "h2/d1", "h2/d2", "h2/d3", "h2/d4", "h2/d5"}));
  EXPECT_EQ(found[0].members, 6U);
}

TEST(SharedParts, OfTwoPartsWithTheSameMembersTheSmallerKindIsNamed) {
  std::vector<PartMember> members;
  for (int i = 0; i < 40; ++i) {
    const auto group = std::to_string(i / 4);
    members.push_back({.name = std::to_string(i),
                       .parts = {{"controller", group}, {"host", group}},
                       .flagged = i / 4 == 3});
  }
  const auto found = FindSharedParts(members);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, "controller");
}

TEST(SharedParts, NothingFlaggedOrEverythingHasNone) {
  auto fleet = Healthy();
  EXPECT_EQ(Named(fleet), Truth{});
  fleet.Flag([](const PartMember&) { return true; });
  EXPECT_EQ(Named(fleet), Truth{});
  EXPECT_TRUE(FindSharedParts({}).empty());
}

}  // namespace
}  // namespace limpet::shared_parts_test
