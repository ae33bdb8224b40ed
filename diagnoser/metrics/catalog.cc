#include "diagnoser/metrics/catalog.h"

#include <algorithm>

namespace limpet {
namespace {

constexpr std::array<std::span<const MetricRow>, 5> kAll = {
    rows::kDisks, rows::kInterfaces, rows::kWindows, rows::kHosts, rows::kSyscalls};

// A name or label that two rows share would make FindMetric give either.
constexpr bool NamesAreUnique() {
  for (const auto some : kAll) {
    for (const auto& one : some) {
      std::size_t same = 0;
      for (const auto others : kAll) {
        for (const auto& other : others) {
          same += one.name == other.name || one.name == other.label || one.label == other.label ||
                          one.label == other.name
                      ? 1U
                      : 0U;
        }
      }
      if (same != 1) {
        return false;
      }
    }
  }
  return true;
}
static_assert(NamesAreUnique());

// Windows are compared and their events written in the order of the rows.
constexpr bool IsSorted(std::span<const MetricRow> some) {
  return std::is_sorted(some.begin(), some.end(),
                        [](const MetricRow& a, const MetricRow& b) { return a.name < b.name; });
}
static_assert(IsSorted(rows::kDisks) && IsSorted(rows::kInterfaces) && IsSorted(rows::kWindows));

constexpr bool PairsMatch(std::span<const MetricRow> some) {
  for (std::size_t i = 0; i < some.size(); ++i) {
    if (some[i].judged_with && some[*some[i].judged_with].judges != i) {
      return false;
    }
    if (some[i].judges && some[*some[i].judges].judged_with != i) {
      return false;
    }
  }
  return true;
}
static_assert(PairsMatch(rows::kDisks) && PairsMatch(rows::kInterfaces));

static_assert(RowFor(DiskMetric::kUtil).name == "%util" &&
              RowFor(DiskMetric::kAwait).name == "await" &&
              RowFor(DiskMetric::kServiceTime).name == "svctm");

}  // namespace

const MetricRow* FindMetric(std::string_view name) {
  for (const auto some : kAll) {
    for (const auto& row : some) {
      if (row.name == name || row.label == name) {
        return &row;
      }
    }
  }
  return nullptr;
}

std::string_view MetricLabel(std::string_view name) {
  const auto* row = FindMetric(name);
  return row == nullptr ? name : row->label;
}

std::span<const std::span<const MetricRow>> MetricTable() { return kAll; }

}  // namespace limpet
