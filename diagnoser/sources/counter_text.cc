#include "diagnoser/sources/counter_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "exporter/common/units.h"

namespace limpet {
namespace {

constexpr std::string_view kPrefix = "limpet_";
constexpr double kPercent = 100;

// As exposition formats want label values; names come from other machines.
void AppendEscaped(std::string_view value, std::string& text) {
  for (const char c : value) {
    if (c == '\\' || c == '"') {
      text.append(1, '\\').append(1, c);
    } else {
      text.append(c == '\n' ? "\\n" : std::string_view(&c, 1));
    }
  }
}

void AppendLabel(std::string_view name, std::string_view value, std::string& text) {
  if (!value.empty()) {
    text.append(text.empty() ? "" : ",").append(name).append("=\"");
    AppendEscaped(value, text);
    text.append("\"");
  }
}

// `instance` and `role` come first, as in recordings.
std::string Labels(const Owner& owner) {
  std::string text;
  AppendLabel("instance", owner.node, text);
  AppendLabel("role", owner.role, text);
  AppendLabel("device", owner.device, text);
  return text;
}

}  // namespace

void Rates::Set(Rate rate, double value) {
  if (std::isfinite(value) && value >= 0) {
    values_[static_cast<std::size_t>(rate)] = value;
  }
}

bool Rates::Has(Rate rate) const { return !std::isnan(Get(rate)); }

bool Rates::Any() const {
  return std::any_of(values_.begin(), values_.end(), [](double v) { return !std::isnan(v); });
}

// Behind the first counters, since who looks for the time between readings looks at what a file
// begins with.
void CounterText::BeginNode(const Owner& owner, UnixTime at) {
  if (nodes_.size() < kMaxEntities && !nodes_.contains(owner.node)) {
    nodes_.emplace(owner.node);
    BreakOff(owner, at);
  }
}

bool CounterText::Add(const Owner& owner, const Rates& rates, UnixTime at, Duration over) {
  const auto labels = Labels(owner);
  auto found = devices_.find(labels);
  if (found == devices_.end()) {
    if (devices_.size() >= kMaxEntities) {
      return false;
    }
    found = devices_.emplace(labels, Totals()).first;
  }
  AddDisk(labels, rates, at, ToSeconds(over), found->second.disk);
  AddInterface(labels, rates, at, ToSeconds(over), found->second.interface);
  BeginNode(owner, at);
  return true;
}

void CounterText::AddDisk(std::string_view labels, const Rates& rates, UnixTime at, double seconds,
                          DiskTotals& totals) {
  const auto raise = [&](DiskCounter counter, double increase) {
    Line(series::kDisk[Index(counter)], labels, totals[Index(counter)] += increase, at);
  };
  if (rates.Has(Rate::kRequests)) {
    // A counter of writes that stands still: without it requests would be missing, not few.
    const double requests = rates.Get(Rate::kRequests) * seconds;
    raise(DiskCounter::kReads, requests);
    raise(DiskCounter::kWrites, 0);
    if (rates.Has(Rate::kAwait)) {
      raise(DiskCounter::kReadSeconds, SecondsFromMilliseconds(rates.Get(Rate::kAwait)) * requests);
      raise(DiskCounter::kWriteSeconds, 0);
    }
  }
  constexpr std::array kPlain = {
      std::pair{Rate::kReadBytes, DiskCounter::kReadBytes},
      std::pair{Rate::kWrittenBytes, DiskCounter::kWrittenBytes},
      std::pair{Rate::kQueueLength, DiskCounter::kWeightedSeconds},
  };
  for (const auto& [rate, counter] : kPlain) {
    if (rates.Has(rate)) {
      raise(counter, rates.Get(rate) * seconds);
    }
  }
  if (rates.Has(Rate::kUtilization)) {
    raise(DiskCounter::kBusySeconds, rates.Get(Rate::kUtilization) / kPercent * seconds);
  }
}

void CounterText::AddInterface(std::string_view labels, const Rates& rates, UnixTime at,
                               double seconds, NetTotals& totals) {
  constexpr std::array kAll = {
      std::pair{Rate::kReceivedBytes, NetCounter::kRxBytes},
      std::pair{Rate::kReceivedPackets, NetCounter::kRxPackets},
      std::pair{Rate::kSentBytes, NetCounter::kTxBytes},
      std::pair{Rate::kSentPackets, NetCounter::kTxPackets},
  };
  for (const auto& [rate, counter] : kAll) {
    if (rates.Has(rate)) {
      const auto number = static_cast<std::size_t>(counter);
      Line(series::kInterface[number], labels, totals[number] += rates.Get(rate) * seconds, at);
    }
  }
}

void CounterText::AddToNode(const Owner& owner, std::string_view series, std::string_view mode,
                            double increase, UnixTime at) {
  if (!std::isfinite(increase) || increase < 0) {
    return;
  }
  auto labels = Labels(owner);
  AppendLabel("mode", mode, labels);
  auto& total = hosts_[fmt::format("{}{{{}", series, labels)];
  total += increase;
  Line(series, labels, total, at);
  BeginNode(owner, at);
}

void CounterText::AddReading(const Owner& owner, std::string_view series, double value,
                             UnixTime at) {
  if (std::isfinite(value)) {
    Line(series, Labels(owner), value, at);
  }
}

// The pipeline knows this way of saying that no counter goes on (intake/identities.h), so it
// needs no other for files.
void CounterText::BreakOff(const Owner& owner, UnixTime at) {
  const Owner node{.node = owner.node, .role = owner.role};
  Line("boot_time_seconds", Labels(node), static_cast<double>(WholeSeconds(at)), at);
}

void CounterText::Line(std::string_view series, std::string_view labels, double value,
                       UnixTime at) {
  // Whole milliseconds, as recordings have them; through a double they would move.
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(at.time_since_epoch());
  fmt::format_to(std::back_inserter(text_), "{}{}{{{}}} {} {}.{:03}\n", kPrefix, series, labels,
                 value, WholeSeconds(at), (ms % std::chrono::seconds(1)).count());
}

}  // namespace limpet
