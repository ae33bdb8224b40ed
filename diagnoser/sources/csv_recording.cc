#include "diagnoser/sources/csv_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "diagnoser/sources/csv_cells.h"
#include "diagnoser/sources/iso_instant.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

// Labels of metrics/catalog.h, in the units that its API has.
constexpr std::array kRateNames = {
    std::pair<std::string_view, Rate>{"requests", Rate::kRequests},
    std::pair<std::string_view, Rate>{"read_bytes", Rate::kReadBytes},
    std::pair<std::string_view, Rate>{"write_bytes", Rate::kWrittenBytes},
    std::pair<std::string_view, Rate>{"await", Rate::kAwait},
    std::pair<std::string_view, Rate>{"utilization", Rate::kUtilization},
    std::pair<std::string_view, Rate>{"queue_length", Rate::kQueueLength},
    std::pair<std::string_view, Rate>{"receive_bytes", Rate::kReceivedBytes},
    std::pair<std::string_view, Rate>{"receive_packets", Rate::kReceivedPackets},
    std::pair<std::string_view, Rate>{"transmit_bytes", Rate::kSentBytes},
    std::pair<std::string_view, Rate>{"transmit_packets", Rate::kSentPackets},
};
constexpr std::size_t kMaxQuoted = 40;

std::string Quote(std::string_view text) {
  return fmt::format("\"{}\"", text.substr(0, kMaxQuoted));
}

// Spreadsheets write one in front of UTF-8.
std::string_view WithoutMark(std::string_view line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return line.starts_with(kByteOrderMark) ? line.substr(kByteOrderMark.size()) : line;
}

// The constant of the same text; empty when no device or host has such a series.
std::string_view FindSeries(std::string_view name) {
  for (const std::string_view prefix : {"limpet_", "node_"}) {
    name = name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  }
  for (const auto& kind : DirectoryKinds()) {
    // What else there is (connections) wants more labels than a table's columns have.
    const bool fits = HasCounters(kind.kind) || IsHost(kind.kind);
    for (const auto series : fits ? kind.series : std::span<const std::string_view>()) {
      if (series == name) {
        return series;
      }
    }
  }
  return {};
}

}  // namespace

// Both are needed of every form; a text of metrics has neither as a cell of its first line.
bool IsCsvHeader(std::string_view line) {
  const auto cells = SplitCsv(WithoutMark(line), CsvRecording::kMaxColumns);
  const auto has = [&](std::string_view name) {
    return std::find(cells->begin(), cells->end(), name) != cells->end();
  };
  return cells && has("time") && has("node");
}

std::optional<CsvRecording::Meaning> CsvRecording::FindMeaning(std::string_view name) {
  for (const auto& [label, rate] : kRateNames) {
    if (label == name) {
      return rate;
    }
  }
  const auto series = FindSeries(name);
  return series.empty() ? std::nullopt : std::optional<Meaning>(series);
}

Result<std::string> CsvRecording::Feed(std::string_view plain) {
  while (true) {
    const auto newline = plain.find('\n');
    const auto part = plain.substr(0, newline);
    if (rest_.size() + part.size() > kMaxLine) {
      return Error{ErrorCode::kTooLarge, "expected lines of at most 64 KiB",
                   fmt::format("{}:{}", notes_.Path(), line_ + 1)};
    }
    rest_.append(part);
    if (newline == std::string_view::npos) {
      return text_.Take();
    }
    plain.remove_prefix(newline + 1);
    ++line_;
    if (has_header_) {
      ReadRow(rest_);
    } else if (auto wrong = ReadHeader(WithoutMark(rest_))) {
      return *std::move(wrong);
    }
    rest_.clear();
  }
}

Result<std::string> CsvRecording::Finish() {
  // A last line without its newline may lack digits.
  if (!Trim(rest_).empty()) {
    notes_.LeaveOut(line_ + 1, "the file ends in the middle of this line");
  }
  EndInstant();
  notes_.Finish(line_ > 0 ? line_ - 1 : 0);
  return text_.Take();
}

std::optional<Error> CsvRecording::ReadHeader(std::string_view line) {
  const auto cells = SplitCsv(line, kMaxColumns);
  const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
    const auto found = std::find(cells->begin(), cells->end(), name);
    return found == cells->end() ? std::nullopt
                                 : std::optional<std::size_t>(found - cells->begin());
  };
  if (!cells || !find("time") || !find("node") ||
      find("metric").has_value() != find("value").has_value()) {
    return Error{ErrorCode::kInvalid,
                 "expected a header such as time,node,device,metric,value or "
                 "time,node,device,await,requests, got " +
                     Quote(line),
                 fmt::format("{}:{}", notes_.Path(), line_)};
  }
  time_ = *find("time");
  node_ = *find("node");
  device_ = find("device");
  role_ = find("role");
  metric_ = find("metric");
  value_ = find("value").value_or(0);
  for (std::size_t i = 0; i < cells->size() && !metric_; ++i) {
    const auto& name = (*cells)[i];
    if (i == time_ || i == node_ || i == device_ || i == role_) {
      continue;
    }
    metrics_.push_back({.column = i, .name = name, .meaning = FindMeaning(name)});
    if (!metrics_.back().meaning) {
      notes_.Say(
          fmt::format("column {} is no metric that is known here; passed over", Quote(name)));
    }
  }
  columns_ = cells->size();
  has_header_ = true;
  return std::nullopt;
}

void CsvRecording::ReadRow(std::string_view line) {
  if (Trim(line).empty()) {
    return;
  }
  const auto cells = SplitCsv(line, kMaxColumns);
  if (!cells || cells->size() != columns_) {
    notes_.LeaveOut(line_, fmt::format("expected {} cells as in the header, got {}", columns_,
                                       cells ? std::to_string(cells->size())
                                             : "a quote without its end or too many"));
    return;
  }
  const auto at = ParseAnyInstant((*cells)[time_]);
  if (!at) {
    notes_.LeaveOut(line_, "expected a time such as 2026-01-31T10:00:00Z or Unix seconds, got " +
                               Quote((*cells)[time_]));
    return;
  }
  if (at_ && *at < *at_ - kDisorder) {
    notes_.LeaveOut(line_, "expected rows in order of time, got one more than 5 s before the last");
    return;
  }
  if (at_ && *at != *at_) {
    // All that is known of an instant is needed at once: await means nothing without requests.
    EndInstant();
  }
  at_ = at;
  if (const auto why = ReadCells(*cells); !why.empty()) {
    notes_.LeaveOut(line_, why);
  }
}

std::string CsvRecording::ReadCells(const std::vector<std::string>& cells) {
  const auto& node = cells[node_];
  if (node.empty()) {
    return "expected the name of a node, got an empty cell";
  }
  const auto cell_or_none = [&](const std::optional<std::size_t>& column) {
    return column ? cells[*column] : std::string();
  };
  if (readings_.size() >= CounterText::kMaxEntities) {
    return "there are more devices than 200000";
  }
  // Also for a row without a value: the device is there.
  auto& reading = readings_[{node, cell_or_none(role_), cell_or_none(device_)}];
  if (metric_) {
    const auto meaning = FindMeaning(cells[*metric_]);
    return meaning ? Put(*meaning, cells[value_], reading)
                   : "expected a metric such as await, requests or disk_read_bytes_total, got " +
                         Quote(cells[*metric_]);
  }
  for (const auto& metric : metrics_) {
    const auto& cell = cells[metric.column];
    const auto why = metric.meaning && !cell.empty() ? Put(*metric.meaning, cell, reading) : "";
    if (!why.empty()) {
      return metric.name.substr(0, kMaxQuoted) + ": " + why;
    }
  }
  return {};
}

std::string CsvRecording::Put(const Meaning& meaning, std::string_view cell, Reading& reading) {
  const auto value = ParseDouble(cell);
  if (!value || !std::isfinite(*value) || *value < 0) {
    return "expected a number that is not negative, got " + Quote(cell);
  }
  if (const auto* rate = std::get_if<Rate>(&meaning)) {
    reading.rates.Set(*rate, *value);
  } else {
    reading.series[std::get<std::string_view>(meaning)] = *value;
  }
  return {};
}

void CsvRecording::EndInstant() {
  for (const auto& [device, reading] : readings_) {
    const auto& [node, role, name] = device;
    const Owner owner{.node = node, .role = role, .device = name};
    for (const auto& [series, value] : reading.series) {
      text_.AddReading(owner, series, value, *at_);
    }
    if (reading.rates.Any()) {
      AddRates(device, owner, reading.rates);
    }
  }
  readings_.clear();
}

void CsvRecording::AddRates(const Device& device, const Owner& owner, const Rates& rates) {
  if (rates.Has(Rate::kAwait) && !rates.Has(Rate::kRequests)) {
    notes_.Say("await counts only beside requests of the same device and time");
  }
  // The first row of a device has no interval: its rates are those of a time that nobody knows.
  const auto [last, is_first] = last_.emplace(device, *at_);
  if (*at_ < last->second) {
    return;  // its rows are in disorder: what came later has been counted
  }
  if (!text_.Add(owner, rates, *at_, is_first ? Duration() : *at_ - last->second)) {
    notes_.Say("has more devices than 200000; the others are left out");
  }
  last->second = *at_;
}

}  // namespace limpet
