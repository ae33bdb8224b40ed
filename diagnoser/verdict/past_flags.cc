#include "diagnoser/verdict/past_flags.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace limpet {
namespace {

std::vector<std::size_t> FastestFirst(std::span<const PastFlags::Scale> scales) {
  std::vector<std::size_t> order(scales.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return scales[i].window; });
  return order;
}

// Enough of the windows that made the flag have begun at or after `since`.
bool IsOf(const Evidence& flag, const PastFlags::Scale& scale, UnixTime since) {
  const auto later = std::ranges::count_if(
      flag.windows, [&](UnixTime end) { return end - scale.window >= since; });
  return static_cast<std::size_t>(later) >= scale.k;
}

}  // namespace

std::optional<UnixTime> PastFlags::LetGo(std::span<const Scale> scales, std::size_t scale,
                                         const std::vector<Seen>& seen) {
  std::optional<UnixTime> last;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (scales[i].window >= scales[scale].window) {
      continue;
    }
    if (seen[i].counts) {
      return std::nullopt;
    }
    last = std::max(last, seen[i].last);
  }
  return last;
}

std::vector<PastFlags::Flags> PastFlags::Select(std::span<const Scale> scales) {
  for (const auto& scale : scales) {
    for (const auto& [node, flags] : *scale.flags) {
      nodes_[node].resize(scales.size());
    }
  }
  std::vector<Flags> selected(scales.size());
  for (auto& [node, seen] : nodes_) {
    for (const auto number : FastestFirst(scales)) {
      const auto& scale = scales[number];
      auto& its = seen[number];
      const auto found = scale.flags->find(node);
      std::vector<Evidence> flags =
          found == scale.flags->end() ? std::vector<Evidence>() : found->second;
      const auto let_go = its.counts ? std::nullopt : LetGo(scales, number, seen);
      if (let_go) {
        std::erase_if(flags, [&](const Evidence& flag) { return !IsOf(flag, scale, *let_go); });
      }
      its.counts = !flags.empty();
      if (its.counts) {
        its.last = scale.end;
        selected[number].emplace(node, std::move(flags));
      }
    }
  }
  // Once no window reaches back to it, what was seen says nothing.
  const auto longest = std::ranges::max_element(scales, {}, &Scale::window)->window;
  const auto latest = std::ranges::max_element(scales, {}, &Scale::end)->end;
  std::erase_if(nodes_, [&](const auto& node) {
    return std::ranges::none_of(
        node.second, [&](const Seen& one) { return one.last && latest - *one.last < 4 * longest; });
  });
  return selected;
}

}  // namespace limpet
