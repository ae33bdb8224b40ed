#include "exporter/record/recording_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "tests/support/temp_folder.h"

namespace limpet {
namespace {

TEST(RecordingFolder, IsMadeWhenItIsNotThere) {
  const testing::TempFolder folder;
  ASSERT_TRUE(OpenRecordingFolder(folder.Path("new")));
  ASSERT_TRUE(OpenRecordingFolder(folder.Path("new")));
}

TEST(RecordingFolder, NamesWhatIsNoFolder) {
  const testing::TempFolder folder;
  const auto file = folder.Write("file", "");
  const auto opened = OpenRecordingFolder(file);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().where, file);
  EXPECT_FALSE(OpenRecordingFolder(folder.Path("no/such")));
}

TEST(RecordingFolder, NeverGivesAFileThatExists) {
  const testing::TempFolder folder;
  const auto opened = OpenRecordingFolder(folder.Path());
  ASSERT_TRUE(opened);
  folder.Write("a", "precious");
  const auto file = (*opened)->Create("a");
  ASSERT_TRUE(file);
  EXPECT_EQ(*file, nullptr);
  EXPECT_EQ(folder.Read("a"), "precious");
}

TEST(RecordingFile, GrowsByWholePieces) {
  const testing::TempFolder folder;
  const auto opened = OpenRecordingFolder(folder.Path());
  ASSERT_TRUE(opened);
  const auto file = (*opened)->Create("a");
  ASSERT_TRUE(file);
  EXPECT_TRUE((*file)->Append("one"));
  EXPECT_TRUE((*file)->Append("two"));
  EXPECT_EQ(folder.Read("a"), "onetwo");
}

TEST(RecordingFile, LeavesNothingOfAPieceThatDidNotFit) {
  const testing::TempFolder folder;
  const auto opened = OpenRecordingFolder(folder.Path());
  ASSERT_TRUE(opened);
  const auto file = (*opened)->Create("a");
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->Append("one"));

  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit tight{.rlim_cur = 5, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  const auto appended = (*file)->Append("too long");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);

  EXPECT_FALSE(appended);
  EXPECT_EQ(folder.Read("a"), "one");
  EXPECT_TRUE((*file)->Append("two"));
  EXPECT_EQ(folder.Read("a"), "onetwo");
}

}  // namespace
}  // namespace limpet
