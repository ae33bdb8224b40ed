#include "diagnoser/evidence/groups/disk_kind_groups.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <utility>

namespace limpet::disk_kind_groups_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// Servers with a data disk sdb and a journal sdc, which nothing tells apart but its name and model.
class DiskKindGroupsTest : public ::testing::Test {
 protected:
  DiskKindGroupsTest() : directory_(Rules()) {
    for (int i = 0; i < 5; ++i) {
      for (const auto& [device, model] : {std::pair("sdb", "data"), {"sdc", "journal"}}) {
        (void)directory_.Resolve({.kind = EntityKind::kDisk, .index = kInfoField},
                                 {{"device", device}, {"path", model}},
                                 {.node = fmt::format("io{}", i), .role = "server"});
        (device == std::string("sdc") ? sides_.odd : sides_.rest)
            .push_back(fmt::format("io{}/{}", i, device));
      }
    }
    sides_.metric = "await";
  }

  [[nodiscard]] std::vector<Rule> Rules() const {
    std::vector<Rule> rules;
    for (const auto& group : config_.groups) {
      rules.push_back(*Rule::Compile(group));
    }
    return rules;
  }
  [[nodiscard]] std::size_t Size(std::uint32_t group) const {
    return kinds_.Of(group).value_or(std::vector<std::uint32_t>(1000)).size();
  }
  bool LearnFor(int windows) {
    bool learned = false;
    for (int i = 0; i < windows; ++i) {
      learned = kinds_.Learn(config_, directory_, 0, sides_) || learned;
    }
    return learned;
  }

  PipelineConfig config_ = [] {
    PipelineConfig config;
    config.groups = WithKinds({{.name = "server-disks", .by_kind = true}});
    return config;
  }();
  Directory directory_;
  DiskKindGroups kinds_;
  TwoSides sides_;
};

TEST_F(DiskKindGroupsTest, AGroupThatIsInTwoForLongIsParted) {
  kinds_.Refresh(config_, directory_);
  EXPECT_EQ(Size(0), 10U);
  EXPECT_EQ(Size(1), 0U);
  EXPECT_FALSE(LearnFor(4));
  EXPECT_TRUE(LearnFor(1));
  kinds_.Refresh(config_, directory_);
  EXPECT_EQ(Size(0), 5U);
  ASSERT_THAT(kinds_.Texts(), SizeIs(1));
  EXPECT_TRUE(kinds_.Texts()[0].several);
  EXPECT_FALSE(LearnFor(10)) << "it is not in two any more";
}

TEST_F(DiskKindGroupsTest, AWindowWithoutTwoSidesCountsAnew) {
  kinds_.Refresh(config_, directory_);
  EXPECT_FALSE(LearnFor(4));
  EXPECT_FALSE(kinds_.Learn(config_, directory_, 0, {}));
  EXPECT_FALSE(LearnFor(4));
}

TEST_F(DiskKindGroupsTest, WhereNothingTellsTheSidesApartItStays) {
  kinds_.Refresh(config_, directory_);
  std::swap(sides_.odd[0], sides_.rest[0]);
  std::swap(sides_.odd[1], sides_.rest[1]);
  EXPECT_FALSE(LearnFor(20));
}

TEST_F(DiskKindGroupsTest, WhoMovesIsForgottenWhereItWas) {
  kinds_.Refresh(config_, directory_);
  (void)kinds_.TakeMoves();
  EXPECT_TRUE(LearnFor(5));
  kinds_.Refresh(config_, directory_);
  const auto moves = kinds_.TakeMoves();
  EXPECT_THAT(moves, SizeIs(5));
  for (const auto& move : moves) {
    EXPECT_THAT(move.left, ::testing::Contains(0U)) << move.component;
  }
  EXPECT_THAT(kinds_.TakeMoves(), IsEmpty());
}

TEST_F(DiskKindGroupsTest, WhatWasLearnedSurvivesARestart) {
  kinds_.Refresh(config_, directory_);
  EXPECT_THAT(kinds_.Export(config_), IsEmpty());
  EXPECT_TRUE(LearnFor(5));
  kinds_.Refresh(config_, directory_);
  DiskKindGroups after;
  after.Resume(config_, kinds_.Export(config_));
  after.Refresh(config_, directory_);
  for (std::uint32_t group = 0; group < config_.groups.size(); ++group) {
    EXPECT_EQ(after.Of(group), kinds_.Of(group)) << group;
  }
  PipelineConfig other;
  other.groups = {{.name = "server-disks"}};
  DiskKindGroups none;
  none.Resume(other, kinds_.Export(config_));
  none.Refresh(other, directory_);
  EXPECT_EQ(none.Of(0), std::nullopt) << "the operator says who is whose peer";
}

TEST_F(DiskKindGroupsTest, GroupsOfTheConfigurationAreNobodysBusiness) {
  PipelineConfig config;
  config.groups = {{.name = "disks"}};
  kinds_.Refresh(config, directory_);
  EXPECT_EQ(kinds_.Of(0), std::nullopt);
  EXPECT_THAT(kinds_.Texts(), IsEmpty());
}

}  // namespace
}  // namespace limpet::disk_kind_groups_test
