#include "diagnoser/training/profile_trainer.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace limpet {
namespace {

// A shorter silence is a hole in one run; over a longer one histograms would join strangers.
constexpr Duration kNewRun = std::chrono::minutes(5);

bool IsSilent(const HostEvent& second) {
  return std::all_of(second.hosts.begin(), second.hosts.end(), [](const auto& host) {
    return std::all_of(host.second.begin(), host.second.end(), IsMissing);
  });
}

}  // namespace

ProfilePlan PlanForTraining(ProfilePlan plan) {
  plan.model = {};
  plan.collect = true;
  plan.wait = true;
  return plan;
}

void ProfileTrainer::Learn(const Event& event) {
  const auto* second = std::get_if<HostEvent>(&event);
  if (second == nullptr || IsSilent(*second)) {
    return;
  }
  if (!last_ || second->end - *last_ > kNewRun) {
    runs_.emplace_back();
    // So that the first second of a run is its second number 1.
    last_ = second->end - std::chrono::seconds(1);
  }
  auto& run = runs_.back();
  run.length += static_cast<std::size_t>((second->end - *last_) / std::chrono::seconds(1));
  last_ = second->end;
  for (const auto& [name, sample] : second->hosts) {
    auto& samples = run.hosts[name];
    samples.resize(run.length - 1, MissingHostSample());  // it may have been away
    samples.push_back(sample);
    ++seconds_;
  }
}

Result<TrainedProfiles> ProfileTrainer::Finish(const ProfileTraining& options) const {
  std::vector<HostRun> runs;
  for (const auto& run : runs_) {
    HostRun one;
    for (const auto& [name, samples] : run.hosts) {
      one.hosts.push_back(name);
      one.seconds.push_back(samples);
      // Gone before the end: missing from there on.
      one.seconds.back().resize(run.length, MissingHostSample());
    }
    runs.push_back(std::move(one));
  }
  return TrainProfiles(runs, options);
}

}  // namespace limpet
