#include "exporter/common/closest.h"

#include <algorithm>

namespace limpet {
namespace {

// Longer texts are no slips of a finger, and the time grows with the square.
constexpr std::size_t kMaxLength = 80;

}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> costs(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        costs[i][j] = i + j;
        continue;
      }
      const bool same = a[i - 1] == b[j - 1];
      costs[i][j] = std::min(
          {costs[i - 1][j] + 1, costs[i][j - 1] + 1, costs[i - 1][j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        costs[i][j] = std::min(costs[i][j], costs[i - 2][j - 2] + 1);
      }
    }
  }
  return costs[a.size()][b.size()];
}

std::optional<std::string> Closest(std::string_view text, const std::vector<std::string>& choices) {
  std::optional<std::string> best;
  std::size_t least = 0;
  for (const auto& choice : choices) {
    if (choice == text || text.size() > kMaxLength || choice.size() > kMaxLength) {
      continue;
    }
    const auto distance = EditDistance(text, choice);
    if (distance * 3 <= choice.size() && (!best || distance < least)) {
      best = choice;
      least = distance;
    }
  }
  return best;
}

std::string DidYouMean(std::string_view text, const std::vector<std::string>& choices) {
  const auto closest = Closest(text, choices);
  return closest ? "; did you mean " + *closest + "?" : "";
}

}  // namespace limpet
