#include "exporter/collectors/cgroup_walk.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/support/map_files.h"

namespace limpet::cgroup_walk_test {
namespace {

using std::chrono::minutes;
using testing::FileTree;
using testing::MapFiles;

class Walk : public ::testing::Test {
 protected:
  void SetUp() override { tree_->files["fs/cgroup/cgroup.controllers"] = "io memory\n"; }
  // Megabytes that the group has read of 8:16 so far.
  void Read(const std::string& group, std::uint64_t megabytes) {
    tree_->files["fs/cgroup/" + group + "/io.stat"] =
        "8:16 rbytes=" + std::to_string(megabytes * 1'000'000) + " wbytes=0 rios=1 wios=0\n";
  }
  void Remove(const std::string& group) { tree_->files.erase("fs/cgroup/" + group + "/io.stat"); }
  CgroupWalk::Outcome After(Duration time) {
    now_ += time;
    return walk_.Walk(files_, now_).value();
  }
  // "path rate" of all that are shown, in megabytes a second.
  static std::string Text(const CgroupWalk::Outcome& outcome) {
    std::string text;
    for (const auto& use : outcome.shown) {
      text += use.path + " " + std::to_string(static_cast<int>(use.read / 1e6)) + "; ";
    }
    return text;
  }

  std::shared_ptr<FileTree> tree_ = std::make_shared<FileTree>();
  MapFiles files_{tree_};
  CgroupWalk walk_{{.shown = 3, .max_reads = 50}};
  SteadyTime now_{std::chrono::hours(1)};
};

TEST_F(Walk, NamesTheUnitAndNotItsSlice) {
  Read("system.slice", 0);
  Read("system.slice/backup.service", 0);
  Read("system.slice/cron.service", 0);
  EXPECT_EQ(Text(After(minutes(1))), "");
  Read("system.slice", 720);
  Read("system.slice/backup.service", 717);
  Read("system.slice/cron.service", 3);
  const auto first = After(minutes(1));
  EXPECT_TRUE(first.deeper) << "the units have had one reading only";
  EXPECT_EQ(Text(first), "/system.slice 12; ");
  Read("system.slice", 1440);
  Read("system.slice/backup.service", 1434);
  EXPECT_EQ(Text(After(minutes(1))), "/system.slice/backup.service 11; ");
}

TEST_F(Walk, AUnitThatHasJustBegunStartedAtZero) {
  Read("a.service", 5);
  (void)After(minutes(1));
  Read("b.service", 120);
  EXPECT_EQ(Text(After(minutes(1))), "/b.service 2; ");
}

TEST_F(Walk, AUnitMadeAgainIsNoWrap) {
  Read("a.service", 900);
  (void)After(minutes(1));
  Read("a.service", 120);
  EXPECT_EQ(Text(After(minutes(1))), "/a.service 2; ");
  Remove("a.service");
  EXPECT_EQ(Text(After(minutes(1))), "");
}

TEST_F(Walk, OfMoreThanTheLimitTheLargestAreShown) {
  for (int i = 0; i < 5; ++i) {
    Read("u" + std::to_string(i), 0);
  }
  (void)After(minutes(1));
  for (int i = 0; i < 5; ++i) {
    Read("u" + std::to_string(i), 120U * static_cast<std::uint64_t>(i + 1));
  }
  const auto outcome = After(minutes(1));
  EXPECT_EQ(Text(outcome), "/u2 6; /u3 8; /u4 10; ");
  EXPECT_EQ(outcome.groups, 5U);
  EXPECT_EQ(outcome.named, 3U);
}

TEST_F(Walk, ManyGroupsAreReadInTurns) {
  for (int i = 0; i < 120; ++i) {
    Read("u" + std::to_string(i), 0);
  }
  std::string text;
  for (std::uint64_t minute = 1; minute < 10 && text.find("/u99 ") == std::string::npos; ++minute) {
    Read("u99", 600 * minute);
    const auto outcome = After(minutes(1));
    EXPECT_EQ(outcome.groups, 120U);
    text = Text(outcome);
  }
  EXPECT_EQ(text, "/u99 10; ");
  Read("u99", 10'000);
  EXPECT_NE(Text(After(minutes(1))), "") << "one that was busy is read each time";
}

TEST_F(Walk, WithoutControlGroupsSaysWhatItExpected) {
  tree_->files.clear();
  const auto none = walk_.Walk(files_, now_);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().Text().find("expected control groups"), std::string::npos);
}

TEST_F(Walk, ReadsVersionOneToo) {
  tree_->files.clear();
  const std::string root = "fs/cgroup/blkio/";
  const std::string file = "blkio.throttle.io_service_bytes_recursive";
  tree_->files[root + file] = "Total 0\n";
  tree_->files[root + "hog/" + file] = "8:16 Read 0\n8:16 Write 0\nTotal 0\n";
  (void)After(minutes(1));
  tree_->files[root + "hog/" + file] =
      "8:16 Read 600000000\n8:16 Write 60000000\nTotal 660000000\n";
  const auto outcome = After(minutes(1));
  ASSERT_EQ(outcome.shown.size(), 1U);
  EXPECT_EQ(outcome.shown[0].path, "/hog");
  EXPECT_EQ(outcome.shown[0].read, 1e7);
  EXPECT_EQ(outcome.shown[0].written, 1e6);
}

// Before Linux 4.16 a group's bytes are its own: its slice has none.
TEST_F(Walk, ReadsVersionOneOfOldKernels) {
  tree_->files.clear();
  const std::string root = "fs/cgroup/blkio/";
  const std::string file = "blkio.throttle.io_service_bytes";
  const auto hog = root + "system.slice/backup.service/" + file;
  tree_->files[root + file] = "Total 0\n";
  tree_->files[root + "system.slice/" + file] = "Total 0\n";
  tree_->files[hog] = "8:0 Read 0\n8:0 Write 0\n8:0 Sync 0\n8:0 Total 0\nTotal 0\n";
  (void)After(minutes(1));
  tree_->files[hog] = "8:0 Read 90000000\n8:0 Write 0\n8:0 Total 90000000\nTotal 90000000\n";
  const auto outcome = After(minutes(1));
  ASSERT_EQ(outcome.shown.size(), 1U);
  EXPECT_EQ(outcome.shown[0].path, "/system.slice/backup.service");
  EXPECT_EQ(outcome.shown[0].device, "8:0");
  EXPECT_EQ(outcome.shown[0].read, 1.5e6);
}

TEST_F(Walk, AKernelThatCountsNothingSaysWhatItLacks) {
  tree_->files.clear();
  tree_->files["fs/cgroup/blkio/system.slice/cgroup.procs"] = "";
  const auto none = walk_.Walk(files_, now_);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(none.error().Text().find("blkio.throttle.io_service_bytes"), std::string::npos);
}

TEST_F(Walk, GroupsWhoseBytesAreNotCountedAreNumbered) {
  Read("a.service", 1);
  tree_->files["fs/cgroup/b.service/cgroup.procs"] = "";
  tree_->files["fs/cgroup/b.service/c.scope/cgroup.procs"] = "";
  const auto outcome = After(minutes(1));
  EXPECT_EQ(outcome.at_top, 2U);
  EXPECT_EQ(outcome.uncounted, 1U);
}

// The kernel prints idle devices without their numbers, and without a newline.
TEST(ParseIoStat, NumbersAreOfTheLastNameBeforeThem) {
  const auto bytes = ParseIoStat(
      "8:16 8:0 rbytes=50000000 wbytes=7 rios=100 wios=0 dbytes=0 dios=0\n"
      "8:32 253:1 \n"
      "253:0 rbytes=1 wbytes=2\n");
  ASSERT_EQ(bytes.size(), 2U);
  EXPECT_EQ(bytes.at("8:0").read, 50'000'000U);
  EXPECT_EQ(bytes.at("8:0").written, 7U);
  EXPECT_EQ(bytes.at("253:0").read, 1U);
}

TEST(ParseIoStat, LeavesOutWhatItCannotRead) {
  const auto bytes = ParseIoStat(
      "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=5 dios=6\n"
      "8:16\n"
      "sdb rbytes=1 wbytes=2\n"
      "8:32 rbytes=-1 wbytes=many\n");
  ASSERT_EQ(bytes.size(), 1U);
  EXPECT_EQ(bytes.at("8:0").read, 1U);
  EXPECT_EQ(bytes.at("8:0").written, 2U);
  EXPECT_TRUE(ParseIoStat("").empty());
  EXPECT_TRUE(ParseBlkio("Total 7\n8:0 Read\n8:0 Read x\n").empty());
}

}  // namespace
}  // namespace limpet::cgroup_walk_test
