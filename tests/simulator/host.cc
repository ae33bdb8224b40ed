#include "tests/simulator/host.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tests/simulator/random.h"
#include "tests/support/impute_all.h"

namespace limpet::simulator {
namespace {

enum class Task : std::uint8_t { kWait, kCompute, kRead, kSend, kWrite };
constexpr std::size_t kTasks = 5;

// What a task does to a node in a second. CPU in % of all processors, bytes per second.
struct Work {
  double user;
  double system;
  double iowait;
  double switches;
  double running;
  double received;
  double sent;
  double read;
  double written;
  double faults;
};
constexpr std::array<Work, kTasks> kWork = {{
    {2, 1.5, 0.3, 350, 0.2, 6e3, 6e3, 2e4, 8e4, 120},       // heartbeats, logs
    {78, 5, 1, 1400, 2.2, 6e4, 6e4, 1.5e6, 6e5, 2600},      // map, sort in memory
    {28, 11, 34, 2900, 1.1, 4e5, 3.5e6, 4.2e7, 9e5, 1200},  // input from disk
    {17, 19, 6, 9200, 0.9, 3.4e7, 3.6e7, 2.2e6, 7e6, 900},  // shuffle
    {14, 14, 42, 3300, 0.8, 9e6, 8e6, 5e5, 4.6e7, 800},     // output to disk
}};

// How often a phase has each task (Wait, Compute, Read, Send, Write), and how long the phase lasts.
struct Phase {
  std::array<double, kTasks> share;
  double seconds;
};
std::vector<Phase> PhasesOf(HostWorkload workload) {
  switch (workload) {
    case HostWorkload::kRandWriter:
      return {{{0.03, 0.22, 0.0, 0.0, 0.75}, 240}, {{0.7, 0.2, 0.0, 0.0, 0.1}, 15}};
    case HostWorkload::kSort:
      return {{{0.05, 0.45, 0.45, 0.05, 0.0}, 80},
              {{0.08, 0.12, 0.10, 0.65, 0.05}, 60},
              {{0.05, 0.25, 0.0, 0.10, 0.60}, 70}};
    case HostWorkload::kNutch:
      return {{{0.30, 0.15, 0.05, 0.45, 0.05}, 45},
              {{0.15, 0.60, 0.15, 0.05, 0.05}, 35},
              {{0.55, 0.15, 0.10, 0.10, 0.10}, 25}};
  }
  return {};
}

constexpr double kTaskSeconds = 6;  // a task's mean time

// The phase of every second, the same for all nodes; lengths vary from round to round.
std::vector<std::size_t> PhaseTimes(const std::vector<Phase>& phases, std::size_t seconds,
                                    Random& random) {
  std::vector<std::size_t> times;
  for (std::size_t phase = random.Below(phases.size()); times.size() < seconds;
       phase = (phase + 1) % phases.size()) {
    const auto length =
        static_cast<std::size_t>(std::max(5.0, phases[phase].seconds * random.Uniform(0.7, 1.3)));
    times.insert(times.end(), length, phase);
  }
  times.resize(seconds);
  return times;
}

Task ChooseTask(const Phase& phase, Random& random) {
  double rest = random.Uniform();
  for (std::size_t task = 0; task < kTasks; ++task) {
    rest -= phase.share[task];
    if (rest < 0) {
      return static_cast<Task>(task);
    }
  }
  return Task::kWait;
}

// One node: its task, its load average, its hardware's small difference.
struct Node {
  Task task = Task::kWait;
  double task_left = 0;
  double stalled_for = 0;  // seconds that it waits for a node that answers no more
  double load = 0.5;
  double speed = 1;
  double threads = 140;
};

HostSample SampleOf(const Work& work, Node& node, Random& random) {
  // Lognormal around the typical value: activity scatters in proportion to itself.
  const auto scatter = [&](double value, double deviation) {
    return value * node.speed * std::exp(random.Normal(0, deviation));
  };
  const double busy =
      random.Normal(0, 0.10);  // all of a second's activity goes up and down together
  const auto with = [&](double value, double own) { return scatter(value, own) * std::exp(busy); };
  HostSample sample{};
  const auto set = [&](HostMetric metric, double value) { sample[Index(metric)] = value; };
  const double user = with(work.user, 0.08);
  const double system = with(work.system, 0.10);
  const double iowait = scatter(work.iowait, 0.25);
  const double whole = std::max(100.0, user + system + iowait);
  set(HostMetric::kUser, 100 * user / whole);
  set(HostMetric::kSystem, 100 * system / whole);
  set(HostMetric::kIowait, 100 * iowait / whole);
  set(HostMetric::kContextSwitches, with(work.switches, 0.12));
  const double running = std::floor(work.running + 1 + random.Uniform() * 1.5);
  set(HostMetric::kRunQueue, running);
  // The kernel's average over a minute of those that run or wait for the disk.
  node.load += (work.running + 0.03 * iowait - node.load) / 60;
  set(HostMetric::kLoad1, std::max(0.0, std::round(100 * node.load) / 100));
  node.threads = std::clamp(node.threads + std::round(random.Normal(0, 0.8)), 132.0, 150.0);
  set(HostMetric::kThreads, node.threads);
  set(HostMetric::kReceived, with(work.received, 0.20));
  set(HostMetric::kSent, with(work.sent, 0.20));
  const double read = with(work.read, 0.25);
  const double written = with(work.written, 0.25);
  set(HostMetric::kRead, read);
  set(HostMetric::kWritten, written);
  set(HostMetric::kPagedIn, read / 1024);
  set(HostMetric::kPagedOut, written / 1024);
  set(HostMetric::kFaults, with(work.faults, 0.15));
  return sample;
}

Work WithFault(Work work, HostFault fault) {
  switch (fault) {
    case HostFault::kCpuHog: {
      // Seven tenths of the processors are gone; what is left is shared.
      const double slowed = 0.55;
      work = {work.user * slowed + 70,   work.system * slowed + 1, work.iowait * 0.4,
              work.switches * 0.8 + 300, work.running + 1.6,       work.received * 0.75,
              work.sent * 0.75,          work.read * 0.75,         work.written * 0.75,
              work.faults * 0.75};
      break;
    }
    case HostFault::kDiskHog:
      work = {work.user * 0.8,           work.system + 9,    work.iowait * 0.5 + 48,
              work.switches * 0.9 + 900, work.running + 0.6, work.received * 0.7,
              work.sent * 0.7,           work.read * 0.45,   work.written * 0.45 + 5.5e7,
              work.faults * 0.8 + 300};
      break;
    case HostFault::kNone:
    case HostFault::kPacketLoss:
    case HostFault::kHang:
      break;
  }
  return work;
}

// The task that the fault makes of `task`.
Task Disturbed(Task task, bool is_culprit, const HostScenario& scenario, Random& random) {
  if (scenario.fault == HostFault::kPacketLoss && task == Task::kSend) {
    // Half of the packets lost: the culprit hardly moves anything; of the others' transfers those
    // that happen to need it stand still.
    const double chance =
        is_culprit ? 0.9 : std::min(0.6, 2.5 / static_cast<double>(scenario.nodes));
    return random.Chance(chance) ? Task::kWait : task;
  }
  if (scenario.fault == HostFault::kHang) {
    if (scenario.workload == HostWorkload::kRandWriter) {
      return is_culprit ? Task::kWait : task;
    }
    return Task::kWait;
  }
  return task;
}

}  // namespace

const char* Name(HostWorkload workload) {
  constexpr const char* kNames[] = {"RandWriter", "Sort", "Nutch"};
  return kNames[static_cast<std::size_t>(workload)];
}

const char* Name(HostFault fault) {
  constexpr const char* kNames[] = {"none", "CPUHog", "DiskHog", "PacketLoss", "Hang"};
  return kNames[static_cast<std::size_t>(fault)];
}

HostRun SimulateHosts(const HostScenario& scenario) {
  Random random(scenario.seed);
  const auto phases = PhasesOf(scenario.workload);
  const auto times = PhaseTimes(phases, scenario.seconds, random);
  HostRun run;
  for (std::size_t i = 0; i < scenario.nodes; ++i) {
    Node node;
    node.speed = std::exp(random.Normal(0, 0.02));
    std::vector<HostSample> samples;
    for (std::size_t second = 0; second < scenario.seconds; ++second) {
      const bool faulty = second >= scenario.onset;
      if (node.task_left <= 0 || (second > 0 && times[second] != times[second - 1])) {
        node.task = ChooseTask(phases[times[second]], random);
        node.task_left = random.Exponential(kTaskSeconds) + 1;
        if (faulty) {
          node.task = Disturbed(node.task, i == scenario.culprit, scenario, random);
        }
      }
      node.task_left -= 1;
      auto work = kWork[static_cast<std::size_t>(node.task)];
      if (faulty && i == scenario.culprit) {
        work = WithFault(work, scenario.fault);
      }
      auto sample = SampleOf(work, node, random);
      samples.push_back(random.Chance(scenario.missing) ? MissingHostSample() : sample);
    }
    for (std::size_t metric = 0; metric < kHostMetrics; ++metric) {
      std::vector<double> column;
      for (const auto& sample : samples) {
        column.push_back(sample[metric]);
      }
      column = testing::ImputeAll(column);
      for (std::size_t second = 0; second < samples.size(); ++second) {
        samples[second][metric] = column[second];
      }
    }
    run.hosts.push_back("n" + std::to_string(100 + i).substr(1));
    run.seconds.push_back(std::move(samples));
  }
  return run;
}

}  // namespace limpet::simulator
