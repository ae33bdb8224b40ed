#include "exporter/sampler/pass.h"

#include <iterator>
#include <utility>

#include "exporter/common/exposition/catalog/sampler.h"
#include "exporter/sampler/schedule.h"

namespace limpet {

Passes::Passes(std::vector<std::unique_ptr<Collector>> collectors, Duration interval)
    : interval_(interval) {
  for (auto& collector : collectors) {
    auto& entry = entries_.emplace_back();
    entry.name = collector->Name();
    entry.labels = MakeLabels({{"collector", entry.name}});
    entry.collector = std::move(collector);
  }
}

void Passes::Begin(const Tick& tick) {
  if (last_) {
    missed_ += MissedTicks(tick.steady - *last_, interval_);
  }
  last_ = tick.steady;
  tick_ = tick;
  open_ = true;
  next_ = 0;
}

Collector* Passes::Take(SteadyTime now) {
  for (; next_ < entries_.size(); ++next_) {
    auto& entry = entries_[next_];
    entry.success = false;
    entry.families.clear();
    if (entry.hangs_since) {
      entry.took = now - *entry.hangs_since;
      continue;
    }
    busy_since_ = now;
    current_ = next_++;
    return entry.collector.get();
  }
  return nullptr;
}

void Passes::Finish(std::optional<Families> families, SteadyTime now) {
  auto& entry = entries_[current_];
  entry.success = families.has_value();
  entry.families = std::move(families).value_or(Families{});
  entry.took = now - *busy_since_;
  busy_since_.reset();
}

std::optional<SteadyTime> Passes::BusySince() const { return busy_since_; }

std::size_t Passes::Abandon(SteadyTime now) {
  auto& entry = entries_[current_];
  entry.hangs_since = busy_since_;
  entry.took = now - *busy_since_;
  busy_since_.reset();
  return current_;
}

Families Passes::End() {
  open_ = false;
  Families all;
  Family duration{&catalog::kCollectorDuration, {}};
  Family success{&catalog::kCollectorSuccess, {}};
  for (auto& entry : entries_) {
    std::move(entry.families.begin(), entry.families.end(), std::back_inserter(all));
    entry.families.clear();
    duration.samples.push_back({entry.labels, ToSeconds(entry.took)});
    success.samples.push_back({entry.labels, entry.success ? 1.0 : 0.0});
  }
  all.push_back(std::move(duration));
  all.push_back(std::move(success));
  all.push_back({&catalog::kSampleTimestamp, {{nullptr, ToSeconds(tick_.at.time_since_epoch())}}});
  all.push_back({&catalog::kTicksMissed, {{nullptr, static_cast<double>(missed_)}}});
  return all;
}

}  // namespace limpet
