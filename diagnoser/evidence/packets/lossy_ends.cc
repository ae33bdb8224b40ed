#include "diagnoser/evidence/packets/lossy_ends.h"

#include <algorithm>

namespace limpet {
namespace {

// Where more lose, it is not one of them.
constexpr std::size_t kMaxWatched = 4096;

}  // namespace

void LossyEnds::Add(std::int64_t second, std::string_view server, std::size_t side,
                    std::string_view end, double sent, double retransmitted) {
  if (count_ == 0 && retransmitted <= 0) {
    return;
  }
  auto of = servers_.find(server);
  if (of == servers_.end()) {
    if (retransmitted <= 0) {
      return;
    }
    of = servers_.emplace(server, std::array<Ends, 2>()).first;
  }
  auto& ends = of->second[side];
  auto found = ends.find(end);
  if (found == ends.end()) {
    if (retransmitted <= 0 || count_ >= kMaxWatched) {
      return;
    }
    ++count_;
    found = ends.emplace(end, Watched{.first = second, .latest_loss = second, .seconds = {}}).first;
  }
  auto& watched = found->second;
  if (retransmitted > 0) {
    watched.latest_loss = second;
  }
  if (watched.seconds.empty() || watched.seconds.back().second != second) {
    watched.seconds.push_back({.second = second, .sent = 0, .retransmitted = 0});
  }
  watched.seconds.back().sent += sent;
  watched.seconds.back().retransmitted += retransmitted;
}

void LossyEnds::Forget(std::int64_t second) {
  const auto oldest = second - keep_;
  for (auto& [server, sides] : servers_) {
    for (auto& ends : sides) {
      count_ -=
          std::erase_if(ends, [&](const auto& end) { return end.second.latest_loss <= oldest; });
      for (auto& [end, watched] : ends) {
        while (!watched.seconds.empty() && watched.seconds.front().second <= oldest) {
          watched.seconds.pop_front();
        }
      }
    }
  }
}

void LossyEnds::Forget(std::string_view server) {
  const auto found = servers_.find(server);
  if (found != servers_.end()) {
    count_ -= found->second[0].size() + found->second[1].size();
    servers_.erase(found);
  }
}

std::optional<LossyEnds::End> LossyEnds::Worst(std::string_view server, std::size_t side,
                                               std::int64_t last, std::size_t span) const {
  const auto found = servers_.find(server);
  if (found == servers_.end()) {
    return std::nullopt;
  }
  std::optional<End> worst;
  const auto before = last - static_cast<std::int64_t>(span);
  for (const auto& [name, watched] : found->second[side]) {
    const auto after = std::max(before, watched.first - 1);
    End end{.seconds = static_cast<std::size_t>(std::max<std::int64_t>(0, last - after))};
    for (const auto& one : watched.seconds) {
      if (one.second > after && one.second <= last) {
        end.sent += one.sent;
        end.retransmitted += one.retransmitted;
      }
    }
    if (end.retransmitted > (worst ? worst->retransmitted : 0)) {
      worst = end;
    }
  }
  return worst;
}

}  // namespace limpet
