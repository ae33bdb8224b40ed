#include "diagnoser/evidence/groups/memberships.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::memberships_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr UnixTime kStart = UnixFromSeconds(1'700'000'000);

class MembershipsTest : public ::testing::Test {
 protected:
  MembershipsTest() {
    PeerGroupRule disks{.name = "disks", .recent = 100s};
    config_.presets = {DefaultPreset()};
    config_.groups = {disks, RecentRule(disks)};
    for (const auto& rule : config_.groups) {
      rules_.push_back(*Rule::Compile(rule));
    }
    directory_.emplace(rules_);
    for (std::size_t i = 0; i < 2; ++i) {
      runs_.emplace_back(config_.presets[0], 0, nullptr, config_.groups);
    }
  }
  void Add(const std::string& device, UnixTime at) {
    const Field field{.kind = EntityKind::kDisk};
    const auto entity = directory_->Resolve(field, {{"device", device}}, {.node = "a"});
    (void)readings_.Add(field, *entity, at, 1);
  }
  using Names = std::vector<std::string>;
  Names Select(UnixTime end, std::size_t group, std::size_t run = 0) {
    memberships_.Refresh(config_, *directory_);
    memberships_.Select(config_, readings_, kStart, end, run, runs_[run]);
    Names names;
    for (const auto& member : memberships_.Members()[group].members) {
      names.push_back(member.name);
    }
    return names;
  }

  PipelineConfig config_;
  std::vector<Rule> rules_;
  std::optional<Directory> directory_;
  Readings readings_{{GridSpec{.capacity = 1000}}};
  std::vector<PresetRun> runs_;
  Memberships memberships_{10s, 100};
};

TEST_F(MembershipsTest, ANewcomerGrowsOldAtTheInstantItsTimeIsOver) {
  Add("sda", kStart);
  EXPECT_THAT(Select(kStart + 50s, 0), ElementsAre("a/sda"));
  Add("sdb", kStart + 60s);
  EXPECT_THAT(Select(kStart + 70s, 0), ElementsAre("a/sda"));
  EXPECT_THAT(Select(kStart + 70s, 1), ElementsAre("a/sdb"));
  // Its first reading is known to a step: 60 s or just before.
  EXPECT_THAT(Select(kStart + 158s, 1), ElementsAre("a/sdb"));
  EXPECT_THAT(Select(kStart + 161s, 1), IsEmpty());
  EXPECT_THAT(Select(kStart + 161s, 0), ElementsAre("a/sda", "a/sdb"));
}

TEST_F(MembershipsTest, PresetsThatStandAtDifferentInstantsSeeTheirOwn) {
  Add("sda", kStart);
  Add("sdb", kStart + 60s);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Select(kStart + 200s, 1, 0), IsEmpty());
    EXPECT_THAT(Select(kStart + 100s, 1, 1), ElementsAre("a/sdb"));
  }
}

TEST_F(MembershipsTest, WhoHasNoReadingYetIsRecordedWhenItComes) {
  Add("sda", kStart);
  Add("sdb", kStart + 60s);
  EXPECT_THAT(Select(kStart + 50s, 1), IsEmpty());  // not there yet, by the time of this window
  EXPECT_THAT(Select(kStart + 70s, 1), ElementsAre("a/sdb"));
}

TEST_F(MembershipsTest, AfterARestartWhoIsThereIsNoNewcomer) {
  Add("sda", kStart);
  Add("sdb", kStart + 60s);
  memberships_.Refresh(config_, *directory_);
  memberships_.Resume({{"a/sdb", kStart + 60s}}, kStart);
  EXPECT_THAT(Select(kStart + 70s, 0), ElementsAre("a/sda"));
  EXPECT_THAT(Select(kStart + 70s, 1), ElementsAre("a/sdb"));
}

TEST_F(MembershipsTest, MasksTakeEffectWithTheNextRefresh) {
  Add("sda", kStart);
  EXPECT_THAT(Select(kStart + 50s, 0), ElementsAre("a/sda"));
  config_.masked = {"a/sda"};
  EXPECT_THAT(Select(kStart + 51s, 0), ElementsAre("a/sda"));
  memberships_.Invalidate();
  EXPECT_THAT(Select(kStart + 52s, 0), IsEmpty());
}

}  // namespace
}  // namespace limpet::memberships_test
