#include "exporter/sampler/pass.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/sampler/catalog.h"
#include "exporter/sampler/schedule.h"

namespace limpet {
namespace {

// Files that several collectors cannot read are one family, and a file of two collectors is one
// series.
class UnreadableOfAll {
 public:
  void Add(const Family& family) {
    for (const auto& sample : family.All()) {
      samples_.emplace(sample.labels->Rendered(), sample);
    }
  }
  [[nodiscard]] Families Take(const Families& before) && {
    if (samples_.empty()) {
      return {};
    }
    Family family{.info = &catalog::kFactsUnreadable, .samples = {}};
    for (auto& [rendered, sample] : samples_) {
      family.samples.push_back(std::move(sample));
    }
    return Keep({std::move(family)}, before);
  }

 private:
  std::map<std::string, Sample> samples_;
};

}  // namespace

Passes::Passes(std::vector<std::unique_ptr<Collector>> collectors, Duration interval)
    : interval_(interval) {
  for (auto& collector : collectors) {
    auto& entry = entries_.emplace_back();
    entry.name = collector->Name();
    entry.labels = MakeLabels({{"collector", entry.name}});
    entry.post = std::make_shared<Post>();
    entry.post->collector = std::move(collector);
  }
}

void Passes::Begin(const Tick& tick, Duration left_out) {
  if (last_) {
    since_ = tick.steady - *last_;
    missed_ += MissedTicks(*since_ - left_out, interval_);
  }
  last_ = tick.steady;
  tick_ = tick;
  open_ = true;
  next_ = 0;
}

// Whether the entry's collector, or the one before it, has not come back. A successor inherits at
// the first pass that finds its predecessor at rest, that is usually the very first.
bool Passes::IsAway(Entry& entry) {
  if (entry.predecessor == nullptr) {
    return entry.hangs_since.has_value();
  }
  if (entry.predecessor->hangs.load(std::memory_order_acquire)) {
    return true;
  }
  entry.post->collector->Inherit(*entry.predecessor->collector);
  entry.predecessor.reset();
  entry.hangs_since.reset();
  return false;
}

Collector* Passes::StartNext(SteadyTime now) {
  for (; next_ < entries_.size(); ++next_) {
    auto& entry = entries_[next_];
    entry.success = false;
    entry.families.clear();
    if (IsAway(entry)) {
      entry.took = now - *entry.hangs_since;
      continue;
    }
    busy_since_ = now;
    current_ = next_++;
    return entry.post->collector.get();
  }
  return nullptr;
}

void Passes::Finish(std::optional<Families> families, SteadyTime now, bool complete) {
  auto& entry = entries_[current_];
  entry.success = families.has_value() && complete;
  entry.families = std::move(families).value_or(Families{});
  entry.took = now - *busy_since_;
  busy_since_.reset();
}

std::optional<SteadyTime> Passes::BusySince() const { return busy_since_; }

std::size_t Passes::Abandon(SteadyTime now) {
  auto& entry = entries_[current_];
  entry.hangs_since = busy_since_;
  entry.post->hangs.store(true, std::memory_order_relaxed);
  entry.took = now - *busy_since_;
  busy_since_.reset();
  return current_;
}

void Passes::Return(std::size_t number) {
  entries_[number].hangs_since.reset();
  // Release: whoever inherits from the collector sees all that it has written.
  entries_[number].post->hangs.store(false, std::memory_order_release);
}

void Passes::Inherit(const Passes& before) {
  missed_ = before.missed_;
  for (auto& entry : entries_) {
    const auto old = std::find_if(before.entries_.begin(), before.entries_.end(),
                                  [&](const Entry& other) { return other.name == entry.name; });
    if (old == before.entries_.end()) {
      continue;
    }
    // A second reload may come while the first one's collector still waits for its predecessor.
    entry.predecessor = old->predecessor != nullptr ? old->predecessor : old->post;
    entry.hangs_since = old->hangs_since;
  }
}

Families Passes::End() {
  open_ = false;
  Families all;
  Family duration{&catalog::kCollectorDuration, {}};
  Family success{&catalog::kCollectorSuccess, {}};
  UnreadableOfAll unreadable;
  for (auto& entry : entries_) {
    for (auto& family : entry.families) {
      if (family.info == &catalog::kFactsUnreadable) {
        unreadable.Add(family);
      } else {
        all.push_back(std::move(family));
      }
    }
    entry.families.clear();
    duration.samples.push_back({entry.labels, ToSeconds(entry.took)});
    success.samples.push_back({entry.labels, entry.success ? 1.0 : 0.0});
  }
  unreadable_ = std::move(unreadable).Take(unreadable_);
  all.insert(all.end(), unreadable_.begin(), unreadable_.end());
  all.push_back(std::move(duration));
  all.push_back(std::move(success));
  // From milliseconds: nanoseconds since 1970 do not fit a double, and the page would show another
  // instant than the recording of the same sample.
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(tick_.at.time_since_epoch());
  all.push_back(
      {&catalog::kSampleTimestamp, {{nullptr, static_cast<double>(ms.count()) / 1000.0}}});
  all.push_back({&catalog::kTicksMissed, {{nullptr, static_cast<double>(missed_)}}});
  if (since_) {
    // Instants are multiples of the interval; what is beside them is when we woke up.
    const auto intervals = (*since_ + interval_ / 2) / interval_;
    all.push_back({&catalog::kSampleInterval,
                   {{nullptr, ToSeconds(std::max<Duration>(intervals * interval_, interval_))}}});
  }
  return all;
}

}  // namespace limpet
