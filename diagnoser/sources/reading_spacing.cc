#include "diagnoser/sources/reading_spacing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "diagnoser/sources/address.h"
#include "exporter/common/exposition/numbers.h"
#include "exporter/common/instants.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::size_t kGaps = 3;
// Nodes that are gone make room for others.
constexpr Duration kGone = std::chrono::hours(1);

}  // namespace

void ReadingSpacing::Add(const std::string& node, UnixTime reading) {
  auto found = nodes_.find(node);
  if (found == nodes_.end()) {
    if (nodes_.size() >= kMaxNodes) {
      std::erase_if(nodes_, [&](const auto& one) { return reading - one.second.last > kGone; });
    }
    if (nodes_.size() < kMaxNodes) {
      nodes_.emplace(node, Node{.last = reading, .gaps = {}});
    }
    return;
  }
  auto& [last, gaps] = found->second;
  if (reading > last) {
    gaps.push_back(reading - last);
    if (gaps.size() > kGaps) {
      gaps.pop_front();
    }
    last = reading;
  }
}

void ReadingSpacing::AddPage(const std::string& node, std::string_view text) {
  Lines lines(text);
  while (const auto line = lines.Next()) {
    const auto stamp = line->rfind(' ');
    if (stamp == std::string_view::npos || line->front() == '#') {
      continue;
    }
    const auto at = ParseUnixMilliseconds(line->substr(stamp + 1));
    if (at && IsInstant(*at)) {
      Add(node, *at);
    }
  }
}

std::optional<Duration> ReadingSpacing::Typical() const {
  std::vector<Duration> all;
  for (const auto& [name, node] : nodes_) {
    if (!node.gaps.empty()) {
      all.push_back(*std::ranges::min_element(node.gaps));
    }
  }
  if (all.empty()) {
    return std::nullopt;
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

std::optional<std::string> FindStepSlip(const StoreSettings& settings,
                                        std::optional<Duration> spacing) {
  // Half as long again may be a scrape that was lost.
  if (!spacing || *spacing <= settings.step * 3 / 2) {
    return std::nullopt;
  }
  const auto seconds = std::chrono::round<std::chrono::seconds>(*spacing).count();
  return fmt::format(
      "prometheus.step: the store has a reading every {} s and is read every {:g} s; expected "
      "step: {}s, for which windows and gaps are chosen, or targets that are scraped more often",
      seconds, ToSeconds(settings.step), seconds);
}

std::string DescribeEmptyStore(const StoreSettings& settings, Duration span) {
  return fmt::format(
      "prometheus: the last {:g} s of {} have no series that a peer group compares{}; expected "
      "those of limpet-exporter or node_exporter",
      ToSeconds(span), FormatUrl(settings.endpoint),
      settings.selector.empty() ? "" : " with the selector " + settings.selector);
}

}  // namespace limpet
