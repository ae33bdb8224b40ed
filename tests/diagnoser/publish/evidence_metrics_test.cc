#include "diagnoser/publish/evidence_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exporter/common/exposition/writer.h"

namespace limpet::evidence_metrics_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

UnixTime At(int seconds) { return UnixTime(std::chrono::seconds(seconds)); }

Evidence Await(const std::string& component, double degree, double mean, double peers) {
  Evidence evidence{.component = component, .group = "disks", .metric = "await"};
  evidence.degree = degree;
  evidence.mean = mean;
  evidence.peer_median = peers;
  evidence.peers = 5;
  return evidence;
}

PipelineView Indicted(std::vector<Evidence> evidence, bool secondary = false) {
  PipelineView view;
  view.nodes = {{.preset = "default",
                 .node = "io03",
                 .cause = Cause::kDiskBusy,
                 .indicted = !secondary,
                 .luns = {}}};
  view.verdicts = {{.end = At(130),
                    .since = At(77),
                    .named = At(100),
                    .preset = "default",
                    .node = "io03",
                    .cause = Cause::kDiskBusy,
                    .secondary = secondary,
                    .luns = {},
                    .evidence = std::move(evidence)}};
  return view;
}

std::string Page(const PipelineView& view) {
  VerdictLog log;
  (void)log.Update(view);
  return Render(EvidenceFamilies(view, log), Format::kText);
}

TEST(EvidenceMetrics, SayWhichDiskHowMuchAndSinceWhen) {
  const auto page = Page(Indicted({Await("io03/sda", 2, 20, 8), Await("io03/sdb", 9, 85, 8)}));
  const std::string labels =
      "{node=\"io03\",cause=\"disk-busy\",peer_group=\"disks\",device=\"sdb\",metric=\"await\"";
  EXPECT_THAT(page, HasSubstr("limpet_indicted_since_timestamp_seconds{node=\"io03\",cause=\"disk-"
                              "busy\"} 77\n"));
  EXPECT_THAT(page, HasSubstr("limpet_indicted_named_timestamp_seconds{node=\"io03\",cause=\"disk-"
                              "busy\"} 100\n"));
  EXPECT_THAT(page, HasSubstr("limpet_evidence_ratio" + labels + "} 10.625\n"));
  EXPECT_THAT(page, HasSubstr("limpet_evidence_difference" + labels + ",unit=\"ms\"} 77\n"));
  EXPECT_THAT(page, HasSubstr("limpet_evidence_peers" + labels + "} 5\n"));
  EXPECT_THAT(page, Not(HasSubstr("sda")));
}

TEST(EvidenceMetrics, AgainstNothingOnlyTheDifferenceSpeaks) {
  for (const double peers : {0.0, 1e-6}) {
    const auto page = Page(Indicted({Await("io03/sdb", 9, 85, peers)}));
    EXPECT_THAT(page, Not(HasSubstr("limpet_evidence_ratio{")));
    EXPECT_THAT(page, HasSubstr("limpet_evidence_difference{"));
  }
}

TEST(EvidenceMetrics, WhoIsSecondaryHasNone) {
  EXPECT_THAT(Page(Indicted({Await("io03/sdb", 9, 85, 8)}, true)), Not(HasSubstr("io03")));
}

TEST(EvidenceMetrics, SystemCallsHaveOnlyTheirBeginning) {
  auto fact = Await("io03", 9, 85, 8);
  fact.syscall = SyscallFact{};
  const auto page = Page(Indicted({fact}));
  EXPECT_THAT(page, HasSubstr("limpet_indicted_since_timestamp_seconds{"));
  EXPECT_THAT(page, Not(HasSubstr("limpet_evidence_ratio{")));
}

}  // namespace
}  // namespace limpet::evidence_metrics_test
