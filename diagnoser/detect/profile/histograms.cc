#include "diagnoser/detect/profile/histograms.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace limpet {
namespace {

// A label counts half after 69 s.
constexpr double kDecay = 0.99;
// Of at most 1 / (1 - kDecay) = 100: a histogram of fewer labels is mostly chance.
constexpr double kMinTotal = 50;
constexpr std::int64_t kStale = 30;  // s
constexpr std::size_t kMinHosts = 3;

double Total(const HostHistory& history) {
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

// All but the indictments. Every host has a history.
ProfileHistograms::Result ProfileHistograms::Compare(std::int64_t second,
                                                     const std::vector<Input>& hosts) const {
  Result result;
  result.hosts.resize(hosts.size());
  std::vector<const HostHistory*> histories;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const auto& history = histories_.find(hosts[i].host)->second;
    if (second - history.labelled <= kStale) {
      result.hosts[i].taking_part = true;
      result.taking_part.push_back(i);
      histories.push_back(&history);
    }
  }
  auto& table = result.table;
  const auto n = histories.size();
  table = {.bins = labels_,
           .hosts = n,
           .share = std::vector<double>(labels_ * n, 0.0),
           .ready = std::vector<char>(n, 0)};
  for (std::size_t i = 0; i < n; ++i) {
    const double total = Total(*histories[i]);
    table.ready[i] = total >= kMinTotal ? 1 : 0;
    for (std::size_t bin = 0; bin < labels_ && total > 0; ++bin) {
      // By bin first: the distances of one host to all are then sums over whole rows.
      table.share[bin * n + i] = histories[i]->counts[bin] / total;
    }
  }
  const auto distances = MajorityDistances(table);
  for (std::size_t i = 0; i < n; ++i) {
    auto& host = result.hosts[result.taking_part[i]];
    host.distance = distances[i];
    host.alarm = n >= kMinHosts && distances[i] > threshold_;
  }
  return result;
}

ProfileHistograms::Result ProfileHistograms::Observe(std::int64_t second,
                                                     const std::vector<Input>& hosts) {
  for (const auto& host : hosts) {
    auto found = histories_.find(host.host);
    if (found == histories_.end()) {
      found = histories_.emplace(std::string(host.host), HostHistory{}).first;
      found->second.counts.assign(labels_, 0.0);
      found->second.labelled = second;
    }
    if (host.label) {
      Count(found->second, *host.label, second);
    }
  }
  auto result = Compare(second, hosts);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    auto& host = result.hosts[i];
    auto& alarms = histories_.find(hosts[i].host)->second.alarms;
    // Alarms before an absence say nothing about the host that came back.
    alarms = host.taking_part ? Next(alarms, host.alarm) : AlarmCount();
    host.indicted = IsIndicted(alarms, rule_);
  }
  return result;
}

ProfileHistograms::Result ProfileHistograms::Recall(std::int64_t second,
                                                    const std::vector<Input>& hosts) const {
  auto result = Compare(second, hosts);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    result.hosts[i].indicted = IsIndicted(histories_.find(hosts[i].host)->second.alarms, rule_);
  }
  return result;
}

void ProfileHistograms::Forget(std::string_view host) {
  const auto found = histories_.find(host);
  if (found != histories_.end()) {
    histories_.erase(found);
  }
}

bool ProfileHistograms::Restore(const std::string& host, HostHistory history) {
  // A state of another model: its labels mean something else.
  if (history.counts.size() != labels_) {
    return false;
  }
  histories_[host] = std::move(history);
  return true;
}

}  // namespace limpet
