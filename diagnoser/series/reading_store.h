// reading_store.h: what every store of a kind's readings does, so that the intake knows none by
// name. Disks, interfaces, connections and hosts are entities of the directory and have their own
// (readings.h, host_readings.h).
//
// Bounds:  each store's own, of a node and of all; a series that is over them has no number.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "diagnoser/mapping/builtin.h"
#include "diagnoser/mapping/directory.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/time.h"

namespace limpet {

// A series where it was read.
struct SeriesOrigin {
  Field field;
  std::string_view name = {};  // of the series
  const LabelPairs& labels;
  SourceLabels source = {};      // the target's own
  std::string_view target = {};  // whose page; a node may have several
};

class ReadingStore {
 public:
  virtual ~ReadingStore() = default;
  // Returns the number of the series; nullopt when it is of no use, when there is no room, or
  // nothing says which node it is of.
  [[nodiscard]] virtual std::optional<std::uint32_t> Resolve(const SeriesOrigin& series) = 0;
  // `value` is finite and not negative.
  virtual void Add(std::uint32_t series, UnixTime at, double value) = 0;
  virtual void Forget(std::string_view node) = 0;
  // Forgets what has had no reading since `before`; other series may get other numbers.
  virtual void Tidy(UnixTime before) = 0;
  // Returns whether its readings are compared: they begin and extend the input. Those of others
  // are only shown.
  [[nodiscard]] virtual bool IsCompared() const = 0;

 protected:
  ReadingStore() = default;
  ReadingStore(const ReadingStore&) = default;
  ReadingStore(ReadingStore&&) = default;
  ReadingStore& operator=(const ReadingStore&) = default;
  ReadingStore& operator=(ReadingStore&&) = default;
};

}  // namespace limpet
