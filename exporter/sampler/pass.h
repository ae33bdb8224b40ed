// pass.h: one tick's way through the collectors, who is at work, and what came of it.
//
// Generations: every runner has one; only that of the latest may change anything. A runner that was
// left behind finds its generation outdated when its collector returns, and goes away.
// Reload: collectors of the same names go on where the earlier passes' ended (collector.h,
// Inherit). One that hangs keeps its successor waiting until it returns: two would hang on the same
// file. Threads: none of its own and no lock: the sampler guards it with one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exporter/collectors/collector.h"
#include "exporter/common/exposition/sample.h"
#include "exporter/common/time.h"

namespace limpet {

class Passes {
 public:
  explicit Passes(std::vector<std::unique_ptr<Collector>> collectors, Duration interval);

  // `left_out`: so much of the time since the pass before lacks its ticks on purpose.
  void Begin(const Tick& tick, Duration left_out = {});
  [[nodiscard]] bool IsOpen() const { return open_; }
  [[nodiscard]] const Tick& Now() const { return tick_; }

  // The next collector to run, marked as at work since `now`; nullptr when the pass is through.
  // One that still hangs from an earlier pass is passed over.
  [[nodiscard]] Collector* StartNext(SteadyTime now);
  // Takes what the collector started last came back with, at `now`. No families: it failed; not
  // `complete`: they are not all.
  void Finish(std::optional<Families> families, SteadyTime now, bool complete = true);

  // Returns since when the collector started last has been at work; nullopt when none is.
  [[nodiscard]] std::optional<SteadyTime> BusySince() const;
  // Leaves the collector started last behind at `now`; its number, for Return.
  std::size_t Abandon(SteadyTime now);
  // The collector left behind as this number came back.
  void Return(std::size_t number);
  [[nodiscard]] std::size_t Current() const { return current_; }
  [[nodiscard]] const std::string& Name(std::size_t number) const { return entries_[number].name; }

  // Ends the pass: everything for the page, in the order of the collectors.
  [[nodiscard]] Families End();

  // Called before the first pass: these passes take the place of `before`, which runs no collector
  // any more but may hold some that hang, and may go away.
  void Inherit(const Passes& before);

 private:
  // A collector, shared with the entry that takes its place while it hangs: the two then belong to
  // samplers with locks of their own.
  struct Post {
    std::unique_ptr<Collector> collector;
    std::atomic<bool> hangs{false};
  };
  struct Entry {
    std::shared_ptr<Post> post;
    std::shared_ptr<const Post> predecessor;  // null: none, or inherited from already
    std::string name;
    LabelsPtr labels;
    std::optional<SteadyTime> hangs_since;
    Duration took{};
    bool success = false;
    Families families;
  };

  [[nodiscard]] static bool IsAway(Entry& entry);

  std::vector<Entry> entries_;
  Families unreadable_;  // of all collectors, as last shown
  Duration interval_;
  Tick tick_{};
  std::optional<SteadyTime> last_;  // begin of the pass before
  std::optional<Duration> since_;   // then
  std::uint64_t missed_ = 0;
  bool open_ = false;
  std::size_t next_ = 0;
  std::size_t current_ = 0;
  std::optional<SteadyTime> busy_since_;
};

}  // namespace limpet
