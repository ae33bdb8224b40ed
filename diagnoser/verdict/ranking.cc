#include "diagnoser/verdict/ranking.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace limpet {

namespace {

void SortWorstFirst(std::vector<VerdictEvent>& verdicts) {
  std::sort(verdicts.begin(), verdicts.end(), [](const VerdictEvent& a, const VerdictEvent& b) {
    return std::tie(b.degree, a.node) < std::tie(a.degree, b.node);
  });
}

}  // namespace

std::vector<VerdictEvent> Ranked(std::vector<VerdictEvent> verdicts, double rho, bool marks) {
  SortWorstFirst(verdicts);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    verdicts[i].rank = i + 1;
    verdicts[i].secondary = marks && verdicts[i].degree < verdicts.front().degree / rho;
  }
  return verdicts;
}

std::vector<VerdictEvent> RankedWithin(
    std::vector<VerdictEvent> verdicts, double rho, bool marks,
    const std::function<std::size_t(const std::string&)>& set_of) {
  std::map<std::size_t, std::vector<VerdictEvent>> sets;
  for (auto& verdict : verdicts) {
    sets[set_of(verdict.node)].push_back(std::move(verdict));
  }
  std::vector<VerdictEvent> all;
  for (auto& [number, of_set] : sets) {
    auto ranked = Ranked(std::move(of_set), rho, marks);
    all.insert(all.end(), std::make_move_iterator(ranked.begin()),
               std::make_move_iterator(ranked.end()));
  }
  SortWorstFirst(all);
  return all;
}

}  // namespace limpet
