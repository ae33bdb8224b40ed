#include "diagnoser/training/syscall_trainer.h"

#include <fmt/format.h>

#include "exporter/common/time.h"

namespace limpet {

void SyscallTrainer::Learn(const Event& event) {
  const auto* second = std::get_if<SyscallSecondEvent>(&event);
  if (second == nullptr) {
    return;
  }
  for (const auto& [role, error] : second->errors) {
    errors_[role].insert(error);
  }
  std::map<std::pair<std::string, ServiceMetric>, std::vector<ServiceSample>> samples;
  for (const auto& sample : second->samples) {
    if (const auto metric = ParseServiceMetric(sample.metric)) {
      samples[{sample.role, *metric}].push_back({.server = sample.server, .value = sample.value});
    }
  }
  for (const auto& [key, of_metric] : samples) {
    times_[key].Observe(WholeSeconds(second->end), of_metric);
  }
}

SyscallTraining SyscallTrainer::Finish() const {
  SyscallTraining training;
  training.errors = errors_;
  for (const auto& [key, times] : times_) {
    auto thresholds = times.Finish();
    if (!thresholds.deviations.empty()) {
      training.service[key.first][static_cast<std::size_t>(key.second)] = std::move(thresholds);
    }
  }
  return training;
}

std::vector<std::string> SyscallTrainer::Notes(const SyscallTraining& training) {
  std::vector<std::string> notes;
  for (const auto& [role, metrics] : training.service) {
    for (std::size_t i = 0; i < kServiceMetrics; ++i) {
      for (const auto& server : metrics[i].saturated) {
        notes.push_back(
            fmt::format("saturated in training: {} of {} {}: it is left out of what its peers are "
                        "compared with",
                        Name(static_cast<ServiceMetric>(i)), role, server));
      }
    }
  }
  return notes;
}

}  // namespace limpet
