// What one reading of the tcp collector costs with N real connections on loopback, beside reading
// and parsing /proc/net/tcp{,6}, in one run:
//   collect      dump and aggregate, all sockets on the wanted port (the collector's work)
//   collect_each as collect, with the series of each connection and its congestion control
//   unrelated    the same N sockets, none on a wanted port: the kernel's filter at work
//   unfiltered   what that would cost if the program did the filtering
//   proc         read both files and parse them
// N counts sockets: both ends of N/2 connections. CPU time counts, so run it on a quiet machine.
#include <benchmark/benchmark.h>
#include <sys/socket.h>

#include <memory>

#include "exporter/collectors/tcp.h"
#include "exporter/common/files.h"
#include "exporter/io/netlink.h"
#include "exporter/kernel/net_tcp.h"
#include "tests/support/loopback_sockets.h"

namespace limpet {
namespace {

using testing::LoopbackSockets;

// N sockets: both ends of N/2 connections. A benchmark that could not open them is an error.
std::unique_ptr<LoopbackSockets> Open(benchmark::State& state) {
  auto sockets =
      std::make_unique<LoopbackSockets>(AF_INET, static_cast<std::size_t>(state.range(0) / 2));
  if (!sockets->Good()) {
    state.SkipWithError("cannot open so many connections; raise the limit on open files");
  }
  return sockets;
}

void RunCollector(benchmark::State& state, const TcpOptions& options) {
  const auto collector = MakeTcpCollector(options, OpenRealFiles("/proc"));
  Tick tick{};
  for (auto _ : state) {
    tick.steady += std::chrono::minutes(1);  // always due
    auto families = collector->Collect(tick);
    if (!families) {
      state.SkipWithError(families.error().Text().c_str());
      return;
    }
    benchmark::DoNotOptimize(families->data());
  }
}

TcpOptions On(std::uint16_t port) {
  TcpOptions options;
  options.ports = {{port, port}};
  options.max_sockets = 20'000;
  options.exclude_loopback = false;
  return options;
}

void Collect(benchmark::State& state) {
  const auto connections = Open(state);
  RunCollector(state, On(connections->Port()));
}

void CollectEach(benchmark::State& state) {
  const auto connections = Open(state);
  auto options = On(connections->Port());
  options.per_socket = true;
  RunCollector(state, options);
}

void Unrelated(benchmark::State& state) {
  const auto connections = Open(state);
  auto options = On(1);
  // The default ports but for those of the ephemeral range, which some of the clients have.
  options.ports = {{988, 988}, {2049, 2049}, {3334, 3334}, {6800, 7300}, {24007, 24008}};
  RunCollector(state, options);
}

void Unfiltered(benchmark::State& state) {
  const auto connections = Open(state);
  DiagSocket diag({.ports = {}, .max_sockets = 20'000});
  for (auto _ : state) {
    auto sockets = diag.Dump();
    benchmark::DoNotOptimize(sockets);
  }
}

void Proc(benchmark::State& state) {
  const auto connections = Open(state);
  const PortRange range{connections->Port(), connections->Port()};
  const PortSet ports(std::span(&range, 1));
  const auto files = OpenRealFiles("/proc");
  for (auto _ : state) {
    for (const auto* path : {"net/tcp", "net/tcp6"}) {
      if (const auto text = files->Read(path)) {
        auto parsed = ParseNetTcp(*text, &ports, 20'000);
        benchmark::DoNotOptimize(parsed.found.sockets.data());
      }
    }
  }
}

constexpr auto kUnit = benchmark::kMicrosecond;
BENCHMARK(Collect)->Name("collect")->Arg(2)->Arg(1'000)->Arg(10'000)->Unit(kUnit);
BENCHMARK(CollectEach)->Name("collect_each")->Arg(1'000)->Arg(10'000)->Unit(kUnit);
BENCHMARK(Unrelated)->Name("unrelated")->Arg(2)->Arg(1'000)->Arg(10'000)->Unit(kUnit);
BENCHMARK(Unfiltered)->Name("unfiltered")->Arg(2)->Arg(1'000)->Arg(10'000)->Unit(kUnit);
BENCHMARK(Proc)->Name("proc")->Arg(2)->Arg(1'000)->Arg(10'000)->Unit(kUnit);

}  // namespace
}  // namespace limpet
