// limpet-cost WORK: one of the works whose instructions cost_test.py counts, those within Count
// alone.
//   collect  ticks of the exporter's disk, net and host collectors, 12 disks, 4 interfaces; pages
//   scrape   live pages of 10 servers, as a diagnoser reads them
//   replay   recorded pages of 6 servers, judged at all time scales
//   group    the same of one group of 384 disks
//   page     the metrics page of 1,000 servers with 60 components and metrics each
//   state    the state of 10 servers, exported and encoded
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/metrics.h"
#include "diagnoser/state/codec.h"
#include "exporter/collectors/all.h"
#include "exporter/common/exposition/writer.h"
#include "exporter/common/yaml.h"
#include "hwy/nanobenchmark.h"
#include "tests/benchmarks/fleet/fleet.h"
#include "tests/support/temp_folder.h"

// libhwy measures its timer as it is loaded, by rdtscp, which Valgrind refuses on processors that
// do not announce it (virtual ones). The libraries take this one.
std::uint64_t hwy::platform::TimerResolution() { return 1; }

namespace limpet {
namespace {

using bench::Fleet;
using bench::FleetShape;
using bench::PageKind;

// What cost_test.py has callgrind count: everything below it, and nothing else.
[[gnu::noinline]] void Count(const std::function<void()>& work) { work(); }

void Collect() {
  constexpr int kDevices = 12;
  constexpr int kTicks = 100;
  testing::TempFolder folder;
  std::string disks;
  std::string interfaces = "Inter-|   Receive |  Transmit\n face |bytes packets |bytes packets\n";
  for (int i = 0; i < kDevices; ++i) {
    const auto id = std::to_string(i);
    disks += "   8 " + id + " sd" + id +
             " 100000001 3000 8000000001 700123 5000001 70 90000001 800456 3 900789 1000123"
             " 11 12 13 14 15 16\n";
    if (i < kDevices / 3) {
      interfaces += "  eth" + id + ": 123456789012 1234567 0 0 0 0 0 0 98765432109 7654321" +
                    " 0 0 0 0 0 0\n";
    }
  }
  folder.Write("proc/diskstats", disks);
  folder.Write("proc/net/dev", interfaces);
  folder.Write("proc/stat", "cpu  1 2 3 4 5 6 7 8 9 10\nctxt 11\nbtime 12\nprocesses 13\n");
  folder.Write("proc/loadavg", "0.10 0.20 0.30 1/234 5678\n");
  yaml::Problems problems;
  auto chosen = ReadCollectors(yaml::MapReader(nullptr, "collectors", problems));
  std::erase_if(chosen, [](const ChosenCollector& one) {
    return one.module->name != "disk" && one.module->name != "net" && one.module->name != "host";
  });
  CollectorInputs inputs;
  inputs.procfs = folder.Path("proc");
  inputs.sysfs = folder.Path("sys");
  inputs.log = [](LogLevel, std::string_view) {};
  const auto collectors = *MakeCollectors(chosen, inputs);
  Tick tick{};
  RenderOptions how;
  how.kept_text = std::make_shared<KeptText>();
  const auto take = [&] {
    tick.steady += std::chrono::seconds(1);
    Families all;
    for (const auto& collector : collectors) {
      auto families = collector->Collect(tick);
      std::move(families->begin(), families->end(), std::back_inserter(all));
    }
    (void)Render(all, Format::kText, how);
  };
  take();  // what files say of the devices is read by threads
  for (int i = 0; i < kTicks; ++i) {
    Count(take);
  }
}

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = DefaultPresets();
  config.groups = {{.name = "disks"}, {.name = "net", .kind = GroupKind::kNetwork}};
  config.one_order = true;
  return config;
}

void Feed(Pipeline& pipeline, const FleetShape& shape, PageKind kind, std::int64_t seconds) {
  const Fleet fleet(shape);
  const bool live = kind == PageKind::kLive;
  for (std::int64_t second = 0; second < seconds; ++second) {
    const auto at = UnixFromSeconds(bench::kFleetBegin + second);
    for (std::size_t node = 0; node < shape.nodes; ++node) {
      const auto name = bench::NodeName(node);
      const auto page = fleet.Page(node, second, kind);
      Count([&] {
        (void)pipeline.Ingest({.source = name,
                               .node = live ? name : "",
                               .role = {},
                               .labels = {},
                               .at = at,
                               .format = live ? Format::kText : Format::kOpenMetrics,
                               .recording = !live,
                               .text = page});
      });
    }
    Count([&] { (void)pipeline.Advance(at - std::chrono::seconds(1)); });
  }
}

void ScrapeFleet() {
  Pipeline pipeline(Config());
  Feed(pipeline, {.nodes = 10, .disks = 12, .interfaces = 2}, PageKind::kLive, 40);
}

void ReplayFleet() {
  Pipeline pipeline(Config());
  Feed(pipeline, {.nodes = 6, .disks = 12, .interfaces = 2}, PageKind::kRecorded, 120);
}

void JudgeLargeGroup() {
  Pipeline pipeline(Config());
  Feed(pipeline, {.nodes = 16, .disks = 24, .interfaces = 0}, PageKind::kRecorded, 70);
}

void PrintPage() {
  constexpr std::size_t kNodes = 1000;
  PipelineView view;
  for (std::size_t node = 0; node < kNodes; ++node) {
    const auto name = bench::NodeName(node);
    view.nodes.push_back({.preset = "default", .node = name, .luns = {}});
    for (int disk = 0; disk < 12; ++disk) {
      for (const auto* metric : {"await", "svctm", "rd_sec", "wr_sec", "%util"}) {
        view.components.push_back({.preset = "default",
                                   .group = "disks",
                                   .node = name,
                                   .device = "sd" + std::to_string(disk),
                                   .metric = metric,
                                   .flagged = node == 7,
                                   .degree = node == 7 ? 3.5 : 0.25,
                                   .effect = 0.125,
                                   .accumulator = node == 7 ? 4U : 0U,
                                   .rank = std::nullopt});
      }
    }
  }
  Count([&] { (void)Render(VerdictFamilies(view, {}), Format::kText); });
}

void WriteState() {
  const auto config = Config();
  Pipeline pipeline(config);
  Feed(pipeline, {.nodes = 10, .disks = 12, .interfaces = 2}, PageKind::kRecorded, 20);
  Count([&] { (void)EncodeState(pipeline.ExportState(), config); });
}

}  // namespace
}  // namespace limpet

int main(int argc, char** argv) {
  const std::map<std::string, std::function<void()>, std::less<>> works = {
      {"collect", limpet::Collect},    {"scrape", limpet::ScrapeFleet},
      {"replay", limpet::ReplayFleet}, {"group", limpet::JudgeLargeGroup},
      {"page", limpet::PrintPage},     {"state", limpet::WriteState}};
  const auto work = argc == 2 ? works.find(argv[1]) : works.end();
  if (work == works.end()) {
    std::fprintf(stderr, "usage: limpet-cost collect|scrape|replay|group|page|state\n");
    return 2;
  }
  work->second();
  return 0;
}
