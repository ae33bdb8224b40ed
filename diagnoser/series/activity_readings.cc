#include "diagnoser/series/activity_readings.h"

#include <algorithm>
#include <cmath>

#include "exporter/common/text.h"

namespace limpet {
namespace {

std::string_view FindLabel(const LabelPairs& labels, std::string_view name) {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const auto& label) { return label.first == name; });
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

// nullopt: no edge that we show.
std::optional<std::size_t> FindBucket(std::string_view edge) {
  if (edge == "+Inf") {
    return kActivityBuckets - 1;
  }
  const auto bytes = ParseDouble(edge);
  for (std::size_t i = 0; bytes && i + 1 < kActivityBuckets; ++i) {
    if (*bytes == std::ldexp(kFirstActivityEdge, static_cast<int>(i))) {
      return i;
    }
  }
  return std::nullopt;
}

bool IsOfHost(ActivityField field) { return field >= ActivityField::kIdleSeconds; }
bool IsOfDisks(ActivityField field) { return field <= ActivityField::kRequestSeconds; }

}  // namespace

double* ActivityReadings::FindSum(ActivityTotals& node, ActivityField field,
                                  const LabelPairs& labels) {
  const auto operation = FindLabel(labels, "operation");
  if (!IsOfDisks(field)) {
    auto& sum =
        node.operations[{std::string(FindLabel(labels, "process_role")), std::string(operation)}];
    return field == ActivityField::kCalls ? &sum.count : &sum.seconds;
  }
  auto& disks = operation == "read" ? node.reads : node.writes;
  if (field == ActivityField::kSizeBucket) {
    return &disks.at_most[*FindBucket(FindLabel(labels, "le"))];
  }
  auto& sum = FindLabel(labels, "size") == "small" ? disks.small : disks.large;
  return field == ActivityField::kRequests ? &sum.count : &sum.seconds;
}

std::optional<std::uint32_t> ActivityReadings::Resolve(const SeriesOrigin& series) {
  const auto field = series.field;
  const auto& labels = series.labels;
  const auto& source = series.source;
  const auto what = static_cast<ActivityField>(field.index);
  const auto operation = FindLabel(labels, "operation");
  // A recording says of each series whose it is.
  const auto node = source.node.empty() ? FindLabel(labels, "instance") : source.node;
  if (IsOfHost(what)) {
    return ResolveLoad(what, node);
  }
  const bool is_shown =
      IsOfDisks(what) ? operation == "read" || operation == "write" : !operation.empty();
  if (node.empty() || !is_shown ||
      (what == ActivityField::kSizeBucket && !FindBucket(FindLabel(labels, "le")))) {
    return std::nullopt;
  }
  auto key = std::string(node) + '\n' + std::to_string(field.index);
  for (const auto& [name, value] : labels) {
    key.append("\n").append(name).append("=").append(value);
  }
  if (const auto known = index_.find(key); known != index_.end()) {
    return known->second;
  }
  if (index_.size() >= kMaxSeries) {
    return std::nullopt;
  }
  auto& totals = nodes_[std::string(node)];
  auto& count = counts_[&totals];
  if (count >= kMaxPerNode) {
    return std::nullopt;
  }
  ++count;
  totals.has_disks = totals.has_disks || IsOfDisks(what);
  const auto number = static_cast<std::uint32_t>(series_.size());
  series_.push_back({.node = &totals, .sum = FindSum(totals, what, labels), .at = {}});
  index_.emplace(std::move(key), number);
  return number;
}

std::optional<std::uint32_t> ActivityReadings::ResolveLoad(ActivityField what,
                                                           std::string_view node) {
  const auto number = node.empty() ? std::nullopt : loads_.Number(node);
  if (!number) {
    return std::nullopt;
  }
  return kFirstLoad + *number * 2 + (what == ActivityField::kLoad1 ? 1 : 0);
}

void ActivityReadings::AddLoad(std::string_view node, UnixTime at, double load1) {
  if (const auto number = loads_.Number(node)) {
    loads_.AddLoad(*number, at, load1);
  }
}

void ActivityReadings::Add(std::uint32_t series, UnixTime at, double value) {
  if (series >= kFirstLoad) {
    const auto node = (series - kFirstLoad) / 2;
    if (series % 2 == 0) {
      loads_.AddIdle(node, at, value);
    } else {
      loads_.AddLoad(node, at, value);
    }
    return;
  }
  auto& mine = series_[series];
  if (mine.node == nullptr || at <= mine.at) {
    return;
  }
  *mine.sum += mine.course.Add(at, value).value_or(0);
  mine.at = at;
  mine.node->at = std::max(mine.node->at, at);
}

void ActivityReadings::Forget(std::string_view node) {
  loads_.Forget(node);
  const auto found = nodes_.find(std::string(node));
  if (found == nodes_.end()) {
    return;
  }
  for (auto& series : series_) {
    if (series.node == &found->second) {
      series = Series();
    }
  }
  counts_.erase(&found->second);
  nodes_.erase(found);
  std::erase_if(index_, [&](const auto& one) { return series_[one.second].node == nullptr; });
}

void ActivityReadings::Tidy(UnixTime before) {
  std::vector<Series> kept;
  std::vector<std::optional<std::uint32_t>> moved(series_.size());
  counts_.clear();
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (series_[i].node != nullptr && series_[i].at >= before) {
      moved[i] = static_cast<std::uint32_t>(kept.size());
      kept.push_back(series_[i]);
      ++counts_[series_[i].node];
    }
  }
  series_ = std::move(kept);
  std::erase_if(index_, [&](const auto& one) { return !moved[one.second]; });
  for (auto& [key, number] : index_) {
    number = *moved[number];
  }
  std::erase_if(nodes_, [&](const auto& node) { return !counts_.contains(&node.second); });
}

}  // namespace limpet
