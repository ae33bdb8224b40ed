// What a tick of the exporter costs on a machine with N disks and N interfaces, and how that grows:
//   collect   read and parse diskstats and net/dev, make the families (with gauges)
//   counters  as collect, without the gauges
//   render    print the page of `collect`
//   here/X    collector X on this machine's own /proc and /sys, the kernel's cost included
// But for `here` the tree is made of ordinary files, so the kernel's cost of /proc is not in it.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exporter/collectors/all.h"
#include "exporter/common/exposition/writer.h"
#include "exporter/config.h"
#include "tests/support/temp_folder.h"

namespace limpet {
namespace {

class Machine {
 public:
  Machine(std::int64_t devices, bool gauges) {
    std::string disks;
    std::string interfaces = "Inter-|   Receive |  Transmit\n face |bytes packets |bytes packets\n";
    for (std::int64_t i = 0; i < devices; ++i) {
      const auto id = std::to_string(i);
      disks += "   8 " + id + " sd" + id +
               " 100000001 3000 8000000001 700123 5000001 70 90000001 800456 3 900789 1000123"
               " 11 12 13 14 15 16\n";
      interfaces += "  eth" + id + ": 123456789012 1234567 0 0 0 0 0 0 98765432109 7654321" +
                    " 0 0 0 0 0 0\n";
      folder_.Write("sys/class/net/eth" + id + "/speed", "10000\n");
    }
    folder_.Write("proc/diskstats", disks);
    folder_.Write("proc/net/dev", interfaces);
    const std::string shown = gauges ? "{gauges: true}" : "{gauges: false}";
    auto settings =
        ParseSettings("collectors: {disk: " + shown + ", net: " + shown + "}", "bench.yml");
    std::erase_if(settings->collectors, [](const ChosenCollector& chosen) {
      return chosen.module->name != "disk" && chosen.module->name != "net";
    });
    CollectorInputs inputs;
    inputs.procfs = folder_.Path("proc");
    inputs.sysfs = folder_.Path("sys");
    inputs.log = [](LogLevel, std::string_view) {};
    collectors_ = *MakeCollectors(settings->collectors, inputs);
    Collect();  // labels are made once, at the first tick
  }

  Families Collect() {
    tick_.steady += std::chrono::seconds(1);
    Families all;
    for (const auto& collector : collectors_) {
      auto families = collector->Collect(tick_);
      for (auto& family : *families) {
        all.push_back(std::move(family));
      }
    }
    return all;
  }

 private:
  testing::TempFolder folder_;
  std::vector<std::unique_ptr<Collector>> collectors_;
  Tick tick_{};
};

void CollectAll(benchmark::State& state, bool gauges) {
  Machine machine(state.range(0), gauges);
  for (auto _ : state) {
    auto families = machine.Collect();
    benchmark::DoNotOptimize(families.data());
  }
  state.SetComplexityN(state.range(0));
}

void RenderPage(benchmark::State& state) {
  Machine machine(state.range(0), true);
  const auto families = machine.Collect();
  std::size_t bytes = 0;
  for (auto _ : state) {
    const auto page = Render(families, Format::kText, {.size_hint = bytes});
    bytes = page.size();
    benchmark::DoNotOptimize(page.data());
  }
  state.counters["bytes"] = static_cast<double>(bytes);
  state.SetComplexityN(state.range(0));
}

void CollectHere(benchmark::State& state, std::string_view name) {
  CollectorInputs inputs;
  inputs.log = [](LogLevel, std::string_view) {};
  const auto collectors = *MakeCollectors(ParseSettings("", "")->collectors, inputs);
  Tick tick{};
  for (const auto& collector : collectors) {
    if (collector->Name() != name) {
      continue;
    }
    for (auto _ : state) {
      tick.steady += std::chrono::seconds(1);
      auto families = collector->Collect(tick);
      benchmark::DoNotOptimize(families);
    }
  }
}

constexpr auto kUnit = benchmark::kMicrosecond;
constexpr std::int64_t kMin = 10;
constexpr std::int64_t kMax = 1000;
BENCHMARK_CAPTURE(CollectAll, gauges, true)
    ->Name("collect")
    ->Range(kMin, kMax)
    ->Unit(kUnit)
    ->Complexity();
BENCHMARK_CAPTURE(CollectAll, counters, false)
    ->Name("counters")
    ->Range(kMin, kMax)
    ->Unit(kUnit)
    ->Complexity();
BENCHMARK_CAPTURE(CollectHere, disk, "disk")->Name("here/disk")->Unit(kUnit);
BENCHMARK_CAPTURE(CollectHere, net, "net")->Name("here/net")->Unit(kUnit);
BENCHMARK_CAPTURE(CollectHere, netstat, "netstat")->Name("here/netstat")->Unit(kUnit);
BENCHMARK_CAPTURE(CollectHere, host, "host")->Name("here/host")->Unit(kUnit);
BENCHMARK_CAPTURE(CollectHere, self, "self")->Name("here/self")->Unit(kUnit);
BENCHMARK(RenderPage)->Name("render")->Range(kMin, kMax)->Unit(kUnit)->Complexity();

}  // namespace
}  // namespace limpet
