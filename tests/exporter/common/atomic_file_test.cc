#include "exporter/common/atomic_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_folder.h"

namespace limpet::atomic_file_test {
namespace {

TEST(WriteFileAtomically, ReplacesTheContentAndLeavesNoTemporary) {
  const testing::TempFolder folder;
  folder.Write("state", "old");
  ASSERT_TRUE(WriteFileAtomically(folder.Path("state"), "new"));
  EXPECT_EQ(folder.Read("state"), "new");
  EXPECT_FALSE(std::filesystem::exists(folder.Path("state.tmp")));
}

TEST(WriteFileAtomically, KeepsTheOldContentWhenItCannotRename) {
  const testing::TempFolder folder;
  std::filesystem::create_directories(folder.Path("state/inside"));
  const auto written = WriteFileAtomically(folder.Path("state"), "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().where, folder.Path("state"));
  EXPECT_TRUE(std::filesystem::exists(folder.Path("state/inside")));
  EXPECT_FALSE(std::filesystem::exists(folder.Path("state.tmp")));
}

TEST(WriteFileAtomically, WritesThroughNoLinkThatSomebodyPutThere) {
  const testing::TempFolder folder;
  folder.Write("victim", "theirs");
  std::filesystem::create_symlink(folder.Path("victim"), folder.Path("state.tmp"));
  ASSERT_TRUE(WriteFileAtomically(folder.Path("state"), "new"));
  EXPECT_EQ(folder.Read("victim"), "theirs");
  EXPECT_EQ(folder.Read("state"), "new");
  EXPECT_FALSE(std::filesystem::is_symlink(folder.Path("state")));
  // One that cannot be removed: nothing is written at all.
  std::filesystem::create_directories(folder.Path("state.tmp/inside"));
  EXPECT_FALSE(WriteFileAtomically(folder.Path("state"), "newer"));
  EXPECT_EQ(folder.Read("state"), "new");
}

TEST(WriteFileAtomically, SaysWhichFileWhenTheFolderIsMissing) {
  const auto written = WriteFileAtomically("/nonexistent/state", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().where, "/nonexistent/state");
}

}  // namespace
}  // namespace limpet::atomic_file_test
