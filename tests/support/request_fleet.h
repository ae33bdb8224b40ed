// request_fleet.h: pages of storage servers that tell how long their requests take, for tests.
//
//   RequestFleet fleet({.servers = 6, .sick = 2, .slow_share = 0.01});
//   for (…) { fleet.Step(); pipeline.Ingest({…, .text = fleet.Page(i)}); }
//
// Service times are exponential; of the sick server a share of the requests takes `times` as long.
// Each page has them as a histogram ("wal_fsync_seconds"), and as a sum and a count.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace limpet::test {

struct RequestFleetOptions {
  std::size_t servers = 6;
  std::size_t sick = SIZE_MAX;  // none
  double mean = 0.004;          // s
  double slow_share = 1;
  double times = 20;
  double requests = 200;    // a second and server
  double sick_answers = 1;  // of them, while the fault acts
  std::uint32_t seed = 1;
};

class RequestFleet {
 public:
  explicit RequestFleet(const RequestFleetOptions& options);

  // A second passes; `is_sick`: the fault acts in it.
  void Step(bool is_sick = true);
  [[nodiscard]] std::string Page(std::size_t server) const;

 private:
  struct Server {
    std::vector<std::uint64_t> at_most;  // by bound, cumulative
    std::uint64_t count = 0;
    double sum = 0;
    double due = 0;  // requests that have come and are not answered
  };

  RequestFleetOptions options_;
  std::mt19937 random_;
  std::vector<double> bounds_;
  std::vector<Server> servers_;
};

}  // namespace limpet::test
