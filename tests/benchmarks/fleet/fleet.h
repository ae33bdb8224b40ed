// fleet.h: made-up servers for the benchmarks: what limpet-exporter would say on each of them.
//
// Every value is a function of seed, node, device and second alone, so a file and a live page of
// the same second agree and nothing is kept. Counters grow evenly with noise; one node's disks
// become slow after kFaultAfter, so that there is something to find.
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace limpet::bench {

struct FleetShape {
  std::size_t nodes = 100;
  std::size_t disks = 12;      // a node
  std::size_t interfaces = 2;  // a node
  std::uint64_t seed = 1;
};

inline constexpr std::int64_t kFleetBegin = 1'700'000'000;  // Unix seconds
inline constexpr std::int64_t kFaultAfter = 200;            // seconds after it
inline constexpr std::size_t kSlowNode = 3;

// "node0042".
[[nodiscard]] std::string NodeName(std::size_t node);

enum class PageKind {
  kRecorded,  // what `record` writes by default: counters a diagnosis reads; instance, role, time
  kLive,      // what a scrape of limpet-exporter gives: everything about disks and interfaces
  kStock,     // what a scrape of node_exporter gives: counters, processors, memory
};

class Fleet {
 public:
  explicit Fleet(const FleetShape& shape) : shape_(shape) {}

  // The samples of one node at `second` after kFleetBegin, as Prometheus text or, recorded, as
  // OpenMetrics.
  [[nodiscard]] std::string Page(std::size_t node, std::int64_t second, PageKind kind) const;
  // Samples on such a page.
  [[nodiscard]] std::size_t Samples(PageKind kind) const;
  [[nodiscard]] const FleetShape& Shape() const { return shape_; }

 private:
  FleetShape shape_;
};

}  // namespace limpet::bench
