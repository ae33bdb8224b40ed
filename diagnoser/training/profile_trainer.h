// profile_trainer.h: the host metrics of fault-free recordings in, a model of behaviour profiles
// out (detect/profile/train.h).
//
// Memory: 112 bytes a node and second of the training.
// Threads: one at a time; no I/O.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/detect/profile/train.h"
#include "diagnoser/evidence/profile_plan.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

// `plan` as a pipeline needs it to give a ProfileTrainer its events.
[[nodiscard]] ProfilePlan PlanForTraining(ProfilePlan plan);

class ProfileTrainer {
 public:
  // Learns from HostEvents, in order of time, and leaves the others. A silence of all hosts for
  // more than 5 minutes begins a new run, whose histograms begin anew.
  void Learn(const Event& event);

  [[nodiscard]] std::size_t Seconds() const { return seconds_; }  // of nodes
  [[nodiscard]] std::size_t Runs() const { return runs_.size(); }
  [[nodiscard]] Result<TrainedProfiles> Finish(const ProfileTraining& options) const;

 private:
  struct Run {
    std::size_t length = 0;
    std::map<std::string, std::vector<HostSample>> hosts;
  };
  std::vector<Run> runs_;
  std::optional<UnixTime> last_;
  std::size_t seconds_ = 0;
};

}  // namespace limpet
