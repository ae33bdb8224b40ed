#include "diagnoser/verdict/persistence.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <tuple>

namespace limpet {

std::vector<Persistent> TopPersistent(std::vector<Persistent> all, std::size_t most) {
  std::erase_if(all, [](const Persistent& one) { return one.accumulator == 0; });
  std::sort(all.begin(), all.end(), [](const Persistent& a, const Persistent& b) {
    return std::tie(b.accumulator, a.group, a.component) <
           std::tie(a.accumulator, b.group, b.component);
  });
  all.resize(std::min(all.size(), most));
  return all;
}

// An hour is written anew with every window in it, so the last one is what stays.
void HourlyList::Record(UnixTime window_end, const std::vector<Persistent>& top) {
  using std::chrono::days;
  using std::chrono::hours;
  // A window that ends at the full hour belongs to the hour before.
  const auto hour = std::chrono::floor<hours>(window_end - Duration(1));
  const auto day = std::chrono::floor<days>(hour);
  const std::chrono::year_month_day date(day);
  auto row = fmt::format("{:04}{:02}{:02}.{:02}:", static_cast<int>(date.year()),
                         static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                         (hour - day).count());
  for (const auto& one : top) {
    row += fmt::format(" {} {}:{}", one.accumulator, one.group, one.component);
  }
  rows_[hour.time_since_epoch().count()] = std::move(row);
  if (rows_.size() > kMaxHours) {
    rows_.erase(rows_.begin());
  }
}

std::vector<std::string> HourlyList::Rows() const {
  std::vector<std::string> rows;
  rows.reserve(rows_.size());
  for (const auto& [hour, row] : rows_) {
    rows.push_back(row);
  }
  return rows;
}

}  // namespace limpet
