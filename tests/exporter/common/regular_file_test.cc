#include "exporter/common/regular_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/support/temp_folder.h"

namespace limpet::regular_file_test {
namespace {

using ::testing::HasSubstr;

struct RegularFile : ::testing::Test {
  std::string Problem(const std::string& name, std::size_t max_bytes = 100) {
    const auto text = ReadRegularFile(folder.Path(name), max_bytes);
    return text ? "read" : text.error().Text();
  }
  testing::TempFolder folder;
};

TEST_F(RegularFile, IsReadWhole) {
  const std::string text(100'000, 'x');
  folder.Write("a", text);
  EXPECT_EQ(*ReadRegularFile(folder.Path("a"), text.size()), text);
  folder.Write("empty", "");
  EXPECT_EQ(*ReadRegularFile(folder.Path("empty"), 0), "");
}

TEST_F(RegularFile, OverTheBoundIsRefused) {
  folder.Write("a", std::string(101, 'x'));
  EXPECT_THAT(Problem("a"), HasSubstr("/a: expected at most 100 bytes"));
}

TEST_F(RegularFile, WithoutASizeIsReadToItsEnd) {
  EXPECT_THAT(*ReadRegularFile("/proc/self/status", 100'000), HasSubstr("Name:"));
}

TEST_F(RegularFile, PipesFoldersAndDevicesAreNone) {
  ASSERT_EQ(::mkfifo(folder.Path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(Problem("pipe"), HasSubstr("expected a regular file"));
  EXPECT_THAT(Problem(""), HasSubstr("expected a regular file"));
  EXPECT_EQ(ReadRegularFile("/dev/zero", 10).error().code, ErrorCode::kInvalid);
}

TEST_F(RegularFile, ThatIsGoneSaysSo) {
  EXPECT_THAT(Problem("gone"), HasSubstr("/gone: No such file or directory"));
}

}  // namespace
}  // namespace limpet::regular_file_test
