#include "diagnoser/mapping/builtin.h"

#include <algorithm>
#include <array>

namespace limpet {
namespace {

struct Row {
  std::string_view name;
  Field field;
};

template <class Enumerator>
constexpr Field At(Enumerator counter) {
  return {Whose(counter), FieldNumber(counter)};
}

// Series that are not one field each, and other names that sources have for one.
constexpr std::array kOthers = {
    Row{"cpu_seconds_total", {EntityKind::kHost, kModeField}},
    Row{"disk_info", {EntityKind::kDisk, kInfoField}},
    Row{"threads", At(HostGauge::kThreads)},
    Row{"vmstat_pgfault", At(HostCounter::kFaults)},
    Row{"vmstat_pgpgin", At(HostCounter::kPagedIn)},
    Row{"vmstat_pgpgout", At(HostCounter::kPagedOut)},
};

constexpr std::size_t CountRows() {
  std::size_t count = kOthers.size();
  for (const auto& kind : kEntityKindRows) {
    count += kind.series.size();
  }
  return count;
}

// Of all kinds, sorted by name. Fields without a series of their own sort to the front and are
// found by nobody, since no name is empty.
constexpr std::array<Row, CountRows()> MakeRows() {
  std::array<Row, CountRows()> rows{};
  auto next = std::copy(kOthers.begin(), kOthers.end(), rows.begin());
  for (const auto& kind : kEntityKindRows) {
    for (std::size_t number = 0; number < kind.series.size(); ++number) {
      *next++ = {kind.series[number], {kind.kind, static_cast<std::uint8_t>(number)}};
    }
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.name < b.name; });
  return rows;
}
constexpr auto kRows = MakeRows();

}  // namespace

std::optional<Field> FieldOf(std::string_view name) {
  for (const std::string_view prefix : {"limpet_", "node_"}) {
    if (!name.starts_with(prefix)) {
      continue;
    }
    name.remove_prefix(prefix.size());
    if (name.empty()) {
      break;
    }
    const auto row =
        std::lower_bound(kRows.begin(), kRows.end(), name,
                         [](const Row& one, std::string_view wanted) { return one.name < wanted; });
    if (row != kRows.end() && row->name == name) {
      return row->field;
    }
    break;
  }
  return std::nullopt;
}

std::optional<Field> FieldOfMode(std::string_view mode) {
  constexpr std::array<std::string_view, 3> kModes = {"user", "system", "iowait"};
  const auto found = std::find(kModes.begin(), kModes.end(), mode);
  return found == kModes.end()
             ? std::nullopt
             : std::optional(Field{.kind = EntityKind::kHost,
                                   .index = static_cast<std::uint8_t>(found - kModes.begin())});
}

}  // namespace limpet
