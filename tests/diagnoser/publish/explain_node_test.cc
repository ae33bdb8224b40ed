#include "diagnoser/publish/explain_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::explain_node_test {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

UnixTime At(int seconds) { return UnixTime(std::chrono::seconds(seconds)); }

constexpr const char* kJudged =
    R"({"servers": [{"node": "io02", "state": "like-peers", "text": "like its peers"},
        {"node": "io03", "state": "limps", "text": "limps: disk-busy"},
        {"node": "io05", "state": "not-judged", "text": "not judged: no page of it: refused"},
        {"node": "io06", "state": "not-judged", "text": "not judged: fewer than three servers"}]})";
constexpr const char* kVerdicts = R"({"verdicts": [
    {"node": "io03", "cause": "disk-busy", "indicted": true, "since": 1000, "named": 1060, "preset": "default",
     "evidence": [{"text": "await of io03/sdb 10.6\u00d7 its peers", "background": "far from 5"}],
     "facts": [{"text": "sdb of io03 has had 12 errors"}], "next_step": "On io03, read smartctl -a."},
    {"node": "io04", "cause": "disk-busy", "indicted": false, "since": null, "evidence": []}],
    "unknown": [{"node": "io06", "text": "io06: unknown"}],
    "storms": [{"text": "storm", "components": ["io07/sda"]}]})";

std::string Of(const std::string& node) {
  const auto said = ExplainNode(kVerdicts, kJudged, node, At(1240));
  return said ? said->text : "error: " + said.error().Text();
}

TEST(ExplainNode, SaysWhatSinceWhenWhyAndWhatToDo) {
  EXPECT_EQ(Of("io03"),
            "io03: indicted: disk-busy\n"
            "  since   1970-01-01T00:16:40Z, for 4 min\n"
            "  named   1970-01-01T00:17:40Z\n"
            "  because await of io03/sdb 10.6\u00d7 its peers\n"
            "          far from 5\n"
            "  known   sdb of io03 has had 12 errors\n"
            "  next    On io03, read smartctl -a.\n");
}

TEST(ExplainNode, WhoIsHealthySecondaryUnknownOrNotThere) {
  EXPECT_EQ(Of("io02"), "io02: like its peers\n");
  EXPECT_THAT(Of("io04"), HasSubstr("differs, too: disk-busy; it most likely suffers"));
  EXPECT_EQ(Of("io05"), "io05: not judged: no page of it: refused\n");
  EXPECT_EQ(Of("io06"), "io06: unknown\nio06: not judged: fewer than three servers\n");
  EXPECT_EQ(Of("io07"), "storm\n");
  EXPECT_EQ(Of("io3"), "error: no server is called io3; did you mean io03?");
}

TEST(ExplainNode, TellsWhetherTheServerIsJudged) {
  const auto judged = [](const std::string& node) {
    return ExplainNode(kVerdicts, kJudged, node, At(1240))->judged;
  };
  EXPECT_TRUE(judged("io02"));
  EXPECT_TRUE(judged("io03"));
  EXPECT_FALSE(judged("io05"));
  EXPECT_FALSE(judged("io06"));
}

TEST(ExplainNode, AnythingMayHaveAnswered) {
  for (const auto* text : {"", "[]", "{}", R"({"verdicts": 3})", "<html>"}) {
    EXPECT_FALSE(ExplainNode(text, text, "io03", At(0))) << text;
  }
  const auto odd = ExplainNode(R"({"verdicts": [3, {"node": "a", "since": "x", "evidence": 7}]})",
                               R"({"servers": 1})", "a", At(0));
  EXPECT_TRUE(odd);
}

VerdictEvent Verdict(int end, double degree, const std::string& node = "io03") {
  Evidence evidence{.component = node + "/sda", .group = "disks", .metric = "await"};
  evidence.mean = degree * 10;
  evidence.peer_median = 10;
  return {.end = At(end),
          .preset = "default",
          .node = node,
          .cause = Cause::kDiskBusy,
          .degree = degree,
          .luns = {},
          .evidence = {evidence}};
}

TEST(NodeIncidents, VerdictsInARowAreOneIncidentWithTheWorstEvidence) {
  NodeIncidents incidents("io03", {{"default", 96s}});
  for (const auto& verdict : {Verdict(100, 2), Verdict(132, 9), Verdict(164, 1),
                              Verdict(132, 99, "io04"), Verdict(1000, 3)}) {
    incidents.Add(verdict);
  }
  const auto text = incidents.Text();
  EXPECT_THAT(text, HasSubstr("  from    1970-01-01T00:01:40Z to 1970-01-01T00:02:44Z, 64 s\n"
                              "  named   1970-01-01T00:01:40Z\n"
                              "  because await of io03/sda 9.00\u00d7 its peers, +80.0 ms\n"));
  EXPECT_THAT(text, HasSubstr("  from    1970-01-01T00:16:40Z to 1970-01-01T00:16:40Z, 0 s\n"));
  EXPECT_THAT(text, HasSubstr("  next    On io03, read the kernel log and smartctl -a for sda"));
  EXPECT_EQ(NodeIncidents("io09", {}).Text(), "");
}

}  // namespace
}  // namespace limpet::explain_node_test
