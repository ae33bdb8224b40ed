// csv_recording.h: tables of readings as comma-separated values, as the text of a recording.
//
// Header:  names the columns, in any order: time, node, device, role (device and role may be
//          missing), and either metric and value, or one column a metric (docs/configure.md lists
//          the metrics and their units). An empty cell is a reading that is missing.
// Times:   Unix seconds or ISO 8601. Rows are in order of time; those further back than kDisorder
//          are left out.
// Rates:   hold from the device's row before (counter_text.h): its first row only says when they
//          begin. Series by their names, with or without limpet_ or node_, are counters and gauges
//          as they are.
// Bad rows are left out, counted and named (input_notes.h). Quotes as in RFC 4180, without newlines
// inside them.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "diagnoser/sources/converter.h"
#include "diagnoser/sources/counter_text.h"
#include "diagnoser/sources/input_notes.h"

namespace limpet {

// Returns whether a text begins with the header of such a table.
[[nodiscard]] bool IsCsvHeader(std::string_view line);

class CsvRecording final : public Converter {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{64} << 10U;
  static constexpr std::size_t kMaxColumns = 1024;
  static constexpr Duration kDisorder = std::chrono::seconds(5);

  // `notes` must outlive it.
  explicit CsvRecording(InputNotes& notes) : notes_(notes) {}

  // kInvalid: the header is none; kTooLarge: a line beyond the bounds.
  [[nodiscard]] Result<std::string> Feed(std::string_view plain) override;
  [[nodiscard]] Result<std::string> Finish() override;

 private:
  // The meaning of a column or a metric: a rate or a series as it is.
  using Meaning = std::variant<Rate, std::string_view>;
  struct Metric {
    std::size_t column = 0;
    std::string name;
    std::optional<Meaning> meaning;
  };
  static std::optional<Meaning> FindMeaning(std::string_view name);

  // The values of one device at the instant that is being read.
  struct Reading {
    Rates rates;
    std::map<std::string_view, double> series;  // names are constants
  };
  using Device = std::tuple<std::string, std::string, std::string>;  // node, role, device

  [[nodiscard]] std::optional<Error> ReadHeader(std::string_view line);
  void ReadRow(std::string_view line);
  // Empty, or why the row cannot be used.
  [[nodiscard]] std::string ReadCells(const std::vector<std::string>& cells);
  [[nodiscard]] static std::string Put(const Meaning& meaning, std::string_view cell,
                                       Reading& reading);
  // The rows of one instant become lines.
  void EndInstant();
  void AddRates(const Device& device, const Owner& owner, const Rates& rates);

  InputNotes& notes_;
  CounterText text_;
  std::string rest_;  // a line that is not whole yet
  std::uint64_t line_ = 0;
  bool has_header_ = false;
  std::size_t columns_ = 0;
  std::size_t time_ = 0;  // columns
  std::size_t node_ = 0;
  std::optional<std::size_t> device_;
  std::optional<std::size_t> role_;
  std::optional<std::size_t> metric_;  // of the long form
  std::size_t value_ = 0;
  std::vector<Metric> metrics_;  // of the wide form
  std::optional<UnixTime> at_;   // the instant that is being read
  std::map<Device, Reading> readings_;
  std::map<Device, UnixTime> last_;  // rates of a device
};

}  // namespace limpet
