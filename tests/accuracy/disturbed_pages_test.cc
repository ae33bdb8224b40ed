#include "tests/accuracy/disturbed_pages.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <variant>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"
#include "tests/accuracy/one_run.h"
#include "tests/simulator/page.h"

namespace limpet::accuracy::disturbed_pages_test {
namespace {

using simulator::Fault;
using simulator::Workload;
using ::testing::Contains;
using ::testing::IsEmpty;

// The servers that were indicted while pages were disturbed, and how often.
std::map<std::string, int> Indicted(const RunKey& key, std::uint64_t seed) {
  const auto spec = ClusterOf(key);
  auto run = SpecOf(key);
  run.seconds = 400;
  simulator::Cluster cluster(spec, run);
  simulator::Pages pages(spec, PagesOf(key));
  DisturbedPages disturbed({}, seed);
  PipelineConfig config;
  config.presets = DefaultPresets();
  config.groups = PeerGroups();
  Pipeline pipeline(config);
  std::map<std::string, int> indicted;
  while (const auto* snapshot = cluster.NextSecond()) {
    std::vector<std::string> texts;
    std::vector<simulator::Pages::Page> all;
    for (std::size_t node = 0; node < pages.size(); ++node) {
      all.push_back(pages.Render(*snapshot, node));
      texts.emplace_back(all.back().text);
    }
    UnixTime now{};
    for (std::size_t node = 0; node < pages.size(); ++node) {
      now = std::max(now, all[node].at);
      if (const auto text = disturbed.Disturb(node, texts)) {
        (void)pipeline.Ingest({.source = all[node].node,
                               .node = all[node].node,
                               .role = all[node].role,
                               .labels = {},
                               .at = all[node].at,
                               .text = *text});
      }
    }
    for (const auto& event : pipeline.Advance(now)) {
      const auto* verdict = std::get_if<VerdictEvent>(&event);
      if (verdict != nullptr && !verdict->secondary) {
        ++indicted[verdict->node];
      }
    }
  }
  return indicted;
}

// More of them by hand: LIMPET_SEEDS=500.
std::uint64_t Seeds() {
  const char* const given = std::getenv("LIMPET_SEEDS");
  return given == nullptr ? 4 : std::strtoull(given, nullptr, 10);
}

TEST(DisturbedPages, TroubleOfTheMonitoringIndictsNobody) {
  for (std::uint64_t seed = 1; seed <= Seeds(); ++seed) {
    for (const auto workload : {Workload::kDdr, Workload::kDdw, Workload::kPostmark}) {
      const RunKey key{.servers = 6, .workload = workload, .seed = seed};
      EXPECT_THAT(Indicted(key, seed), IsEmpty()) << Describe(key);
    }
  }
}

TEST(DisturbedPages, AndHidesNoFault) {
  for (const auto fault : {Fault::kDiskHog, Fault::kDiskBusy, Fault::kReadNetworkHog}) {
    const RunKey key{.servers = 6, .workload = Workload::kDdr, .fault = fault, .seed = 2};
    const auto faulty = (key.seed * 7 + 3) % key.servers;
    simulator::Pages pages(ClusterOf(key), PagesOf(key));
    const auto indicted = Indicted(key, 7);
    EXPECT_THAT(indicted, Contains(::testing::Key(pages.ServerName(faulty)))) << Describe(key);
    EXPECT_EQ(indicted.size(), 1U) << Describe(key);
  }
}

}  // namespace
}  // namespace limpet::accuracy::disturbed_pages_test
