#include "diagnoser/custom/who_asks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace limpet {
namespace {

std::string PrintRate(double rate, const std::string& unit) {
  constexpr double kGiga = 1e9;
  constexpr double kMega = 1e6;
  if (unit == "B/s") {
    return rate >= kGiga ? fmt::format("{:.1f} GB/s", rate / kGiga)
                         : fmt::format("{:.1f} MB/s", rate / kMega);
  }
  return fmt::format("{:.3g}{}{}", rate, unit.empty() ? "" : " ", unit);
}

bool IsNamed(const VerdictEvent& verdict, const CustomMember& member) {
  return std::ranges::any_of(verdict.evidence, [&](const Evidence& one) {
    return one.component == member.name ||
           (!member.disk.empty() && one.component == member.node + "/" + member.disk);
  });
}

using RankedFacts = std::vector<std::pair<double, Fact>>;  // by share

const std::string& NameOf(const CustomMember& member) {
  return member.component.empty() ? member.node : member.component;
}

void AddWhoAsks(const AskedMember& one, UnixTime now, RankedFacts& found) {
  const auto& [metric, nodes, member] = one;
  const auto ranked = member.cell->askers->Rank(now);
  if (ranked.empty() || ranked.front().rate * metric->factor < metric->noise_floor) {
    return;
  }
  const auto& most = ranked.front();
  const auto name = nodes->CallAddress(most.name);
  found.emplace_back(
      most.share,
      Fact{.fact = kWhoAsksFact,
           .device = NameOf(member),
           .detail = name,
           .text = fmt::format("{} {} {} {} of {}, {:.0f} % of it", metric->asks, name,
                               metric->text, PrintRate(most.rate * metric->factor, metric->unit),
                               NameOf(member), 100 * most.share),
           .next = "Ask its user what it does; limit it, or spread its files."});
}

std::string PrintWait(double wait, const std::string& unit) {
  constexpr double kMilli = 1e-3;
  return unit == "s" && wait < 1 ? fmt::format("{:.3g} ms", wait / kMilli)
                                 : fmt::format("{:.3g}{}{}", wait, unit.empty() ? "" : " ", unit);
}

void AddWaiting(const AskedMember& one, UnixTime now, RankedFacts& found) {
  const auto& [metric, nodes, member] = one;
  const auto asked = member.cell->clients->asked.Rank(now);
  std::map<std::string, double, std::less<>> waited;
  for (const auto& client : member.cell->clients->waited.Rank(now)) {
    waited[client.name] = client.rate * metric->factor;
  }
  constexpr auto kSpan = Askers::kTick * static_cast<Duration::rep>(Askers::kTicks);
  std::vector<std::pair<double, std::string>> clients;
  double all_waited = 0;
  double all_asked = 0;
  for (const auto& client : asked) {
    if (const auto its = waited.find(client.name);
        its != waited.end() && client.rate * ToSeconds(kSpan) >= kMinWaits) {
      clients.emplace_back(its->second / client.rate, client.name);
      all_waited += its->second;
      all_asked += client.rate;
    }
  }
  if (clients.size() < 2) {  // the only one is no news
    return;
  }
  std::ranges::stable_sort(clients, std::greater<>(), &std::pair<double, std::string>::first);
  std::string longest;
  for (std::size_t i = 0; i < std::min(clients.size(), kMaxWaiting); ++i) {
    longest += fmt::format("{}{} {}", i == 0 ? "" : ", ", clients[i].second,
                           PrintWait(clients[i].first, metric->unit));
  }
  const auto& busiest = asked.front();
  found.emplace_back(
      busiest.share,
      Fact{.fact = kWaitingClientsFact,
           .device = NameOf(member),
           .detail = clients.front().second,
           .text =
               fmt::format("{}: {}; all {} {}; {} sends {:.0f} % of the requests", metric->text,
                           longest, clients.size(), PrintWait(all_waited / all_asked, metric->unit),
                           busiest.name, 100 * busiest.share),
           .next = "These jobs feel it first; ask what the busiest client does."});
}

std::vector<Fact> MostOf(RankedFacts found) {
  std::ranges::stable_sort(found, std::greater<>(), &RankedFacts::value_type::first);
  std::vector<Fact> facts;
  for (auto& [share, fact] : found) {
    if (facts.size() < kMaxWhoAsks) {
      facts.push_back(std::move(fact));
    }
  }
  return facts;
}

}  // namespace

AskedMembers FindAsked(const CustomReadings& readings, const NodeNames& nodes, UnixTime now) {
  AskedMembers asked;
  const auto since = now - Askers::kTick * static_cast<Duration::rep>(Askers::kTicks);
  for (std::size_t metric = 0; metric < readings.Metrics().size(); ++metric) {
    const auto& row = readings.Metrics()[metric];
    if (row.asks.empty() && !(row.add_up && row.shape == CustomShape::kMean)) {
      continue;
    }
    for (auto& group : PlaceComponents(readings, metric, since, nodes).groups) {
      for (auto& member : group.members) {
        auto& its = asked[member.node];
        its.push_back({.metric = &row, .nodes = &nodes, .member = std::move(member)});
      }
    }
  }
  return asked;
}

std::vector<Fact> FindWhoAsks(const AskedMembers& asked, const VerdictEvent& verdict,
                              UnixTime now) {
  const auto its = asked.find(verdict.node);
  if (its == asked.end()) {
    return {};
  }
  const bool names = std::ranges::any_of(
      its->second, [&](const AskedMember& one) { return IsNamed(verdict, one.member); });
  RankedFacts asks;
  RankedFacts waits;
  for (const auto& one : its->second) {
    if (names && !IsNamed(verdict, one.member)) {
      continue;
    }
    if (one.member.cell->askers) {
      AddWhoAsks(one, now, asks);
    }
    if (one.member.cell->clients) {
      AddWaiting(one, now, waits);
    }
  }
  auto facts = MostOf(std::move(asks));
  std::ranges::move(MostOf(std::move(waits)), std::back_inserter(facts));
  return facts;
}

}  // namespace limpet
