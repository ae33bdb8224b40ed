#include "diagnoser/publish/playbooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Playbooks, EveryEntryHasTheAddressThatItsAlertNames) {
  const auto html = PlaybooksHtml("# Playbooks\n\n## LimpetServerIndicted\n\n**Look.** here\n");
  EXPECT_THAT(html, HasSubstr("<h2 id=\"limpetserverindicted\">LimpetServerIndicted</h2>"));
  EXPECT_THAT(html, HasSubstr("**Look.** here\n"));
}

TEST(Playbooks, TextIsNoMarkup) {
  const auto html = PlaybooksHtml("`prlimit --pid` <b> & co\n## A<script>\nend");
  EXPECT_THAT(html, HasSubstr("&lt;b&gt; &amp; co\n"));
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
  EXPECT_THAT(html, HasSubstr("end\n"));
}

TEST(Playbooks, NothingIsAnEmptyPage) { EXPECT_THAT(PlaybooksHtml(""), HasSubstr("</html>")); }

}  // namespace
}  // namespace limpet
