#include "diagnoser/custom/who_asks.h"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

AskedMembers FindAsked(const CustomReadings& readings, const NodeNames& nodes, UnixTime now) {
  AskedMembers asked;
  const auto since = now - Askers::kTick * static_cast<Duration::rep>(Askers::kTicks);
  for (std::size_t metric = 0; metric < readings.Metrics().size(); ++metric) {
    const auto& row = readings.Metrics()[metric];
    if (row.asks.empty()) {
      continue;
    }
    for (auto& group : PlaceComponents(readings, metric, since, nodes).groups) {
      for (auto& member : group.members) {
        auto& its = asked[member.node];
        its.push_back({.metric = &row, .member = std::move(member)});
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
  std::vector<std::pair<double, Fact>> found;
  for (const auto& [metric, member] : its->second) {
    const auto most = member.cell->askers ? member.cell->askers->FindMost(now) : std::nullopt;
    if (!most || (names && !IsNamed(verdict, member)) ||
        most->rate * metric->factor < metric->noise_floor) {
      continue;
    }
    const auto& of = member.component.empty() ? member.node : member.component;
    found.emplace_back(
        most->share,
        Fact{.fact = kWhoAsksFact,
             .device = of,
             .detail = most->name,
             .text = fmt::format("{} {} {} {} of {}, {:.0f} % of it", metric->asks, most->name,
                                 metric->text, PrintRate(most->rate * metric->factor, metric->unit),
                                 of, 100 * most->share),
             .next = "Ask its user what it does; limit it, or spread its files."});
  }
  std::ranges::stable_sort(found, std::greater<>(), &std::pair<double, Fact>::first);
  std::vector<Fact> facts;
  for (auto& [share, fact] : found) {
    if (facts.size() < kMaxWhoAsks) {
      facts.push_back(std::move(fact));
    }
  }
  return facts;
}

}  // namespace limpet
