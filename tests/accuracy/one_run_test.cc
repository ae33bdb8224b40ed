#include "tests/accuracy/one_run.h"

#include <gmock/gmock.h>

#include "diagnoser/detect/default_presets.h"
#include "exporter/common/exposition/codec.h"

namespace limpet::accuracy::one_run_test {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

const RunKey kBusy{.servers = 6,
                   .workload = simulator::Workload::kDdr,
                   .fault = simulator::Fault::kDiskBusy,
                   .seed = 2};

TEST(Diagnose, FindsABusyDiskAndNobodyElse) {
  const auto result = Diagnose(kBusy, {.presets = {BarePreset()}, .groups = PeerGroups()});
  ASSERT_FALSE(result.indictments.empty());
  EXPECT_EQ(result.faulty, "io06");
  for (const auto& one : result.indictments) {
    EXPECT_EQ(one.node, "io06");
    EXPECT_EQ(one.cause, Cause::kDiskBusy);
    EXPECT_GT(one.at, 135);
  }
}

TEST(Diagnose, DoesNotBlameADiskThatIsTwoPercentSlower) {
  // All disks of this room alike but one: the striped loop queues there.
  auto spec = ClusterOf({.servers = 6});
  spec.disk_spread = 0;
  spec.slow_disk = 2;
  spec.slow_factor = 1.02;
  simulator::Cluster cluster(spec, {.workload = simulator::Workload::kDdr, .seed = 9});
  simulator::Pages pages(spec, {});
  Pipeline pipeline({.presets = {BarePreset()}, .groups = PeerGroups()});
  std::size_t verdicts = 0;
  while (const auto* snapshot = cluster.NextSecond()) {
    UnixTime now{};
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const auto page = pages.Render(*snapshot, i);
      ASSERT_TRUE(pipeline.Ingest({.source = page.node,
                                   .node = page.node,
                                   .role = page.role,
                                   .labels = {},
                                   .at = page.at,
                                   .text = page.text}));
      now = std::max(now, page.at);
    }
    for (const auto& event : pipeline.Advance(now)) {
      verdicts += std::holds_alternative<VerdictEvent>(event) ? 1U : 0U;
    }
  }
  EXPECT_EQ(verdicts, 0U);
}

TEST(RunThrough, SeesWhatIsScrapedAndNoMore) {
  RunKey key{.servers = 4, .workload = simulator::Workload::kDdr, .seconds = 300, .interval = 15};
  auto preset = ProductionPreset();
  preset.window = 8;  // 2 min of 15 s
  preset.shift = 4;
  std::size_t judged = 0;
  RunThrough(key, {.presets = {preset}, .groups = PeerGroups()}, [&](const Event& event, double) {
    const auto* window = std::get_if<WindowEvent>(&event);
    judged += window != nullptr && window->group == "io" && !window->undetermined ? 1U : 0U;
  });
  EXPECT_GT(judged, 0U);
  key.interval = 60;  // further apart than max_gap
  judged = 0;
  RunThrough(key, {.presets = {preset}, .groups = PeerGroups()}, [&](const Event& event, double) {
    const auto* window = std::get_if<WindowEvent>(&event);
    judged += window != nullptr && !window->undetermined ? 1U : 0U;
  });
  EXPECT_EQ(judged, 0U);
}

TEST(SpecOf, HasTheFaultWhenItIsWanted) {
  const auto spec = SpecOf({.fault = simulator::Fault::kDiskHog,
                            .fault_start = simulator::Seconds(40),
                            .fault_end = simulator::Seconds(50)});
  ASSERT_EQ(spec.injections.size(), 1U);
  EXPECT_EQ(spec.injections[0].start, simulator::Seconds(40));
  EXPECT_EQ(spec.injections[0].end, simulator::Seconds(50));
}

TEST(Recording, IsOpenMetricsTextInFrames) {
  const auto bytes = Recording({.servers = 3});
  EXPECT_EQ(SniffEncoding(bytes), Encoding::kZstd);
  const auto text = Decode(Encoding::kZstd, bytes, {.max_ratio = DecodeLimits::kNone});
  ASSERT_TRUE(text);
  EXPECT_FALSE(text->cut);
  EXPECT_THAT(text->text, StartsWith("# TYPE limpet_disk_reads_completed counter\n"));
  EXPECT_THAT(text->text, EndsWith("# EOF\n"));
}

}  // namespace
}  // namespace limpet::accuracy::one_run_test
