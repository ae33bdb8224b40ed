// device_records.h: the devices that a collector shows, and what it remembers of each between two
// readings of the file that lists them.
//
// Damage:  a name listed twice counts as a damaged line, as what could not be parsed does; the log
//          names the first one of each run of damaged readings.
// Reload:  Inherit takes over what another collector remembers and asks anew what to show.
// Threads: as collector.h says. Entries stay where they are while their device is listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/collectors/device_table.h"
#include "exporter/collectors/families.h"
#include "exporter/common/exposition/sample.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"
#include "exporter/common/utf8.h"
#include "exporter/kernel/device_lines.h"

namespace limpet {

// The words of messages, and how many devices that are gone to remember.
struct DeviceRecordsOptions {
  std::string_view collector;  // "disk"
  std::string_view file;       // "diskstats"
  std::string_view noun;       // "device"
  std::size_t remembered = 0;
};

template <class State>
class DeviceRecords {
 public:
  struct Device : State {
    std::optional<bool> shown;  // nullopt until the first reading that lists it
    LabelsPtr labels;           // {device}; null unless it is shown
  };
  using Entry = typename DeviceTable<Device>::Entry;

  DeviceRecords(const DeviceRecordsOptions& options, LogSink log)
      : options_(options), log_(std::move(log)) {}

  // Takes in one reading: shows(name) is asked once a device, update(entry, line) is called for
  // each that is shown. kInvalid when nothing of the file was whole: then nothing has changed.
  template <class Line, class Shows, class Update>
  [[nodiscard]] Result<void> Record(const DeviceLines<Line>& reading, const Shows& shows,
                                    const Update& update) {
    if (reading.lines.empty() && reading.skipped > 0) {
      return Error{ErrorCode::kInvalid, reading.problem, std::string(options_.file)};
    }
    auto skipped = reading.skipped;
    auto problem = reading.problem;
    table_.Begin();
    shown_.clear();
    for (const auto& line : reading.lines) {
      auto* entry = table_.Visit(line.name, [] { return Device{}; });
      if (entry == nullptr) {  // two series of one name would make Prometheus refuse the page
        if (skipped++ == 0) {
          problem = std::string(options_.noun) + " " + Printable(line.name) + " is listed twice";
        }
        continue;
      }
      if (IsShown(*entry, shows)) {
        update(*entry, line);
      }
    }
    table_.End(reading.skipped == 0, options_.remembered);
    for (auto* entry : table_.Present()) {
      if (*entry->state.shown) {
        shown_.push_back(entry);
      }
    }
    CountSkipped(skipped, problem);
    return {};
  }

  // Nullptr for a name that is not known.
  [[nodiscard]] Entry* Find(std::string_view name) { return table_.Find(name); }
  // Those of the last reading, in its order.
  [[nodiscard]] std::span<Entry* const> Shown() const { return shown_; }
  // Returns whether the last reading listed other devices, or in another order, than the one
  // before.
  [[nodiscard]] bool Changed() const { return table_.Changed(); }
  // Counted since the start.
  [[nodiscard]] std::uint64_t SkippedLines() const { return skipped_lines_; }

  // One family: value(state) is a number, or nullopt to leave the device out.
  template <class Value>
  void Add(Families& families, const MetricInfo& info, const Value& value) const {
    AddFamily(
        families, info, shown_, [](const Entry* entry) { return entry->state.labels; },
        [&](const Entry* entry) -> std::optional<double> { return value(entry->state); });
  }

  // `renew` is called for the state of each device that is taken over.
  template <class Renew>
  void Inherit(DeviceRecords& before, const Renew& renew) {
    table_ = std::move(before.table_);
    skipped_lines_ = before.skipped_lines_;
    damaged_ = before.damaged_;
    table_.ForEach([&](Entry& entry) {
      entry.state.shown.reset();
      renew(entry.state);
    });
  }

 private:
  template <class Shows>
  static bool IsShown(Entry& entry, const Shows& shows) {
    if (!entry.state.shown) {
      entry.state.shown = shows(entry.name);
      if (!*entry.state.shown) {
        // Should a later reload show it again, the time in between is no interval.
        static_cast<State&>(entry.state) = State{};
      }
      entry.state.labels =
          *entry.state.shown ? MakeLabels({{"device", Printable(entry.name)}}) : nullptr;
    }
    return *entry.state.shown;
  }

  void CountSkipped(std::size_t skipped, const std::string& problem) {
    if (skipped > 0 && !damaged_) {
      log_(LogLevel::kWarning, std::string(options_.collector) + ": " + std::string(options_.file) +
                                   ": " + problem + "; skipped");
    }
    damaged_ = skipped > 0;
    skipped_lines_ += skipped;
  }

  DeviceRecordsOptions options_;
  LogSink log_;
  DeviceTable<Device> table_;
  std::vector<Entry*> shown_;
  std::uint64_t skipped_lines_ = 0;
  bool damaged_ = false;
};

}  // namespace limpet
