#include "diagnoser/sources/file_lists.h"

#include <gmock/gmock.h>

#include "tests/support/temp_folder.h"

namespace limpet::file_lists_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct FileListsTest : ::testing::Test {
  std::vector<std::string> Nodes() {
    std::vector<std::string> nodes;
    for (const auto& target : lists.List().targets) {
      nodes.push_back(target.node);
    }
    return nodes;
  }
  testing::TempFolder folder;
  FileLists lists{{folder.Path("*.{json,yml,txt}")}, {}};
};

TEST_F(FileListsTest, FilesAreInTheOrderOfTheirNames) {
  folder.Write("b.json", R"([{"targets": ["io02"]}])");
  folder.Write("a.yml", "- targets: [io01]\n");
  EXPECT_TRUE(lists.Refresh());
  EXPECT_THAT(Nodes(), ElementsAre("io01", "io02"));
  EXPECT_FALSE(lists.Refresh());
}

TEST_F(FileListsTest, OtherEndingsAreRefused) {
  folder.Write("a.txt", "io01\n");
  EXPECT_TRUE(lists.Refresh());
  EXPECT_THAT(Nodes(), IsEmpty());
  EXPECT_THAT(lists.List().problems,
              ElementsAre(HasSubstr("a.txt: expected a name that ends in .json, .yml or .yaml")));
  EXPECT_EQ(lists.Failing(), 0U);
}

TEST_F(FileListsTest, ABrokenFileCountsAsFailingUntilItIsMended) {
  folder.Write("a.json", "[");
  EXPECT_TRUE(lists.Refresh());
  EXPECT_EQ(lists.Failing(), 1U);
  folder.Write("a.json", R"([{"targets": ["io01"]}])");
  EXPECT_TRUE(lists.Refresh());
  EXPECT_EQ(lists.Failing(), 0U);
  EXPECT_THAT(Nodes(), ElementsAre("io01"));
}

TEST(FindListFormat, ReadsTheEnding) {
  EXPECT_EQ(FindListFormat("a/b.json"), ListFormat::kJson);
  EXPECT_EQ(FindListFormat("b.yaml"), ListFormat::kYaml);
  EXPECT_EQ(FindListFormat("b.yml.bak"), std::nullopt);
}

}  // namespace
}  // namespace limpet::file_lists_test
