// syscall_trainer.h: system calls of fault-free data in, what is normal for them out
// [Kasick09 §6, §7].
//
// Threads: one at a time; no I/O.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/detect/syscalls/service_metric.h"
#include "diagnoser/detect/syscalls/service_training.h"
#include "diagnoser/detect/syscalls/training.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

class SyscallTrainer {
 public:
  // SyscallSecondEvents, in order of time; others are left.
  void Learn(const Event& event);
  // Empty when there were none.
  [[nodiscard]] SyscallTraining Finish() const;
  // Servers that were saturated, in words.
  [[nodiscard]] static std::vector<std::string> Notes(const SyscallTraining& training);

 private:
  std::map<std::pair<std::string, ServiceMetric>, ServiceTraining> times_;  // by role and metric
  LearnedErrors errors_;
};

}  // namespace limpet
