// What a tick of the exporter costs on a machine with N disks and N interfaces, and how that grows:
//   collect   read and parse diskstats and net/dev, make the families (with gauges)
//   counters  as collect, without the gauges
//   render    print the page of `collect`
//   facts     one reading of all facts of N disks, once a minute
//   cgroups   one walk over N control groups, once a minute
//   here/X    collector X on this machine's own /proc and /sys, the kernel's cost included
// But for `here` the tree is made of ordinary files, so the kernel's cost of /proc is not in it.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exporter/collectors/all.h"
#include "exporter/collectors/cgroup_walk.h"
#include "exporter/collectors/facts/reading.h"
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

// One reading of the facts of a server with N SATA disks, 4 interfaces and 32 cores: once a minute.
// The machine has a file system on each disk.
struct FactMachine {
  explicit FactMachine(std::int64_t disks) {
    std::string mounts;
    for (std::int64_t i = 0; i < disks; ++i) {
      const auto disk = "sys/class/block/sd" + std::to_string(i) + "/";
      folder.Write(disk + "queue/scheduler", "[none] mq-deadline kyber\n");
      folder.Write(disk + "queue/write_cache", "write back\n");
      folder.Write(disk + "queue/nr_requests", "64\n");
      folder.Write(disk + "queue/read_ahead_kb", "128\n");
      folder.Write(disk + "device/queue_depth", "32\n");
      mounts += "30 1 8:" + std::to_string(i) + " / /data rw - ext4 /dev/sd" + std::to_string(i) +
                " rw\n";
    }
    for (int i = 0; i < 4; ++i) {
      const auto interface = "sys/class/net/eth" + std::to_string(i) + "/";
      folder.Write(interface + "statistics/rx_crc_errors", "0\n");
      folder.Write(interface + "carrier_changes", "1\n");
      folder.Write(interface + "device/uevent", "DRIVER=ixgbe\n");
    }
    for (int i = 0; i < 32; ++i) {
      const auto cpu = "sys/devices/system/cpu/cpu" + std::to_string(i) + "/";
      folder.Write(cpu + "thermal_throttle/core_throttle_count", "0\n");
      folder.Write(cpu + "thermal_throttle/package_throttle_count", "0\n");
      folder.Write(cpu + "topology/physical_package_id", "0\n");
      folder.Write(cpu + "topology/core_id", std::to_string(i) + "\n");
    }
    folder.Write("proc/1/mountinfo", mounts);
    folder.Write("proc/pressure/memory", "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    folder.Write("proc/sys/kernel/osrelease", "6.1.0\n");
  }
  testing::TempFolder folder;
};

void ReadAllFacts(benchmark::State& state) {
  const FactMachine machine(state.range(0));
  std::size_t samples = 0;
  FactReading reading;
  int readings = 0;
  for (auto _ : state) {
    WorkPlace place;
    reading = ReadFacts({.sys = OpenRealFiles(machine.folder.Path("sys")),
                         .proc = OpenRealFiles(machine.folder.Path("proc")),
                         .disks = *DeviceFilter::Make({}, kDefaultDiskExclude),
                         .interfaces = *DeviceFilter::Make({}, kDefaultNetExclude),
                         .filesystem = AskFilesystem,
                         .skipped = {},
                         .plan = reading.plan,
                         .renew = readings++ % state.range(1) == 0,
                         .mounted = reading.mounted},
                        place);
    samples = reading.samples.size();
  }
  state.counters["samples"] = static_cast<double>(samples);
}

// A minute's walk over N control groups in one busy slice, of which every hundredth is busy too.
void WalkGroups(benchmark::State& state) {
  const testing::TempFolder folder;
  folder.Write("fs/cgroup/cgroup.controllers", "io\n");
  const auto write = [&](const std::string& group, std::int64_t megabytes) {
    folder.Write(
        "fs/cgroup/" + group + "io.stat",
        "8:16 rbytes=" + std::to_string(megabytes * 1'000'000) + " wbytes=0 rios=1 wios=0\n");
  };
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    write("kubepods.slice/pod" + std::to_string(i) + "/", 0);
  }
  CgroupWalk walk({});
  const auto files = OpenRealFiles(folder.Path());
  SteadyTime now{};
  std::int64_t minute = 0;
  for (auto _ : state) {
    state.PauseTiming();
    ++minute;
    write("kubepods.slice/", minute * 60'000);
    for (std::int64_t i = 0; i < state.range(0); i += 100) {
      write("kubepods.slice/pod" + std::to_string(i) + "/", minute * 600);
    }
    state.ResumeTiming();
    now += std::chrono::minutes(1);
    auto outcome = walk.Walk(*files, now);
    benchmark::DoNotOptimize(outcome);
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
// Disks, and how many readings make do with one plan: 5 as the collector has it, 1 for none.
BENCHMARK(ReadAllFacts)->Name("facts")->Args({12, 1})->Args({12, 5})->Args({60, 5})->Unit(kUnit);
BENCHMARK(WalkGroups)->Name("cgroups")->Arg(100)->Arg(10'000)->Iterations(30)->Unit(kUnit);
BENCHMARK(RenderPage)->Name("render")->Range(kMin, kMax)->Unit(kUnit)->Complexity();

}  // namespace
}  // namespace limpet
