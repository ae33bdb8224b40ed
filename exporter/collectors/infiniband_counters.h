// infiniband_counters.h: what the files of one port say, whichever driver has written them.
//
// Ports are named as their files are, "mlx5_0/1". A file that is absent or holds no number is no
// value. Threads: pure but for the reader of files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/exposition/sample.h"
#include "exporter/common/files.h"

namespace limpet {

inline constexpr std::string_view kInfinibandFolder = "class/infiniband";

// Counters of traffic: received and sent, data and packets.
inline constexpr std::size_t kPortTraffic = 4;
inline constexpr std::size_t kReceivedPackets = 1;
inline constexpr std::size_t kSentPackets = 3;

inline constexpr double kPortWord = 4;  // bytes
// hfi1 passes on what its hardware counts, whatever the architecture says (its mad.c).
inline constexpr double kPortFlit = 8;

struct PortTraffic {
  std::optional<double> value;
  bool saturated = false;
  bool in_words = false;   // of four bytes, or flits of eight
  std::string file;        // that is saturated
  std::size_t source = 0;  // of those where it may be
};
using AllPortTraffic = std::array<PortTraffic, kPortTraffic>;

// Counts what did not arrive the first time, as the driver does, and of how many packets.
struct PortLosses {
  std::optional<double> events;
  std::optional<double> packets;
};
struct AllPortLosses {
  PortLosses resent;
  PortLosses out_of_order;
};

struct PortDetails {
  std::vector<std::optional<double>> slow;  // as PortDetailInfos
  std::string link_layer;
  std::vector<std::pair<std::string, double>> events;  // of the hardware
};

// Returns "mlx5_0/1" in two.
[[nodiscard]] std::pair<std::string, std::string> SplitPortName(const std::string& port);

// "100 Gb/sec (4X EDR)" in bytes a second; "4: ACTIVE" as 4.
[[nodiscard]] std::optional<double> ParsePortRate(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> ParsePortState(std::string_view text);

// Returns the metrics by number.
[[nodiscard]] const MetricInfo& TrafficInfo(std::size_t row);
[[nodiscard]] std::span<const MetricInfo* const> PortDetailInfos();

// Each is a DeviceReader's function; what they need is all in /sys.
[[nodiscard]] AllPortTraffic ReadPortTraffic(FileReader& sys, FileReader& proc,
                                             const std::string& port);
[[nodiscard]] AllPortLosses ReadPortLosses(FileReader& sys, FileReader& proc,
                                           const std::string& port);
[[nodiscard]] PortDetails ReadPortDetails(FileReader& sys, FileReader& proc,
                                          const std::string& port);

}  // namespace limpet
