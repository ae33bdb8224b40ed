#include "diagnoser/custom/joins.h"

#include <algorithm>
#include <utility>

#include "diagnoser/custom/series_table.h"

namespace limpet {

std::vector<std::string> LabelValues(const LabelPairs& labels,
                                     const std::vector<std::string>& names) {
  std::vector<std::string> values;
  values.reserve(names.size());
  for (const auto& name : names) {
    values.emplace_back(FindLabel(labels, name));
  }
  return values;
}

// Labels and values are told apart by bytes that no label value has a use for.
std::string CustomJoins::KeyOf(const CustomJoin& join, const std::vector<std::string>& values) {
  std::string key = join.series;
  for (const auto& name : join.on) {
    key.append(1, '\0').append(name);
  }
  for (const auto& value : values) {
    key.append(1, '\1').append(value);
  }
  return key;
}

void CustomJoins::Expect(const CustomJoin& join) {
  if (!join.series.empty() && std::ranges::find(joins_, join) == joins_.end()) {
    joins_.push_back(join);
  }
}

std::optional<std::uint32_t> CustomJoins::Add(std::string_view name, LabelPairs labels,
                                              std::uint32_t source) {
  auto& of_source = by_source_[source];
  if (live_ >= kMaxInfos || of_source >= kMaxInfos / 2) {
    return std::nullopt;
  }
  // Numbers of those that are gone are used again: series caches have been emptied by then.
  std::uint32_t number = 0;
  if (free_.empty()) {
    number = static_cast<std::uint32_t>(infos_.size());
    infos_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  for (const auto& join : joins_) {
    if (join.series == name) {
      index_[KeyOf(join, LabelValues(labels, join.on))].push_back(number);
    }
  }
  infos_[number] = {.name = std::string(name),
                    .labels = std::move(labels),
                    .source = source,
                    .last = std::nullopt};
  ++live_;
  ++of_source;
  return number;
}

void CustomJoins::Came(std::uint32_t info, UnixTime at, double value) {
  if (value > 0) {
    auto& last = infos_[info].last;
    last = std::max(last.value_or(at), at);
  }
}

// The newest decides, unless another one says something else at the same time.
JoinedLabels CustomJoins::Find(const CustomJoin& join, const std::vector<std::string>& on,
                               const std::vector<std::string>& wanted) const {
  const auto found = index_.find(KeyOf(join, on));
  if (found == index_.end()) {
    return {};
  }
  const Info* newest = nullptr;
  for (const auto number : found->second) {
    const auto& info = infos_[number];
    if (info.last && (newest == nullptr || *info.last > *newest->last)) {
      newest = &info;
    }
  }
  if (newest == nullptr) {
    return {};
  }
  JoinedLabels result{.outcome = JoinOutcome::kFound,
                      .values = LabelValues(newest->labels, wanted)};
  for (const auto number : found->second) {
    const auto& info = infos_[number];
    const bool at_once =
        info.last && (info.source == newest->source ? *info.last == *newest->last
                                                    : *newest->last - *info.last <= kAtOdds);
    if (at_once && LabelValues(info.labels, wanted) != result.values) {
      return {.outcome = JoinOutcome::kTwo, .values = {}};
    }
  }
  // A series without the label says nothing about it.
  if (std::ranges::any_of(result.values, &std::string::empty)) {
    return {};
  }
  return result;
}

void CustomJoins::Tidy(UnixTime before) {
  for (std::uint32_t number = 0; number < infos_.size(); ++number) {
    auto& info = infos_[number];
    if (!info.live || (info.last && *info.last >= before)) {
      continue;
    }
    for (const auto& join : joins_) {
      if (join.series != info.name) {
        continue;
      }
      const auto found = index_.find(KeyOf(join, LabelValues(info.labels, join.on)));
      if (found != index_.end()) {
        std::erase(found->second, number);
        if (found->second.empty()) {
          index_.erase(found);
        }
      }
    }
    --by_source_[info.source];
    --live_;
    info = Info();
    info.live = false;
    free_.push_back(number);
  }
}

}  // namespace limpet
