// device_time.h: how much longer a disk takes than its peers would for the same work.
//
// What a disk takes is its busy time, at most what its requests took together, or, where it works
// on many requests at once, the time that all of them together spend at the device; the latter only
// the kernel's own clock knows (limpet-exporter's block collector). slowdown = time_i / (a *
// requests_i + b * bytes_i), over the median of the others' same quotient (work_fit.h): time per
// request misleads where peers serve requests of different sizes.
//
// A disk with a single arm is busy for as long as its requests take it, and their time at the
// device grows with the queue, whoever is slow. One with many channels is busy all the time, and
// the time of a request does not depend on the queue. Which of the two the disks of a group are,
// the peers' own steps tell: which of the two times follows from their work. For that the peers'
// load must vary; where it does not, busy time decides.
// How peers would have done at a deeper queue than any of them has had, nobody knows. So a disk's
// own steps with a deeper one count as if it had been that deep, or not at all.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/detect/comparison.h"
#include "diagnoser/detect/group_window.h"
#include "diagnoser/detect/wasserstein/work_fit.h"

namespace limpet {

class DeviceTimes {
 public:
  // `who`: numbers of the members to compare. Both must outlive it.
  DeviceTimes(const GroupSamples& group, std::span<const std::size_t> who);

  // 1: as fast as its peers. nullopt: fewer than three with any work to compare it with. `place`:
  // in `who`.
  [[nodiscard]] std::optional<double> Slowdown(std::size_t place);
  // Returns whether it serves more requests and more bytes than any other.
  [[nodiscard]] bool IsBusiest(std::size_t place) const { return busy_.IsBusiest(place); }
  // Returns what the kernel's clock says, with that slowdown; nullopt: not all of them have it.
  [[nodiscard]] std::optional<DeviceTime> ByKernel(std::size_t place, double slowdown) const;

 private:
  // Vectors by place.
  struct Kernel {
    WorkFit at_device;
    std::vector<bool> parallel;   // whether the others work on many requests at once
    std::vector<double> deepest;  // queue of its steps
    std::vector<std::optional<double>> per_request;  // ms; nullopt without any
    std::optional<double> median_per_request;
    std::size_t deepest_of_all = 0;  // its place
    double second_deepest = 0;       // of all others
  };
  [[nodiscard]] std::optional<Kernel> FitKernel() const;
  [[nodiscard]] bool HasKernel() const;
  static void FindDeepest(Kernel& kernel);
  [[nodiscard]] bool WorkInParallel(std::size_t place) const {
    return kernel_ && kernel_->parallel[place];
  }
  [[nodiscard]] double DeepestOfOthers(std::size_t place) const;
  [[nodiscard]] const DeviceSteps& Steps(std::size_t place) const {
    return group_->samples[who_[place]].device;
  }

  const GroupSamples* group_;
  std::span<const std::size_t> who_;
  WorkFit busy_;
  std::optional<Kernel> kernel_;
};

}  // namespace limpet
