#include "tests/support/request_fleet.h"

#include <fmt/format.h>

namespace limpet::test {

RequestFleet::RequestFleet(const RequestFleetOptions& options)
    : options_(options), random_(options.seed) {
  // etcd's bounds.
  for (double bound = 0.001; bound < 9; bound *= 2) {
    bounds_.push_back(bound);
  }
  servers_.resize(options.servers, {.at_most = std::vector<std::uint64_t>(bounds_.size())});
}

void RequestFleet::Step(bool is_sick) {
  std::exponential_distribution<double> time(1 / options_.mean);
  std::bernoulli_distribution slow(options_.slow_share);
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    auto& server = servers_[i];
    const bool acts = is_sick && i == options_.sick;
    server.due += options_.requests * (acts ? options_.sick_answers : 1);
    for (; server.due >= 1; --server.due) {
      const bool is_slow = acts && slow(random_);
      const double took = time(random_) * (is_slow ? options_.times : 1);
      for (std::size_t b = 0; b < bounds_.size(); ++b) {
        server.at_most[b] += took <= bounds_[b] ? 1U : 0U;
      }
      ++server.count;
      server.sum += took;
    }
  }
}

std::string RequestFleet::Page(std::size_t server) const {
  const auto& its = servers_[server];
  std::string page = "# TYPE wal_fsync_seconds histogram\n";
  for (std::size_t b = 0; b < bounds_.size(); ++b) {
    page += fmt::format("wal_fsync_seconds_bucket{{le=\"{}\"}} {}\n", bounds_[b], its.at_most[b]);
  }
  return page + fmt::format(
                    "wal_fsync_seconds_bucket{{le=\"+Inf\"}} {}\nwal_fsync_seconds_sum {}\n"
                    "wal_fsync_seconds_count {}\n",
                    its.count, its.sum, its.count);
}

}  // namespace limpet::test
