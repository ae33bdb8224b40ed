// workload.h: the five workloads of [Kasick10 §8.1] as what a client does next.
//
// ddw, ddr, iozonew, iozoner: records striped over all servers, one piece each; the client waits
// for the slowest piece, then asks for the next record. The record size is the one with which 000's
// servers get 4 MB (dd, 40 MB over ten) or 1.6 MB (IOzone, 16 MB over ten) each, and grows with the
// number of servers. IOzone syncs and changes its mode half-way.
// postmark: transactions on small files, each a chain of dependent operations: look-ups at the
// servers that hold the directories, creates and deletes that touch every server's database (PVFS
// has a datafile of every file on every server, and syncs metadata), data on one server.
// Threads: one object, one thread.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "tests/simulator/random.h"
#include "tests/simulator/seconds.h"

namespace limpet::simulator {

enum class Workload { kDdw, kDdr, kIozonew, kIozoner, kPostmark };
inline constexpr std::array kWorkloads = {Workload::kDdw, Workload::kDdr, Workload::kIozonew,
                                          Workload::kIozoner, Workload::kPostmark};
[[nodiscard]] std::string_view Name(Workload workload);

// One thing a client waits for before it goes on.
struct Step {
  enum class Kind { kRead, kWrite, kMetadata };
  Kind kind = Kind::kRead;
  std::size_t server = 0;    // unless all
  bool all = false;          // on every server at once, the slowest counts
  double bytes = 0;          // at each server's disk
  bool data = false;         // the bytes also cross the network (metadata: only messages do)
  bool allocates = false;    // writes blocks that were not there
  Seconds think{0};          // before it begins
  std::size_t look_ups = 0;  // messages to the directories' servers before it begins
};

struct WorkloadSpec {
  Workload workload = Workload::kDdr;
  std::size_t servers = 10;
  Seconds begin{15};             // [Kasick10 §8]: sync, then 15 s of sleep
  Seconds half{307};             // IOzone's change of mode
  Seconds think{0.004};          // a client's own work for each record or transaction
  double pause_each = 1.0 / 60;  // stops of a client's process a second (swap, collector)
  Seconds pause_most{1.0};
};

// One client's process.
class Client {
 public:
  Client(const WorkloadSpec& spec, std::uint64_t seed);

  // What it does after what it did before is done at `now`; `think` counts from now.
  [[nodiscard]] Step Next(Seconds now);
  // The servers asked by look-ups, in order: "/" first, then the benchmark's directory.
  [[nodiscard]] std::size_t DirectoryServer(std::size_t look_up) const;

 private:
  [[nodiscard]] Step NextRecord(Seconds now);
  [[nodiscard]] Step NextOfTransaction();
  void BeginTransaction();
  [[nodiscard]] Seconds Think(Seconds mean, Seconds now);

  WorkloadSpec spec_;
  Random random_;
  Seconds last_{0};
  bool begun_ = false;
  bool halved_ = false;
  Seconds half_at_{0};
  std::vector<Step> steps_;  // of the transaction, the next one last
};

}  // namespace limpet::simulator
