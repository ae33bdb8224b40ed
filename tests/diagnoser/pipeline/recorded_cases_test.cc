// Every recorded case replays to the events that an independent implementation gave. More cases may
// be tried from the folder that the environment variable LIMPET_CASES names.
#include <gmock/gmock.h>

#include <cstdlib>

#include "diagnoser/publish/events.h"
#include "diagnoser/runtime/replay.h"
#include "tests/support/case_folder.h"

namespace limpet::recorded_cases_test {
namespace {

using testing::CaseFolder;

std::vector<std::string> AllCases() {
  auto folders = testing::CaseFoldersIn("tests/fixtures/cases");
  if (const char* more = std::getenv("LIMPET_CASES")) {
    for (auto& folder : testing::CaseFoldersIn(more)) {
      folders.push_back(std::move(folder));
    }
  }
  return folders;
}

TEST(RecordedCases, ReplayToTheExpectedEvents) {
  for (const auto& folder : AllCases()) {
    const CaseFolder one = testing::LoadCase(folder);
    std::vector<std::string> found;
    const auto report = Replay(
        one.config, one.recordings,
        [&](const Event& event) {
          // The other implementation knows nothing of storms and the bimodality check.
          if (!std::holds_alternative<StormEvent>(event) &&
              !std::holds_alternative<BimodalityEvent>(event)) {
            found.push_back(ToJsonLine(event));
          }
        },
        [](LogLevel, std::string_view text) { ADD_FAILURE() << text; });
    ASSERT_TRUE(report) << report.error().Text();
    EXPECT_EQ(report->bad_lines, 0U);
    EXPECT_EQ(testing::Differences(one.expected, found), "") << folder;
  }
}

}  // namespace
}  // namespace limpet::recorded_cases_test
