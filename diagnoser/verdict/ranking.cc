#include "diagnoser/verdict/ranking.h"

#include <algorithm>
#include <tuple>

namespace limpet {

std::vector<VerdictEvent> Ranked(std::vector<VerdictEvent> verdicts, double rho, bool marks) {
  std::sort(verdicts.begin(), verdicts.end(), [](const VerdictEvent& a, const VerdictEvent& b) {
    return std::tie(b.degree, a.node) < std::tie(a.degree, b.node);
  });
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    verdicts[i].rank = i + 1;
    verdicts[i].secondary = marks && verdicts[i].degree < verdicts.front().degree / rho;
  }
  return verdicts;
}

}  // namespace limpet
