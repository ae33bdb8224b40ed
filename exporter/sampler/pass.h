// pass.h: one tick's way through the collectors, who is at work, and what came of it.
//
// Generations: every runner has one; only that of the latest may change anything. A runner that was
// left behind finds its generation outdated when its collector returns, and goes away.
// Threads: none of its own and no lock: the sampler guards it with one.
#pragma once

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

  void Begin(const Tick& tick);
  [[nodiscard]] bool IsOpen() const { return open_; }
  [[nodiscard]] const Tick& Now() const { return tick_; }

  // The next collector to run, marked as at work since `now`; nullptr when the pass is through.
  // One that still hangs from an earlier pass is passed over.
  [[nodiscard]] Collector* Take(SteadyTime now);
  // What the collector taken last came back with, at `now`. No families: it failed.
  void Finish(std::optional<Families> families, SteadyTime now);

  // Since when the collector taken last has been at work; nullopt when none is.
  [[nodiscard]] std::optional<SteadyTime> BusySince() const;
  // Leaves the collector taken last behind at `now`; its number, for Return.
  std::size_t Abandon(SteadyTime now);
  // The collector left behind as this number came back.
  void Return(std::size_t number) { entries_[number].hangs_since.reset(); }
  [[nodiscard]] std::size_t Current() const { return current_; }
  [[nodiscard]] const std::string& Name(std::size_t number) const { return entries_[number].name; }

  // Ends the pass: everything for the page, in the order of the collectors.
  [[nodiscard]] Families End();

 private:
  struct Entry {
    std::unique_ptr<Collector> collector;
    std::string name;
    LabelsPtr labels;
    std::optional<SteadyTime> hangs_since;
    Duration took{};
    bool success = false;
    Families families;
  };

  std::vector<Entry> entries_;
  Duration interval_;
  Tick tick_{};
  std::optional<SteadyTime> last_;  // begin of the pass before
  std::uint64_t missed_ = 0;
  bool open_ = false;
  std::size_t next_ = 0;
  std::size_t current_ = 0;
  std::optional<SteadyTime> busy_since_;
};

}  // namespace limpet
