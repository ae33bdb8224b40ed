// service_means.h: second by second, the trailing mean of each server's service time, and what the
// servers have in common.
//
// Unit:    seconds a call.
// Missing: a mean is missing when its own second is; missing seconds before it are left out of it.
// Threads: one at a time; the functions are pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limpet {

struct ServiceSample {
  std::string_view server;
  double value = 0;  // never missing: a server without calls has no sample
};

struct ServiceMean {
  std::string server;
  double value = 0;
};

class ServiceMeans {
 public:
  static constexpr std::size_t kSeconds = 5;  // that a mean is taken over, its own included

  // Returns means of the servers that have a sample in this second, by name. Seconds come in order;
  // those left out had no samples.
  [[nodiscard]] std::vector<ServiceMean> Observe(std::int64_t second,
                                                 std::span<const ServiceSample> samples);

 private:
  struct Recent {
    std::int64_t second = 0;
    double value = 0;
  };
  std::map<std::string, std::deque<Recent>, std::less<>> servers_;
};

// The median of all means but those of `left_out`; nullopt with fewer than three servers, or fewer
// than two of them to take it from: of two nobody can say which is the odd one.
[[nodiscard]] std::optional<double> ReferenceMean(std::span<const ServiceMean> means,
                                                  const std::set<std::string>& left_out);

}  // namespace limpet
