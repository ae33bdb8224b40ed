#include "tests/accuracy/cwnd_spans.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "diagnoser/detect/cwnd/cwnd.h"
#include "diagnoser/detect/training.h"
#include "tests/accuracy/pool.h"
#include "tests/accuracy/train_runs.h"

namespace limpet::accuracy {
namespace {

using simulator::Fault;

constexpr std::array<std::size_t, 6> kSpans = {1, 5, 15, 31, 61, 91};
constexpr std::size_t kSides = 2;
constexpr std::size_t kWindow = 64;
constexpr std::size_t kShift = 32;
constexpr std::size_t kFlagging = 3;  // of the last five
constexpr std::size_t kRemembered = 2 * kFlagging - 1;
constexpr std::size_t kTraining = 3;  // runs of each workload

// The mean window of each server's connections in this second.
std::vector<double> MeanWindows(const simulator::Snapshot& now, const RunKey& key,
                                std::size_t side) {
  std::vector<double> means(key.servers);
  for (std::size_t server = 0; server < key.servers; ++server) {
    for (std::size_t client = 0; client < key.clients; ++client) {
      const auto& one = side == 0 ? now.up[client * key.servers + server]
                                  : now.down[server * key.clients + client];
      means[server] += one.cwnd / static_cast<double>(key.clients);
    }
  }
  return means;
}

// What happened in the runs of one span and fault.
struct Found {
  std::size_t runs = 0;
  std::size_t named = 0;
  std::size_t wrong = 0;  // runs in which another server was
  std::vector<double> delays;
};

void Add(const RunKey& key, const std::vector<CwndSeconds>& windows,
         const std::array<double, kSides>& thresholds, Found& found) {
  const auto injections = SpecOf(key).injections;
  std::optional<double> delay;
  bool wrong = false;
  for (std::size_t side = 0; side < kSides; ++side) {
    const auto flags = FlagsOf(windows[side], thresholds[side], key.servers);
    for (std::size_t server = 0; server < key.servers; ++server) {
      for (const auto at : flags[server]) {
        const double after = static_cast<double>(at) - key.fault_start.count();
        if (injections.empty() || server != injections.front().server || after <= 0) {
          wrong = true;
        } else {
          delay = std::min(delay.value_or(after), after);
        }
      }
    }
  }
  ++found.runs;
  found.wrong += wrong ? 1U : 0U;
  if (delay) {
    ++found.named;
    found.delays.push_back(*delay);
  }
}

std::string Cell(Found found, bool fault) {
  const auto percent = [&](std::size_t count) {
    return fmt::format("{:.0f}",
                       100 * static_cast<double>(count) / static_cast<double>(found.runs));
  };
  if (!fault) {
    return percent(found.wrong);
  }
  std::ranges::sort(found.delays);
  return fmt::format(
      "{}/{}, {}", percent(found.named), percent(found.wrong),
      found.delays.empty() ? "–" : fmt::format("{:.0f} s", found.delays[found.delays.size() / 2]));
}

// f of both sides, from runs without a fault.
std::array<double, kSides> Train(std::size_t span, std::size_t threads) {
  const auto windows = MapAll(
      TrainingRuns({}, kTraining), threads,
      [&](const RunKey& key) { return ReadWindows(key, span); }, [](std::size_t) {});
  std::array<double, kSides> thresholds{};
  for (std::size_t side = 0; side < kSides; ++side) {
    double least = 1;
    for (const auto& run : windows) {
      least = std::min(least, LeastShare(run[side]));
    }
    thresholds[side] = TrainCwndF(least);
  }
  return thresholds;
}

}  // namespace

std::vector<CwndSeconds> ReadWindows(const RunKey& key, std::size_t span) {
  simulator::Cluster cluster(ClusterOf(key), SpecOf(key));
  std::vector<CwndSeconds> sides(kSides);
  std::array<std::vector<std::vector<double>>, kSides> means;
  while (const auto* now = cluster.NextSecond()) {
    for (std::size_t side = 0; side < kSides; ++side) {
      means[side].push_back(MeanWindows(*now, key, side));
      auto& seconds = sides[side].emplace_back();
      if (means[side].size() < span) {
        continue;
      }
      seconds.emplace(key.servers);
      for (std::size_t server = 0; server < key.servers; ++server) {
        double sum = 0;
        for (std::size_t back = 1; back <= span; ++back) {
          sum += means[side][means[side].size() - back][server];
        }
        (*seconds)[server] = CwndLog(sum / static_cast<double>(span));
      }
    }
  }
  return sides;
}

double LeastShare(const CwndSeconds& seconds) {
  double least = 1;
  for (const auto& logs : seconds) {
    const auto median = logs ? CwndMedian(*logs) : std::nullopt;
    if (median && *median > 0) {
      least = std::min(least, std::ranges::min(*logs) / *median);
    }
  }
  return least;
}

std::vector<std::vector<std::size_t>> FlagsOf(const CwndSeconds& seconds, double f,
                                              std::size_t servers) {
  std::vector<std::vector<std::size_t>> flags(servers);
  std::vector<std::vector<bool>> anomalous(servers);  // by window
  for (std::size_t end = kWindow; end <= seconds.size(); end += kShift) {
    std::vector<std::size_t> below(servers);
    for (std::size_t at = end - kWindow; at < end; ++at) {
      const auto median = seconds[at] ? CwndMedian(*seconds[at]) : std::nullopt;
      for (std::size_t server = 0; median && server < servers; ++server) {
        below[server] += CwndAnomalous((*seconds[at])[server], *median, f) ? 1U : 0U;
      }
    }
    for (std::size_t server = 0; server < servers; ++server) {
      auto& windows = anomalous[server];
      windows.push_back(2 * below[server] >= kWindow);
      const auto last = std::min(windows.size(), kRemembered);
      const auto from = windows.end() - static_cast<std::ptrdiff_t>(last);
      if (std::count(from, windows.end(), true) >= static_cast<std::ptrdiff_t>(kFlagging)) {
        flags[server].push_back(end);
      }
    }
  }
  return flags;
}

std::string CwndSpanTable(const ScenarioSpec& spec, const Progress& progress) {
  constexpr std::array<std::optional<Fault>, 3> kFaults = {Fault::kReceivePktloss,
                                                           Fault::kSendPktloss, std::nullopt};
  std::string text =
      "| span, s | receive-pktloss: ITP/IFP, delay | send-pktloss: ITP/IFP, delay | none: IFP |\n"
      "|---|---|---|---|\n";
  std::size_t done = 0;
  for (const auto span : kSpans) {
    const auto thresholds = Train(span, spec.threads);
    text += fmt::format("| {} |", span);
    for (const auto& fault : kFaults) {
      std::vector<RunKey> keys;
      for (const auto workload : simulator::kWorkloads) {
        for (std::uint64_t seed = 1; seed <= spec.seeds; ++seed) {
          keys.push_back({.workload = workload, .fault = fault, .seed = seed});
        }
      }
      const auto windows = MapAll(
          keys, spec.threads, [&](const RunKey& key) { return ReadWindows(key, span); },
          [](std::size_t) {});
      Found found;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        Add(keys[i], windows[i], thresholds, found);
      }
      text += fmt::format(" {} |", Cell(found, fault.has_value()));
      progress(++done, kSpans.size() * kFaults.size());
    }
    text += "\n";
  }
  return text;
}

}  // namespace limpet::accuracy
