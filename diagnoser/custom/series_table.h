// series_table.h: which metrics of the configuration a series is read for.
//
// Threads: values; const functions may be called by any number at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diagnoser/custom/metric.h"
#include "exporter/common/exposition/parser.h"

namespace limpet {

// The part that a series plays in a metric.
enum class CustomPart : std::uint8_t { kValue, kCount, kBucket, kInfo, kAsker };

struct CustomUse {
  std::size_t metric = 0;  // number; of kInfo: any metric that joins over it
  CustomPart part = CustomPart::kValue;
};

class CustomSeriesTable {
 public:
  // `metrics` must outlive the table.
  explicit CustomSeriesTable(std::span<const CustomMetric> metrics);
  ~CustomSeriesTable();
  CustomSeriesTable(CustomSeriesTable&&) noexcept;
  CustomSeriesTable& operator=(CustomSeriesTable&&) noexcept;

  // Returns whether any metric reads series of this name.
  [[nodiscard]] bool Reads(std::string_view name) const { return uses_.find(name) != uses_.end(); }
  // The uses of a series with these labels; an info series has one use at most.
  [[nodiscard]] std::vector<CustomUse> Find(std::string_view name, const LabelPairs& labels) const;
  // All names, sorted: what a store is asked for.
  [[nodiscard]] std::vector<std::string> Names() const;

 private:
  struct Matcher;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  void Add(const std::string& name, std::size_t metric, CustomPart part);

  std::unordered_map<std::string, std::vector<CustomUse>, Hash, std::equal_to<>> uses_;
  std::vector<std::vector<Matcher>> matchers_;  // by metric
};

// The value of a label; empty: the series does not have it.
[[nodiscard]] std::string_view FindLabel(const LabelPairs& labels, std::string_view name);

}  // namespace limpet
