// viewers.h: who watches the live page's stream, counted.
//
// Threads: the counters may be used from any thread; Admit and Leave on the web server's.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

namespace limpet {

class Viewers {
 public:
  // A viewer holds at most one frame that nobody else does: 200 kB of 10,000 nodes.
  static constexpr std::size_t kMax = 64;
  // One address has at most half of them: a page that opens streams in a loop shuts nobody out.
  static constexpr std::size_t kMaxPerClient = 32;

  // False when there are too many; counted then.
  [[nodiscard]] bool Admit(std::uint64_t client) {
    auto& of_client = by_client_[client];
    if (watching >= kMax || of_client >= kMaxPerClient) {
      if (of_client == 0) {
        by_client_.erase(client);
      }
      ++refused;
      return false;
    }
    ++of_client;
    ++watching;
    return true;
  }
  void Leave(std::uint64_t client) {
    --watching;
    const auto found = by_client_.find(client);
    if (--found->second == 0) {
      by_client_.erase(found);
    }
  }

  std::atomic<std::size_t> watching{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> frames{0};   // sent to viewers
  std::atomic<std::uint64_t> thinned{0};  // left out for viewers that were too slow

 private:
  std::map<std::uint64_t, std::size_t> by_client_;
};

}  // namespace limpet
