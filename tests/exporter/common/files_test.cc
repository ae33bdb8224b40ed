#include "exporter/common/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/temp_folder.h"

namespace limpet::files_test {
namespace {

using ::testing::ElementsAre;

TEST(RealFiles, ReadsAFileAnewThroughTheKeptDescriptor) {
  const testing::TempFolder folder;
  folder.Write("stat", "one");
  const auto files = OpenRealFiles(folder.Path());
  EXPECT_EQ(*files->Read("stat"), "one");
  folder.Write("stat", "second");
  EXPECT_EQ(*files->Read("stat"), "second");
}

TEST(RealFiles, ReadsTheFileThatTookAnothersPlace) {
  const testing::TempFolder folder;
  folder.Write("diskstats", "old");
  const auto files = OpenRealFiles(folder.Path());
  ASSERT_EQ(*files->Read("diskstats"), "old");
  folder.Write("new", "new");
  std::filesystem::rename(folder.Path() + "/new", folder.Path() + "/diskstats");
  EXPECT_EQ(*files->Read("diskstats"), "new");
}

TEST(RealFiles, ReadsMoreThanOneBuffer) {
  const testing::TempFolder folder;
  const std::string big(100'000, 'x');
  folder.Write("big", big);
  EXPECT_EQ(*OpenRealFiles(folder.Path())->Read("big"), big);
}

TEST(RealFiles, NamesTheFileThatIsNotThere) {
  const auto read = OpenRealFiles("/nonexistent")->Read("diskstats");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read.error().where, "/nonexistent/diskstats");
}

TEST(RealFiles, TellAnErrorFromWhatIsNotThere) {
  // The kernel answers a read at address 0 of a process with EIO.
  const auto failed = OpenRealFiles("/proc/self")->ReadOnce("mem");
  ASSERT_FALSE(failed);
  EXPECT_TRUE(IsUnreadable(failed.error())) << failed.error().Text();
  EXPECT_EQ(failed.error().message, "Input/output error");
  EXPECT_FALSE(IsUnreadable(OpenRealFiles("/nonexistent")->Read("mem").error()));
  EXPECT_FALSE(IsUnreadable({ErrorCode::kInvalid, "Invalid argument", "speed"}));
}

TEST(RealFiles, ListsAFolderInOrder) {
  const testing::TempFolder folder;
  folder.Write("sdb", "");
  folder.Write("sda", "");
  EXPECT_THAT(*OpenRealFiles(folder.Path())->List(""), ElementsAre("sda", "sdb"));
}

}  // namespace
}  // namespace limpet::files_test
