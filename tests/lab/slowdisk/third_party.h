// third_party.h: load that reaches the modelled disk past the loop device ("disk-busy").
//
// The control file holds one line "DEPTH SIZE_KIB SPEED":
//   DEPTH     sequential readers that each keep one request outstanding, 0 to 64
//   SIZE_KIB  the size of their requests
//   SPEED     the disk runs so many times as fast as modelled; 0 takes no time at all, which is
//             how files are laid out quickly
// No file, or one that cannot be read as such, means "0 0 1": a disk without third parties.
// The readers work in the last eighth of the disk, a lane each. What they do shows in the times of
// everyone else's requests and in no counter of the loop device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace limpet::slowdisk {

inline constexpr std::size_t kMaxDepth = 64;

struct Control {
  std::size_t depth = 0;
  std::uint64_t request_bytes = 0;
  double speed = 1;

  friend bool operator==(const Control&, const Control&) = default;
};

[[nodiscard]] Control ParseControl(std::string_view text);

// Where the readers are. Threads: one.
class ThirdParty {
 public:
  explicit ThirdParty(std::uint64_t disk_size);
  // The offset of reader `lane`'s next request, which moves it on. Precondition: lane < kMaxDepth.
  [[nodiscard]] std::uint64_t NextOffset(std::size_t lane, std::uint64_t request_bytes);

 private:
  std::uint64_t begin_;       // of the last eighth
  std::uint64_t lane_bytes_;  // each reader's share of it
  std::array<std::uint64_t, kMaxDepth> done_{};
};

}  // namespace limpet::slowdisk
