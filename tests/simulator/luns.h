// luns.h: logical units of a storage system the size of Intrepid's [Kasick12], second by second.
//
// 128 servers with 36 attachments each are 4,608. All share one striped load: jobs that read,
// checkpoints that write, idle minutes. A request takes the attachment's own time, longer under
// load, with noise and rare stalls; some attachments are slow for some hours. What a server's
// kernel would count is written as its recorder would (docs/formats/recording.md).
// Each server is made from the seed and its number alone: servers may be made in any order, on any
// thread, and the same specification gives the same bytes.
// Threads: one object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulator/random.h"

namespace limpet::simulator {

// The truth: an attachment whose requests take longer.
struct LunFault {
  std::size_t server = 0;
  std::size_t lun = 0;
  double factor = 3;      // of each request's time
  std::int64_t from = 0;  // seconds since the beginning
  std::int64_t to = INT64_MAX;
};

struct LunsSpec {
  std::size_t servers = 128;
  std::size_t luns = 36;  // a server
  std::uint64_t seed = 1;
  std::vector<LunFault> faults;
};

inline constexpr std::int64_t kLunsBegin = 1'700'006'400;  // Unix seconds; a midnight, UTC
inline constexpr std::size_t kLunCounters = 8;             // a second and attachment

// A dozen attachments, each slow for a part of the first `seconds`, and two all the time.
[[nodiscard]] std::vector<LunFault> SpreadFaults(const LunsSpec& spec, std::int64_t seconds);

// "ion007".
[[nodiscard]] std::string LunServerName(std::size_t server);
// "lun00" to "lun35".
[[nodiscard]] std::string LunName(std::size_t lun);

class LunServer {
 public:
  LunServer(const LunsSpec& spec, std::size_t server);

  // Appends the next second's block of samples.
  void AppendSecond(std::string& page);

 private:
  struct Lun {
    double speed = 1;  // no two are alike
    std::uint64_t counters[kLunCounters] = {};
  };
  // The load of this second, the same on all servers: 1 is a busy one.
  struct Load {
    double reads = 0;
    double writes = 0;
  };
  [[nodiscard]] Load LoadAt(std::int64_t second) const;
  [[nodiscard]] double FaultFactor(std::size_t lun, std::int64_t second) const;
  // About normal, mean 0, deviation 1, within ±3.5: cheap, there are billions.
  [[nodiscard]] double Noise();
  void Work(std::size_t lun, const Load& load, std::int64_t second);

  std::uint64_t seed_;
  std::size_t server_;
  Random random_;
  std::vector<LunFault> faults_;  // of this server
  std::vector<Lun> luns_;
  std::vector<std::string> prefixes_;  // by counter and lun: name, labels and a blank
  std::size_t page_bytes_ = 0;         // at most
  std::int64_t second_ = 0;
};

}  // namespace limpet::simulator
