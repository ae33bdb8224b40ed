#include "exporter/record/recording_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "tests/support/temp_folder.h"

namespace limpet::recording_file_test {
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
  const auto missing = OpenRecordingFolder(folder.Path("no/such"));
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, ::testing::HasSubstr("mkdir -p")) << "what to do";
}

TEST(RecordingFolder, IsMadeAgainWhenItGoesAway) {
  const testing::TempFolder folder;
  const auto opened = OpenRecordingFolder(folder.Path("r"));
  ASSERT_TRUE(opened);
  std::filesystem::remove(folder.Path("r"));
  EXPECT_TRUE((*opened)->Create("a"));
  EXPECT_TRUE(std::filesystem::exists(folder.Path("r/a")));
}

TEST(RecordingFolder, ListsFilesWithTheirSizesAndDeletesThem) {
  const testing::TempFolder folder;
  const auto opened = OpenRecordingFolder(folder.Path());
  ASSERT_TRUE(opened);
  folder.Write("a", "four");
  std::filesystem::create_directory(folder.Path("b"));
  std::filesystem::create_symlink("/etc/passwd", folder.Path("c"));
  const auto stored = (*opened)->List();
  ASSERT_TRUE(stored);
  ASSERT_EQ(stored->size(), 1U);
  EXPECT_EQ(stored->front().name, "a");
  EXPECT_EQ(stored->front().bytes, 4U);
  EXPECT_TRUE((*opened)->Remove("a"));
  EXPECT_FALSE((*opened)->Remove("a"));
  EXPECT_FALSE(MakeRecordingFolder(folder.Path("none"))->List());
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

TEST(RecordingFile, SaysThatSomebodyDeletedIt) {
  const testing::TempFolder folder;
  const auto file = MakeRecordingFolder(folder.Path(), false)->Create("a");
  ASSERT_TRUE(file);
  EXPECT_TRUE((*file)->Append("one"));
  std::filesystem::remove(folder.Path("a"));
  const auto appended = (*file)->Append("two");
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code, ErrorCode::kNotFound);
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
}  // namespace limpet::recording_file_test
