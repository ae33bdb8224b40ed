// device_time.h: how much longer a disk takes than its peers would for the same work.
//
// busy = a * requests + b * bytes, with a, b >= 0 fitted by least squares (weights 1 / busy) to the
// other disks' samples, the judged one left out: time per request misleads where peers serve
// requests of different sizes. slowdown = busy_i / (a * requests_i + b * bytes_i), over the median
// of the others' same quotient. Where the others' requests are all of one size nobody can tell a
// from b; then a disk counts as slow only if it is so by requests and by bytes.
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/detect/group_window.h"

namespace limpet {

class DeviceTimes {
 public:
  // `who`: numbers of the members to compare.
  DeviceTimes(const GroupSamples& group, std::span<const std::size_t> who);

  // 1: as fast as its peers. nullopt: fewer than three with any work to compare it with. `place`:
  // in `who`. Takes time proportional to their number.
  [[nodiscard]] std::optional<double> Slowdown(std::size_t place) const;
  // Whether it serves more requests and more bytes than any other.
  [[nodiscard]] bool IsBusiest(std::size_t place) const;

 private:
  // Means per second of one disk, and its part of the normal equations.
  struct Work {
    double busy = 0;
    double requests = 0;
    double bytes = 0;
    double nn = 0;
    double nb = 0;
    double bb = 0;
    double ny = 0;
    double by = 0;
  };
  struct Model {
    double a = 0;
    double b = 0;
  };
  [[nodiscard]] static Work Measure(const MemberSamples& samples);
  // One, or two when a cannot be told from b.
  [[nodiscard]] std::vector<Model> Fit(std::size_t left_out) const;
  [[nodiscard]] std::optional<double> Quotient(const Model& model, std::size_t place) const;

  std::vector<Work> works_;
  Work total_;
};

}  // namespace limpet
