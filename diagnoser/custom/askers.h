// askers.h: who asks one component for how much, or waits for it: batch jobs, clients, users.
//
// Unit:    that of the counter, a second; over the last kTicks of kTick, less where less is known.
// Memory:  kBytes an asker at most, its name included.
// Threads: one at a time.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

class Askers {
 public:
  static constexpr std::size_t kTicks = 8;
  static constexpr Duration kTick = std::chrono::seconds(15);
  static constexpr std::size_t kMaxNameBytes = 100;
  static constexpr std::size_t kBytes = 400;

  struct Asker {
    std::string name;          // cut off at kMaxNameBytes
    std::uint32_t source = 0;  // whose room it takes
    bool live = true;
    UnixTime last;
    std::int64_t tick = 0;  // the latest with a rise
    std::array<float, kTicks> rises{};
  };

  // Returns the asker's place, which stays its own until Tidy lets it go; nullopt: it is new.
  [[nodiscard]] std::optional<std::uint32_t> Find(std::string_view name) const;
  [[nodiscard]] std::uint32_t Add(std::string_view name, std::uint32_t source);
  // A reading of it. `rise` since the one before: 0 where it is not known.
  void Came(std::uint32_t place, UnixTime at, double rise);

  struct Asked {
    std::string name;
    double rate = 0;
    double share = 0;  // of all askers' rate
  };
  // Returns those that ask for anything, the one that asks for most first.
  [[nodiscard]] std::vector<Asked> Rank(UnixTime now) const;

  // Forgets who has had no reading since `before`, and returns whose room that was.
  [[nodiscard]] std::vector<std::uint32_t> Tidy(UnixTime before);
  [[nodiscard]] std::span<const Asker> All() const { return all_; }

 private:
  std::vector<Asker> all_;  // by place
  std::vector<std::uint32_t> free_;
  std::unordered_map<std::string, std::uint32_t> index_;  // by name
  std::optional<UnixTime> since_;                         // the first reading
};

}  // namespace limpet
