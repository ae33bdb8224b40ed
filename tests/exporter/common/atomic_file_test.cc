#include "exporter/common/atomic_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_folder.h"

namespace limpet {
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

TEST(WriteFileAtomically, SaysWhichFileWhenTheFolderIsMissing) {
  const auto written = WriteFileAtomically("/nonexistent/state", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().where, "/nonexistent/state");
}

}  // namespace
}  // namespace limpet
