// lossy_ends.h: the other ends of connections that had to send segments again.
//
// An end of a server's connections is watched from the first segment on that was sent again to or
// by it, until nothing was for the time that is kept: most never are.
// Units:   segments, seconds.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace limpet {

class LossyEnds {
 public:
  explicit LossyEnds(std::size_t keep) : keep_(static_cast<std::int64_t>(keep)) {}

  // Takes a second of one connection; seconds in order. side: 0 or 1.
  void Add(std::int64_t second, std::string_view server, std::size_t side, std::string_view end,
           double sent, double retransmitted);
  // Drops what is too old after this second.
  void Forget(std::int64_t second);
  void Forget(std::string_view server);

  struct End {
    double sent = 0;
    double retransmitted = 0;
    std::size_t seconds = 0;  // of those asked for, since its first loss
  };
  // The end with the most sent again in the seconds (last - span, last]; nullopt: nothing was.
  [[nodiscard]] std::optional<End> Worst(std::string_view server, std::size_t side,
                                         std::int64_t last, std::size_t span) const;

 private:
  struct Second {
    std::int64_t second;
    double sent;
    double retransmitted;
  };
  struct Watched {
    std::int64_t first;
    std::int64_t latest_loss;
    std::deque<Second> seconds;  // oldest first
  };
  using Ends = std::map<std::string, Watched, std::less<>>;

  std::int64_t keep_;
  std::size_t count_ = 0;
  std::map<std::string, std::array<Ends, 2>, std::less<>> servers_;
};

}  // namespace limpet
