#include "diagnoser/detect/profile/histograms.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace limpet {
namespace {

constexpr double kDecay = 0.99;
constexpr double kLeastTotal = 50;
constexpr std::int64_t kStale = 30;  // s
constexpr std::size_t kLeastHosts = 3;

double TotalOf(const HostHistory& history) {
  return std::accumulate(history.counts.begin(), history.counts.end(), 0.0);
}

void Count(HostHistory& history, std::size_t label, std::int64_t second) {
  for (double& count : history.counts) {
    count *= kDecay;
  }
  history.counts[label - 1] += 1;
  history.labelled = second;
}

}  // namespace

double ProfileHistograms::Result::Distance(std::size_t a, std::size_t b) const {
  const auto p = table.Of(a);
  const auto q = table.Of(b);
  const auto is_empty = [](const std::vector<double>& shares) {
    return std::all_of(shares.begin(), shares.end(), [](double share) { return share == 0; });
  };
  return is_empty(p) || is_empty(q) ? 0.0 : JsdDistance(p, q);
}

ProfileHistograms::Result ProfileHistograms::Observe(std::int64_t second,
                                                     const std::vector<Input>& hosts) {
  Result result;
  result.hosts.resize(hosts.size());
  std::vector<HostHistory*> histories;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    auto found = histories_.find(hosts[i].host);
    if (found == histories_.end()) {
      found = histories_.emplace(std::string(hosts[i].host), HostHistory{}).first;
      found->second.counts.assign(labels_, 0.0);
      found->second.labelled = second;
    }
    auto& history = found->second;
    if (hosts[i].label) {
      Count(history, *hosts[i].label, second);
    }
    if (second - history.labelled <= kStale) {
      result.hosts[i].taking_part = true;
      result.taking_part.push_back(i);
      histories.push_back(&history);
    } else {
      history.alarms = {};
    }
  }
  auto& table = result.table;
  const auto n = histories.size();
  table = {.bins = labels_,
           .hosts = n,
           .share = std::vector<double>(labels_ * n, 0.0),
           .ready = std::vector<char>(n, 0)};
  for (std::size_t i = 0; i < n; ++i) {
    const double total = TotalOf(*histories[i]);
    table.ready[i] = total >= kLeastTotal ? 1 : 0;
    for (std::size_t bin = 0; bin < labels_ && total > 0; ++bin) {
      table.share[bin * n + i] = histories[i]->counts[bin] / total;
    }
  }
  const auto distances = MajorityDistances(table);
  for (std::size_t i = 0; i < n; ++i) {
    auto& host = result.hosts[result.taking_part[i]];
    auto& alarms = histories[i]->alarms;
    host.distance = distances[i];
    host.alarm = n >= kLeastHosts && distances[i] > threshold_;
    alarms = Next(alarms, host.alarm);
    host.indicted = IsIndicted(alarms, rule_);
  }
  return result;
}

void ProfileHistograms::Forget(std::string_view host) {
  const auto found = histories_.find(host);
  if (found != histories_.end()) {
    histories_.erase(found);
  }
}

void ProfileHistograms::Restore(const std::string& host, HostHistory history) {
  if (history.counts.size() == labels_) {
    histories_[host] = std::move(history);
  }
}

}  // namespace limpet
