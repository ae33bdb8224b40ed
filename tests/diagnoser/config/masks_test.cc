#include "diagnoser/config/masks.h"

#include <gmock/gmock.h>

namespace limpet::masks_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Masks, AreOneALineWithComments) {
  const auto masks =
      ParseMasks("# rack r4\nio07\n\n  io08/sdc  # until the swap\r\nio09/cciss!c0d0", "m");
  ASSERT_TRUE(masks) << masks.error().Text();
  EXPECT_THAT(*masks, ElementsAre("io07", "io08/sdc", "io09/cciss!c0d0"));
}

TEST(Masks, NothingIsNobody) {
  EXPECT_THAT(*ParseMasks("", "m"), IsEmpty());
  EXPECT_THAT(*ParseMasks("# nobody\n", "m"), IsEmpty());
}

TEST(Masks, ABadLineIsNamedAndRefusesTheFile) {
  EXPECT_THAT(
      ParseMasks("io07\nio08 io09\n", "masked.txt").error().Text(),
      HasSubstr("masked.txt:2: expected one node or node/device a line, got \"io08 io09\""));
  EXPECT_THAT(ParseMasks("/sda\n", "m").error().Text(), HasSubstr("m:1: expected node or"));
  EXPECT_THAT(ParseMasks("io07/\n", "m").error().Text(), HasSubstr("m:1: expected node or"));
  EXPECT_THAT(ParseMasks("io\x01\n", "m").error().Text(), HasSubstr("m:1:"));
  EXPECT_FALSE(ParseMasks(std::string(600, 'a'), "m"));
}

}  // namespace
}  // namespace limpet::masks_test
