#include "tests/docs/causes_page.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace limpet::testing::causes_page_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CausesPage, FilesShowTheTableOfToday) {
  for (const auto& [path, text] : CauseFiles(".")) {
    std::ostringstream page;
    page << std::ifstream(path).rdbuf();
    EXPECT_EQ(page.str(), text) << path
                                << ": run cmake --build --preset dev --target refresh_causes";
  }
}

TEST(CausesPage, AnAlertSaysWhatItsOwnCausesMean) {
  const auto made = WithAlertTexts(
      "- alert: LimpetServerIndicted\n"
      "  expr: limpet_indicted{cause!~\"old\"} == 1\n"
      "    {{ if eq $labels.cause \"gone\" }}that it is old.\n"
      "    {{- else if eq $labels.cause \"gone-too\" }}that it is old.\n"
      "    {{- else }}{{ $labels.cause }}.{{ end }}\n"
      "  next_step: >-\n"
      "    {{ if eq $labels.cause \"gone\" }}old\n"
      "- alert: LimpetServerBroken\n"
      "  description: >-\n"
      "    {{ if eq $labels.cause \"gone\" }}that it is old.\n"
      "    {{- else }}{{ $labels.cause }}.{{ end }}\n");
  EXPECT_THAT(made, Not(HasSubstr("old")));
  EXPECT_THAT(made, HasSubstr("cause!~\"server-crash|server-hang|propagated-error\"}"));
  EXPECT_THAT(made,
              HasSubstr("    {{ if eq $labels.cause \"disk-hog\" }}that something else reads or "
                        "writes its disks. Look at iotop -ao and pidstat -d 1 there: a backup, "));
  EXPECT_THAT(made, HasSubstr("    {{- else if eq $labels.cause \"packet-loss\" }}"));
  EXPECT_THAT(made, HasSubstr("  next_step: >-\n    {{ if eq $labels.cause \"disk-hog\" }}On {{ "
                              "$labels.node }}, find the process that uses the disk"));
  const auto broken = made.substr(made.find("LimpetServerBroken"));
  EXPECT_THAT(broken, HasSubstr("    {{ if eq $labels.cause \"server-crash\" }}"));
  EXPECT_THAT(broken, Not(HasSubstr("disk-hog")));
  EXPECT_THAT(broken, HasSubstr("    {{- else }}"));
}

TEST(CausesPage, TablesOfThePlaybooksHaveARowACause) {
  const auto made = WithCauseTables(
      "## LimpetServerBroken\n\n| cause | what differs | look at | usual reasons "
      "|\n|---|---|---|---|\n"
      "| `gone` | a | b | c |\n\nText.\n| other | table |\n|---|---|\n| kept | too |\n");
  EXPECT_THAT(made, Not(HasSubstr("gone")));
  EXPECT_THAT(made, HasSubstr("|---|---|---|---|\n| `server-crash` | "));
  EXPECT_THAT(made, Not(HasSubstr("disk-hog")));
  EXPECT_THAT(made, HasSubstr("|\n\nText.\n| other | table |\n|---|---|\n| kept | too |\n"));
}

}  // namespace
}  // namespace limpet::testing::causes_page_test
