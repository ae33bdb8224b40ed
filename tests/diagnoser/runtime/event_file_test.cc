#include "diagnoser/runtime/event_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_folder.h"

namespace limpet::event_file_test {
namespace {

TEST(EventFile, AppendsToWhatIsThere) {
  const testing::TempFolder folder;
  folder.Write("events", "old\n");
  EventFile file(folder.Path("events"));
  EXPECT_TRUE(file.Write("a\n"));
  EXPECT_TRUE(file.Write("b\nc\n"));
  EXPECT_EQ(folder.Read("events"), "old\na\nb\nc\n");
}

TEST(EventFile, AfterReopenARenamedFileIsLeftAlone) {
  const testing::TempFolder folder;
  EventFile file(folder.Path("events"));
  EXPECT_TRUE(file.Write("a\n"));
  std::filesystem::rename(folder.Path("events"), folder.Path("events.1"));
  file.Reopen(folder.Path("events"));
  EXPECT_TRUE(file.Write("b\n"));
  EXPECT_EQ(folder.Read("events.1"), "a\n");
  EXPECT_EQ(folder.Read("events"), "b\n");
}

TEST(EventFile, ASymbolicLinkIsNotFollowed) {
  const testing::TempFolder folder;
  folder.Write("secret", "mine\n");
  std::filesystem::create_symlink(folder.Path("secret"), folder.Path("events"));
  const auto written = EventFile(folder.Path("events")).Write("a\n");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().Text(), folder.Path("events") +
                                        ": cannot write the event log: it is a symbolic link; "
                                        "expected a file, or none yet");
  EXPECT_EQ(folder.Read("secret"), "mine\n");
}

TEST(EventFile, WithoutAPathNothingIsWritten) { EXPECT_TRUE(EventFile("").Write("a\n")); }

TEST(EventFile, AFullDiskIsAnErrorAndTriedAgain) {
  EventFile file("/dev/full");
  for (int i = 0; i < 2; ++i) {
    const auto written = file.Write("a\n");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().Text(),
              "/dev/full: cannot write the event log: No space left on device");
  }
}

}  // namespace
}  // namespace limpet::event_file_test
