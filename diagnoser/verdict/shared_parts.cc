#include "diagnoser/verdict/shared_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace limpet {
namespace {

struct Part {
  std::vector<std::size_t> members;
  std::size_t order = 0;  // of its kind, the smallest first
};
using Parts = std::map<std::pair<std::string, std::string>, Part>;

Parts ListParts(const std::vector<PartMember>& members) {
  Parts parts;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t kind = 0; kind < members[i].parts.size(); ++kind) {
      auto& part = parts[members[i].parts[kind]];
      part.members.push_back(i);
      part.order = std::max(part.order, kind);
    }
  }
  return parts;
}

// Of k successes in n at the rate that fits them best, k/n; 0 log 0 is 0. The binomial coefficient
// is the same with and without the part and falls out of the ratio.
double LogLikelihood(double k, double n) {
  const auto term = [n](double count) { return count > 0 ? count * std::log(count / n) : 0; };
  return term(k) + term(n - k);
}

struct PartCounts {
  double flagged = 0;
  double all = 0;
};

double Ratio(const PartCounts& part, const PartCounts& total) {
  return LogLikelihood(part.flagged, part.all) +
         LogLikelihood(total.flagged - part.flagged, total.all - part.all) -
         LogLikelihood(total.flagged, total.all);
}

}  // namespace

std::vector<SharedPart> FindSharedParts(const std::vector<PartMember>& members) {
  const auto parts = ListParts(members);
  // The more parts are tried, the more likely one fits by chance: the limit grows with them.
  const double limit =
      std::log(static_cast<double>(std::max<std::size_t>(parts.size(), 1))) - std::log(kMaxChance);
  std::vector<bool> explained(members.size(), false);
  const auto count = [&](const std::vector<std::size_t>& numbers) {
    PartCounts counts;
    for (const auto i : numbers) {
      counts.all += explained[i] ? 0 : 1;
      counts.flagged += !explained[i] && members[i].flagged ? 1 : 0;
    }
    return counts;
  };
  std::vector<std::size_t> everybody(members.size());
  for (std::size_t i = 0; i < everybody.size(); ++i) {
    everybody[i] = i;
  }
  std::vector<SharedPart> found;
  while (true) {
    const auto total = count(everybody);
    const std::pair<const std::pair<std::string, std::string>, Part>* best = nullptr;
    double best_ratio = limit;
    for (const auto& part : parts) {
      const auto counts = count(part.second.members);
      // A part that holds everybody is not shared by some.
      if (counts.flagged < 2 || counts.flagged < kMinShare * counts.all ||
          counts.all >= total.all) {
        continue;
      }
      const double ratio = Ratio(counts, total);
      // Where an enclosure and its only controller explain as much, the smaller part is named.
      const bool same = best != nullptr && std::abs(ratio - best_ratio) < 1e-9;
      if (same ? part.second.order < best->second.order : ratio > best_ratio) {
        best = &part;
        best_ratio = ratio;
      }
    }
    // The stop rule: what is left is the fault of single components.
    if (best == nullptr) {
      return found;
    }
    SharedPart shared{.kind = best->first.first,
                      .name = best->first.second,
                      .flagged = {},
                      .members = best->second.members.size(),
                      .ratio = best_ratio};
    for (const auto i : best->second.members) {
      if (members[i].flagged && !explained[i]) {
        shared.flagged.push_back(members[i].name);
      }
      explained[i] = true;  // its healthy members too: they say nothing about other parts
    }
    std::sort(shared.flagged.begin(), shared.flagged.end());
    found.push_back(std::move(shared));
  }
}

}  // namespace limpet
