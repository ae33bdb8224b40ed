#include "diagnoser/commands/kept_cases.h"

#include <filesystem>

#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/temp_folder.h"

namespace limpet::kept_cases_test {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class KeptCasesTest : public ::testing::Test {
 protected:
  KeptCasesTest() {
    case_.record = {.id = "000000000000000c", .node = "c", .cause = "disk-busy"};
    case_.record.since = case_.record.last = UnixFromSeconds(1'700'000'005);
    case_.record.ended = case_.record.since + 30s;
    case_.answer = {.incident = case_.record.id, .at = case_.record.since + 1h};
    case_.answer.kind = AnswerKind::kScrub;
  }
  Result<std::size_t> Keep() { return KeepCase(case_, {recording_}, folder_.Path("kept")); }

  const testing::TempFolder folder_;
  const std::string recording_ = folder_.Write("all.om", testing::DiskRecording(40, 'c'));
  Case case_;
};

TEST_F(KeptCasesTest, WhatIsKeptIsFoundAsItWas) {
  EXPECT_EQ(*Keep(), 1U);
  const auto found = FindKeptCases({folder_.Path("kept"), recording_, folder_.Path("none")});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].record.id, case_.record.id);
  EXPECT_EQ(found[0].record.node, "c");
  EXPECT_EQ(found[0].answer.kind, AnswerKind::kScrub);
  EXPECT_FALSE(found[0].IsFault());
  EXPECT_EQ(found[0].Span().from, case_.Span().from);
  EXPECT_EQ(found[0].Span().to, case_.Span().to);
  EXPECT_EQ(found[0].folder, folder_.Path("kept/000000000000000c"));
}

TEST_F(KeptCasesTest, ALaterAnswerTakesThePlaceOfTheFirst) {
  EXPECT_EQ(*Keep(), 1U);
  std::filesystem::remove(recording_);
  case_.answer.kind = AnswerKind::kFixed;
  EXPECT_EQ(*Keep(), 0U);
  EXPECT_TRUE(FindKeptCases({folder_.Path("kept")}).at(0).IsFault());
}

TEST_F(KeptCasesTest, WithoutReadingsOfItsTimeNothingIsKept) {
  case_.record.since += 24h;
  case_.record.ended = case_.record.since;
  EXPECT_EQ(*Keep(), 0U);
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("kept/000000000000000c")));
}

TEST_F(KeptCasesTest, WhatIsNoCaseIsLeftOut) {
  int number = 0;
  for (const auto* const text :
       {"", "[", "[]", "{}", R"({"answers":[]})", R"({"answers":[7]})",
        R"({"id":"../../etc","since":5,"answers":[{"as":"fixed"}]})",
        R"({"id":"000000000000000c","since":5,"answers":[{"as":"good"}]})",
        R"({"id":"000000000000000c","since":-1e300,"answers":[{"as":"fixed"}]})"}) {
    folder_.Write("bad/" + std::to_string(number++) + "/verdict.json", text);
  }
  EXPECT_THAT(FindKeptCases({folder_.Path("bad")}), IsEmpty());
}

}  // namespace
}  // namespace limpet::kept_cases_test
