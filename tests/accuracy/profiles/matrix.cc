#include "tests/accuracy/profiles/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "diagnoser/detect/profile/classify.h"
#include "diagnoser/detect/profile/histograms.h"

namespace limpet::simulator {
namespace {

// Seeds of training and of use must never meet.
constexpr std::uint64_t kTrainingSeeds = 1'000'000;

std::uint64_t SeedOf(HostWorkload workload, HostFault fault, std::size_t nodes, std::size_t run) {
  return 1 + run + 100 * static_cast<std::uint64_t>(workload) +
         1'000 * static_cast<std::uint64_t>(fault) + 10'000 * nodes;
}

// When each host is first indicted.
std::vector<std::optional<std::size_t>> Indictments(const Classifier& classifier,
                                                    const HostRun& run, AlarmRule rule) {
  ProfileHistograms histograms(classifier.Profiles() + 1, classifier.Model().threshold, rule);
  std::vector<std::optional<std::size_t>> first(run.hosts.size());
  std::vector<ProfileHistograms::Input> inputs(run.hosts.size());
  for (std::size_t second = 0; second < run.seconds.front().size(); ++second) {
    for (std::size_t host = 0; host < run.hosts.size(); ++host) {
      const auto found = classifier.Classify(run.seconds[host][second]);
      inputs[host] = {.host = run.hosts[host],
                      .label = found ? std::optional(found->label) : std::nullopt};
    }
    const auto result = histograms.Observe(static_cast<std::int64_t>(second), inputs);
    for (std::size_t host = 0; host < run.hosts.size(); ++host) {
      if (result.hosts[host].indicted && !first[host]) {
        first[host] = second;
      }
    }
  }
  return first;
}

Classifier Train(const std::vector<HostWorkload>& workloads, const ProfileMatrixOptions& options) {
  std::vector<HostRun> runs;
  for (const auto workload : workloads) {
    for (std::size_t run = 0; run < options.runs; ++run) {
      runs.push_back(
          SimulateHosts({.workload = workload,
                         .seed = kTrainingSeeds + SeedOf(workload, HostFault::kNone, 5, run)}));
    }
  }
  auto trained = TrainProfiles(runs, {.rule = options.rule});
  if (!trained) {
    throw std::runtime_error(trained.error().Text());
  }
  return Classifier(std::move(trained->model));
}

ProfileScore ScoreOf(const Classifier& classifier, HostWorkload workload, HostFault fault,
                     std::size_t nodes, const ProfileMatrixOptions& options) {
  ProfileScore score;
  std::vector<double> delays;
  for (std::size_t run = 0; run < options.runs; ++run) {
    const HostScenario scenario{.workload = workload,
                                .nodes = nodes,
                                .seed = SeedOf(workload, fault, nodes, run),
                                .fault = fault,
                                .culprit = run % nodes};
    const auto first = Indictments(classifier, SimulateHosts(scenario), options.rule);
    for (std::size_t host = 0; host < nodes; ++host) {
      if (fault != HostFault::kNone && host == scenario.culprit) {
        ++score.faulty;
        if (first[host] && *first[host] >= scenario.onset) {
          ++score.found;
          delays.push_back(static_cast<double>(*first[host] - scenario.onset));
        }
      } else {
        ++score.healthy;
        score.accused += first[host] ? 1U : 0U;
      }
    }
  }
  if (!delays.empty()) {
    std::sort(delays.begin(), delays.end());
    score.delay = delays[delays.size() / 2];
  }
  return score;
}

const ProfileCell& Find(const ProfileMatrix& matrix, HostFault fault, HostWorkload workload,
                        std::size_t nodes, bool cross) {
  return *std::find_if(matrix.cells.begin(), matrix.cells.end(), [&](const ProfileCell& cell) {
    return cell.fault == fault && cell.workload == workload && cell.nodes == nodes &&
           cell.cross_validated == cross;
  });
}

}  // namespace

double ProfileScore::TruePositives() const {
  return faulty == 0 ? 0 : static_cast<double>(found) / static_cast<double>(faulty);
}
double ProfileScore::FalsePositives() const {
  return healthy == 0 ? 0 : static_cast<double>(accused) / static_cast<double>(healthy);
}

ProfileMatrix RunProfileMatrix(const ProfileMatrixOptions& options) {
  const std::vector<HostWorkload> all(std::begin(kHostWorkloads), std::end(kHostWorkloads));
  ProfileMatrix matrix;
  const auto add = [&](const Classifier& classifier, HostWorkload workload, bool cross) {
    for (const auto nodes : options.clusters) {
      for (const auto fault : options.faults) {
        matrix.cells.push_back({.fault = fault,
                                .workload = workload,
                                .nodes = nodes,
                                .cross_validated = cross,
                                .score = ScoreOf(classifier, workload, fault, nodes, options)});
      }
    }
  };
  const auto whole = Train(all, options);
  matrix.thresholds.push_back(whole.Model().threshold);
  for (const auto workload : all) {
    add(whole, workload, false);
    auto others = all;
    std::erase(others, workload);
    const auto without = Train(others, options);
    matrix.thresholds.push_back(without.Model().threshold);
    add(without, workload, true);
  }
  return matrix;
}

std::string ProfileTables(const ProfileMatrix& matrix) {
  std::vector<std::size_t> clusters;
  for (const auto& cell : matrix.cells) {
    if (std::find(clusters.begin(), clusters.end(), cell.nodes) == clusters.end()) {
      clusters.push_back(cell.nodes);
    }
  }
  std::string text = "| fault | nodes | workload known |";
  std::string rule = "|---|---|---|";
  for (const auto workload : kHostWorkloads) {
    text += fmt::format(" {0} TP | {0} FP | {0} delay |", Name(workload));
    rule += "---|---|---|";
  }
  text += "\n" + rule + "\n";
  for (const auto fault : kHostFaults) {
    for (const bool cross : {false, true}) {
      for (const auto nodes : clusters) {
        text += fmt::format("| {} | {} | {} |", Name(fault), nodes, cross ? "no" : "yes");
        for (const auto workload : kHostWorkloads) {
          const auto& score = Find(matrix, fault, workload, nodes, cross).score;
          text += fmt::format(" {:.2f} | {:.2f} |", score.TruePositives(), score.FalsePositives());
          text += score.found > 0 ? fmt::format(" {:.0f} s |", score.delay) : " |";
        }
        text += "\n";
      }
    }
  }
  text += "\n| workload |";
  rule = "|---|";
  for (const bool cross : {false, true}) {
    for (const auto nodes : clusters) {
      text += fmt::format(" {} nodes, {} |", nodes, cross ? "unknown workload" : "known workload");
      rule += "---|";
    }
  }
  text += "\n" + rule + "\n";
  for (const auto workload : kHostWorkloads) {
    text += fmt::format("| {} |", Name(workload));
    for (const bool cross : {false, true}) {
      for (const auto nodes : clusters) {
        text += fmt::format(
            " {:.3f} |",
            Find(matrix, HostFault::kNone, workload, nodes, cross).score.FalsePositives());
      }
    }
    text += "\n";
  }
  text += "\nThresholds of the models (all workloads, without each of them):";
  for (const double threshold : matrix.thresholds) {
    text += fmt::format(" {:.2f}", threshold);
  }
  return text + "\n";
}

}  // namespace limpet::simulator
