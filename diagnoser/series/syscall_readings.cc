#include "diagnoser/series/syscall_readings.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "diagnoser/series/gauge_age.h"
#include "diagnoser/series/second_grid.h"

namespace limpet {
namespace {

constexpr double kMaxCount = 1e15;  // an increase beyond it is no count of errors

enum class Shape { kService, kEvents, kGauge };

Shape FindShape(SyscallField field) {
  switch (field) {
    case SyscallField::kSeconds:
    case SyscallField::kCalls:
    case SyscallField::kPeerReadSeconds:
    case SyscallField::kPeerReads:
      return Shape::kService;
    case SyscallField::kErrors:
    case SyscallField::kPeerFailures:
      return Shape::kEvents;
    case SyscallField::kOpenSeconds:
    case SyscallField::kLastCompleted:
    case SyscallField::kProcesses:
      break;
  }
  return Shape::kGauge;
}

// The subject without its node; nullopt when a label is missing that it cannot do without.
std::optional<SyscallReadings::Subject> ReadSubject(SyscallField field, const LabelPairs& labels) {
  SyscallReadings::Subject subject;
  subject.field = field;
  std::string_view process_role;
  for (const auto& [name, value] : labels) {
    if (name == "process") {
      subject.process = value;
    } else if (name == "process_role") {
      process_role = value;
    } else if (name == "class") {
      subject.path = value;
    } else if (name == "operation") {
      subject.operation = value;
    } else if (name == "errno") {
      subject.error = value;
    } else if (name == "peer") {
      subject.peer = value;
    }
  }
  // Of which side the process is decides what its calls mean.
  if (process_role != "server" && process_role != "client") {
    return std::nullopt;
  }
  subject.client = process_role == "client";
  return subject;
}

std::string MakeKey(const SyscallReadings::Subject& subject) {
  std::string key(1, static_cast<char>('a' + static_cast<int>(subject.field)));
  key += subject.client ? 'c' : 's';
  for (const auto* part : {&subject.node, &subject.process, &subject.path, &subject.operation,
                           &subject.error, &subject.peer}) {
    key += *part;
    key += '\0';
  }
  return key;
}

}  // namespace

SyscallReadings::SyscallReadings(Duration ahead) : spreads_({SecondGrid(ahead)}) {}

std::optional<std::uint32_t> SyscallReadings::Resolve(const SeriesOrigin& series) {
  const auto number = FindOrAdd(series.field, series.labels, series.source);
  if (number) {
    LearnAddress(series.target, series.source.node);
  }
  return number;
}

std::optional<std::uint32_t> SyscallReadings::FindOrAdd(Field field, const LabelPairs& labels,
                                                        const SourceLabels& source) {
  auto subject = ReadSubject(static_cast<SyscallField>(field.index), labels);
  if (!subject) {
    return std::nullopt;
  }
  subject->node = source.node;
  subject->role = source.role;
  // A recording says of each series whose it is.
  for (const auto& [name, value] : labels) {
    if (name == "instance" && source.node.empty()) {
      subject->node = value;
    } else if (name == "role" && source.role.empty()) {
      subject->role = value;
    }
  }
  if (subject->node.empty()) {
    return std::nullopt;
  }
  auto key = MakeKey(*subject);
  if (const auto known = index_.find(key); known != index_.end()) {
    return known->second;
  }
  auto& node = nodes_[subject->node];
  if (live_ >= kMaxSeries || node.series >= kMaxPerNode) {
    return std::nullopt;
  }
  ++live_;
  ++node.series;
  const auto number = static_cast<std::uint32_t>(series_.size());
  index_.emplace(std::move(key), number);
  series_.emplace_back();
  series_.back().subject = *std::move(subject);
  return number;
}

void SyscallReadings::LearnAddress(std::string_view source, std::string_view node) {
  const auto begin = source.find("://");
  if (begin == std::string_view::npos || node.empty() || !nodes_.contains(node)) {
    return;
  }
  auto host = source.substr(begin + 3);
  host = host.substr(0, host.find('/'));
  host =
      host.starts_with('[') ? host.substr(1, host.find(']') - 1) : host.substr(0, host.rfind(':'));
  const bool is_address = !host.empty() && std::ranges::all_of(host, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == '.' || c == ':';
  });
  // Loopback is everybody's; and one address cannot tell two nodes apart.
  if (is_address && !host.starts_with("127.") && host != "::1") {
    const auto [found, is_new] = addresses_.emplace(host, node);
    if (!is_new && found->second != node) {
      found->second.clear();
    }
  }
}

void SyscallReadings::Add(std::uint32_t number, UnixTime at, double value) {
  if (number >= series_.size() || !series_[number].live) {
    return;
  }
  auto& series = series_[number];
  auto& node = nodes_[series.subject.node];
  if (!node.at || at > *node.at) {
    node.before = std::exchange(node.at, at);
  }
  first_ = first_ ? std::min(*first_, at) : at;
  if (series.last && at <= *series.last) {
    return;  // late: what it would have changed has been told
  }
  switch (FindShape(series.subject.field)) {
    case Shape::kService:
      if (!series.track) {
        series.track = std::make_unique<CounterTrack>(spreads_.Grids());
      }
      (void)series.track->Add(at, value, spreads_);
      break;
    case Shape::kEvents:
      AddRise(series, number, node, at, value);
      break;
    case Shape::kGauge:
      (void)series.gauge.Add(at, value);
      break;
  }
  series.last = at;
}

void SyscallReadings::AddRise(Series& series, std::uint32_t number, const Node& node, UnixTime at,
                              double value) {
  // Without a reading before, the series began between this page and the one before it; on the
  // first page of a node nobody knows when.
  const auto from = series.last ? series.last : node.before;
  const auto since_last = series.course.Add(at, value);
  if (!from) {
    return;
  }
  const double increase = series.last ? since_last.value_or(0) : value;
  if (increase >= 1 && increase <= kMaxCount) {
    rises_.push_back(
        {.series = number, .from = *from, .to = at, .count = static_cast<std::uint64_t>(increase)});
  }
}

std::optional<UnixTime> SyscallReadings::Last() const {
  std::optional<UnixTime> last;
  for (const auto& [name, node] : nodes_) {
    last = std::max(last, node.at);
  }
  return last;
}

bool SyscallReadings::Settled(UnixTime t, UnixTime watermark) const {
  return std::all_of(nodes_.begin(), nodes_.end(), [&](const auto& node) {
    const auto& at = node.second.at;
    return !at || *at >= t || watermark - *at >= kMaxSecondGap;
  });
}

std::vector<SyscallReadings::Rise> SyscallReadings::TakeRises(UnixTime t) {
  std::vector<Rise> taken;
  for (const auto& rise : rises_) {
    if (rise.to <= t && series_[rise.series].live) {
      taken.push_back({.subject = &series_[rise.series].subject,
                       .from = rise.from,
                       .to = rise.to,
                       .count = rise.count});
    }
  }
  std::erase_if(rises_, [&](const NumberedRise& rise) { return rise.to <= t; });
  // Pages of one second come in any order, and what is said of them must not depend on it.
  std::stable_sort(taken.begin(), taken.end(), [](const Rise& a, const Rise& b) {
    return std::tie(a.to, a.subject->node) < std::tie(b.to, b.subject->node);
  });
  return taken;
}

std::optional<double> SyscallReadings::ValueAt(const Series& series, UnixTime t) const {
  if (series.track) {
    const double value = series.track->Column(0).At(BinAt(t, kSecondStep));
    return IsMissing(value) ? std::nullopt : std::optional(value);
  }
  const auto* latest = series.gauge.Latest(t);
  return latest != nullptr && latest->at > t - kMaxGaugeAge ? std::optional(latest->value)
                                                            : std::nullopt;
}

void SyscallReadings::Prune(UnixTime t) {
  for (auto& series : series_) {
    series.gauge.Prune(t - kMaxGaugeAge);
  }
}

void SyscallReadings::Forget(std::string_view node) {
  for (auto& series : series_) {
    if (series.live && series.subject.node == node) {
      index_.erase(MakeKey(series.subject));
      series = Series{.subject = {}, .live = false, .last = {}, .track = {}, .gauge = {}};
      --live_;
    }
  }
  if (const auto found = nodes_.find(node); found != nodes_.end()) {
    nodes_.erase(found);
  }
}

void SyscallReadings::Tidy(UnixTime before) {
  // Rises name series by number; those of a settled past have been taken.
  if (!rises_.empty()) {
    return;
  }
  std::erase_if(series_, [&](const Series& series) {
    return !series.live || !series.last || *series.last < before;
  });
  index_.clear();
  for (auto& [name, node] : nodes_) {
    node.series = 0;
  }
  for (std::uint32_t number = 0; number < series_.size(); ++number) {
    index_.emplace(MakeKey(series_[number].subject), number);
    ++nodes_[series_[number].subject.node].series;
  }
  live_ = series_.size();
  std::erase_if(nodes_, [](const auto& node) { return node.second.series == 0; });
}

}  // namespace limpet
