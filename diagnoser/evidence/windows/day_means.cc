#include "diagnoser/evidence/windows/day_means.h"

#include <chrono>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr std::int64_t kHoursOfDay = 24;

// A window belongs to the hour (H, H + 1 h] it ends in.
std::int64_t CountHours(UnixTime end) {
  return std::chrono::floor<std::chrono::hours>(end - Duration(1)).time_since_epoch().count();
}
std::int64_t CountDays(UnixTime end) { return CountHours(end) / kHoursOfDay; }

}  // namespace

void DayMeans::Hours::Add(std::uint32_t at, double mean) {
  // Hours come in order; of the last one the sum is kept, of those before the mean alone.
  if (at != hour) {
    hour = at;
    sum = 0;
    count = 0;
  }
  sum += mean;
  ++count;
  // A float will do: the median of a day is for people.
  means[hour] = static_cast<float>(sum / count);
  known |= 1U << hour;
}

std::vector<double> DayMeans::Hours::All() const {
  std::vector<double> all;
  for (std::uint32_t i = 0; i < means.size(); ++i) {
    if ((known >> i & 1U) != 0) {
      all.push_back(static_cast<double>(means[i]));
    }
  }
  return all;
}

void DayMeans::Record(std::size_t metric, UnixTime end,
                      std::span<const ComponentWindow> components) {
  // The day before was looked at already (IsOver); nothing of it is needed any more.
  if (CountDays(end) != day_) {
    day_ = CountDays(end);
    metrics_.clear();
  }
  if (metric >= metrics_.size()) {
    metrics_.resize(metric + 1);
  }
  const auto hour = static_cast<std::uint32_t>(CountHours(end) % kHoursOfDay);
  auto& all = metrics_[metric];
  auto next = all.begin();  // mostly the same components as in the window before
  for (const auto& component : components) {
    if (component.mean) {
      if (next == all.end() || next->first != component.component) {
        next = all.try_emplace(component.component).first;
      }
      (next++)->second.Add(hour, *component.mean);
    }
  }
}

void DayMeans::Forget(const std::function<bool(const std::string& component)>& is_gone) {
  for (auto& components : metrics_) {
    std::erase_if(components, [&](const auto& one) { return is_gone(one.first); });
  }
}

bool DayMeans::IsOver(UnixTime end) const { return day_ >= 0 && CountDays(end) > day_; }

std::map<std::string, double> DayMeans::Medians(std::size_t metric) const {
  std::map<std::string, double> medians;
  if (metric < metrics_.size()) {
    for (const auto& [component, hours] : metrics_[metric]) {
      auto all = hours.All();
      // A component that was there for a morning would be compared with others' whole day.
      if (all.size() >= kMinHours) {
        medians[component] = Median(std::move(all));
      }
    }
  }
  return medians;
}

}  // namespace limpet
