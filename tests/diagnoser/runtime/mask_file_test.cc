#include "diagnoser/runtime/mask_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "tests/support/temp_folder.h"

namespace limpet::mask_file_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MaskFile, IsReadAtFirstAndWhenItHasChanged) {
  const testing::TempFolder folder;
  MaskFile file(folder.Write("masked", "io01\n"));
  const auto first = file.Changed();
  ASSERT_TRUE(first && *first);
  EXPECT_THAT(**first, ElementsAre("io01"));
  EXPECT_FALSE(file.Changed());
  folder.Write("masked", "io01\nio02/sda\n");
  const auto second = file.Changed();
  ASSERT_TRUE(second && *second);
  EXPECT_THAT(**second, ElementsAre("io01", "io02/sda"));
}

TEST(MaskFile, ABadFileIsSaidOnceWithItsLine) {
  const testing::TempFolder folder;
  MaskFile file(folder.Write("masked", "io01\nwhat is this\n"));
  const auto bad = file.Changed();
  ASSERT_TRUE(bad);
  ASSERT_FALSE(*bad);
  EXPECT_THAT(bad->error().Text(), HasSubstr("masked:2: expected one node or node/device"));
  EXPECT_FALSE(file.Changed());
}

TEST(MaskFile, AFileThatGoesIsAProblemAndMayComeBack) {
  const testing::TempFolder folder;
  const auto path = folder.Write("masked", "io01\n");
  MaskFile file(path);
  (void)file.Changed();
  ASSERT_EQ(std::remove(path.c_str()), 0);
  const auto gone = file.Changed();
  ASSERT_TRUE(gone);
  EXPECT_FALSE(*gone);
  EXPECT_FALSE(file.Changed());
  folder.Write("masked", "io03\n");
  EXPECT_THAT(file.Changed()->value(), ElementsAre("io03"));
}

TEST(MaskFile, ALinkToADeviceWithoutAnEndIsRefused) {
  const testing::TempFolder folder;
  ASSERT_EQ(::symlink("/dev/zero", folder.Path("masked").c_str()), 0);
  const auto bad = MaskFile(folder.Path("masked")).Changed();
  ASSERT_TRUE(bad && !*bad);
  EXPECT_THAT(bad->error().Text(), HasSubstr("masked: expected a regular file"));
}

TEST(MaskFile, APipeThatNobodyWritesToIsNotWaitedFor) {
  const testing::TempFolder folder;
  ASSERT_EQ(::mkfifo(folder.Path("masked").c_str(), 0600), 0);
  const auto bad = MaskFile(folder.Path("masked")).Changed();
  ASSERT_TRUE(bad && !*bad);
  EXPECT_THAT(bad->error().Text(), HasSubstr("masked: expected a regular file"));
}

TEST(MaskFile, WithoutOneNothingEverChanges) { EXPECT_FALSE(MaskFile("").Changed()); }

}  // namespace
}  // namespace limpet::mask_file_test
