#include "exporter/collectors/cgroup_names.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "tests/support/map_files.h"

namespace limpet::cgroup_names_test {
namespace {

using std::chrono::minutes;
using testing::FileTree;
using testing::MapFiles;

struct Tree {
  std::shared_ptr<FileTree> files = std::make_shared<FileTree>();
  std::map<std::string, std::uint64_t> numbers;
  int asked = 0;
  MapFiles sys{files};
  CgroupNames names{[this](const std::string& path) -> std::optional<CgroupFolder> {
    ++asked;
    const auto found = numbers.find(path);
    return found == numbers.end() ? std::nullopt
                                  : std::optional(CgroupFolder{.number = found->second});
  }};

  void Add(const std::string& path, std::uint64_t number) {
    files->files[path + "/cgroup.procs"] = "";
    numbers[path] = number;
  }
};

TEST(CgroupNames, AreTheFoldersOfTheirNumbers) {
  Tree tree;
  tree.Add("fs/cgroup", 1);
  tree.Add("fs/cgroup/system.slice", 2);
  tree.Add("fs/cgroup/system.slice/backup.service", 3);
  const auto& found = tree.names.Find(tree.sys, {1, 3, 99}, SteadyTime());
  EXPECT_EQ(found,
            (std::map<std::uint64_t, std::string>{{1, "/"}, {3, "/system.slice/backup.service"}}));
}

TEST(CgroupNames, OfAHybridTreeAreVersionTwos) {
  Tree tree;
  tree.Add("fs/cgroup/unified", 1);
  tree.Add("fs/cgroup/unified/a.service", 2);
  EXPECT_EQ(tree.names.Find(tree.sys, {2}, SteadyTime()).at(2), "/a.service");
}

TEST(CgroupNames, WhoIsNotFoundIsNotLookedForEachTime) {
  Tree tree;
  tree.Add("fs/cgroup", 1);
  const SteadyTime now{};
  EXPECT_TRUE(tree.names.Find(tree.sys, {7}, now).empty());
  const int asked = tree.asked;
  EXPECT_TRUE(tree.names.Find(tree.sys, {7}, now + minutes(1)).empty());
  EXPECT_EQ(tree.asked, asked);
  tree.Add("fs/cgroup/other.service", 8);
  EXPECT_EQ(tree.names.Find(tree.sys, {7, 8}, now + minutes(1)).size(), 1U)
      << "one never asked for";
  tree.Add("fs/cgroup/new.service", 7);
  EXPECT_EQ(tree.names.Find(tree.sys, {7}, now + minutes(7)).size(), 2U);
}

TEST(CgroupNames, NoMoreThanTheBoundIsWalked) {
  Tree tree;
  tree.Add("fs/cgroup", 1);
  for (std::size_t i = 0; i < CgroupNames::kMaxFolders + 100; ++i) {
    tree.Add("fs/cgroup/" + std::to_string(i) + ".service", 10 + i);
  }
  EXPECT_TRUE(tree.names.Find(tree.sys, {5}, SteadyTime()).empty());
  EXPECT_EQ(tree.asked, static_cast<int>(CgroupNames::kMaxFolders));
}

TEST(CgroupNames, TheRealTreeHasNumbers) {
  const auto folder = AskCgroupFolder("/sys")("fs/cgroup");
  if (folder) {
    EXPECT_GT(folder->number, 0U);
  }
  EXPECT_EQ(AskCgroupFolder("/sys")("fs/no-such-folder"), std::nullopt);
}

}  // namespace
}  // namespace limpet::cgroup_names_test
