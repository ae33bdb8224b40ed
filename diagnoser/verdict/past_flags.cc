#include "diagnoser/verdict/past_flags.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/verdict/root_cause.h"

namespace limpet {
namespace {

constexpr double kNothing = 0.5;  // of what a flag needs, and of what its own window shows
constexpr double kAtWork = 0.5;   // of what the peers' latency was there: they work as before

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

bool IsSameFlag(const Evidence& a, const Evidence& b) {
  return a.component == b.component && a.group == b.group && a.metric == b.metric;
}

double ExcessOf(double mean, double peers, Direction direction) {
  return direction == Direction::kLow ? peers - mean : mean - peers;
}

// Whether a window shows that there is nothing of the flag: the component is beside its peers,
// while these do what they did. Who is idle shows nothing.
bool IsClear(const ComponentWindow& window, const Evidence& flag) {
  if (!window.window_degree || !window.mean || !window.peer_median || !flag.mean ||
      !flag.peer_median) {
    return false;
  }
  const auto* const row = FindMetric(flag.metric);
  const bool is_latency = row != nullptr && row->gate == Gate::kLatency;
  if (is_latency && (*window.mean <= 0 || *window.peer_median < kAtWork * *flag.peer_median)) {
    return false;
  }
  const bool same_side = window.direction == flag.direction;
  return (!same_side || *window.window_degree < kNothing * flag.threshold) &&
         ExcessOf(*window.mean, *window.peer_median, flag.direction) <
             kNothing * ExcessOf(*flag.mean, *flag.peer_median, flag.direction);
}

const ComponentWindow* FindComponent(const WindowEvent& event, const std::string& name) {
  const auto found =
      std::ranges::lower_bound(event.components, name, {}, &ComponentWindow::component);
  return found != event.components.end() && found->component == name ? &*found : nullptr;
}

}  // namespace

std::optional<UnixTime> PastFlags::LetGo(std::span<const Scale> scales, std::size_t scale,
                                         const std::vector<Seen>& seen) {
  auto last = seen[scale].clear;
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

void PastFlags::Look(std::size_t scale, Duration window, std::span<const Event> events) {
  for (const auto& event : events) {
    const auto* const closed = std::get_if<WindowEvent>(&event);
    if (closed == nullptr) {
      continue;
    }
    for (auto& [node, seen] : nodes_) {
      for (auto& one : seen) {
        for (auto& watch : one.watches) {
          if (watch.flag.metric != closed->metric || watch.flag.group != closed->group) {
            continue;
          }
          auto& clear = watch.clear[scale];
          const auto* const component = FindComponent(*closed, watch.flag.component);
          if (component == nullptr || !IsClear(*component, watch.flag)) {
            clear = {};
          } else if (++clear.windows == 1) {
            clear.since = closed->end - window;
          }
        }
      }
    }
  }
}

std::optional<UnixTime> PastFlags::ClearSince(std::span<const Scale> scales, std::size_t scale,
                                              const Seen& seen) {
  std::optional<UnixTime> since;
  for (const auto& watch : seen.watches) {
    for (std::size_t i = 0; i < scales.size(); ++i) {
      if (scales[i].window >= scales[scale].window) {
        continue;
      }
      if (watch.clear[i].windows < scales[i].k) {
        return std::nullopt;
      }
      since = std::min(since.value_or(watch.clear[i].since), watch.clear[i].since);
    }
  }
  return since;
}

void PastFlags::WatchFlags(const std::vector<Evidence>& flags, std::size_t scales, Seen& seen) {
  std::vector<Watch> watches;
  for (const auto& flag : flags) {
    // What makes no verdict keeps none alive.
    if (!IsOnChecklist(flag.metric)) {
      continue;
    }
    const auto same = std::ranges::find_if(
        seen.watches, [&](const Watch& watch) { return IsSameFlag(watch.flag, flag); });
    watches.push_back({.flag = flag,
                       .clear = same == seen.watches.end() ? std::vector<Clear>(scales)
                                                           : std::move(same->clear)});
  }
  seen.watches = std::move(watches);
}

bool PastFlags::EndClear(std::span<const Scale> scales, std::size_t scale, Seen& seen) {
  const auto since = seen.returns ? std::nullopt : ClearSince(scales, scale, seen);
  if (since) {
    seen.clear = since;
    seen.ended = scales[scale].end;
    seen.watches.clear();
  }
  return since.has_value();
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
      if (!flags.empty() && !its.counts && its.ended && scale.end - *its.ended < scale.window) {
        its.returns = true;
      }
      WatchFlags(flags, scales.size(), its);
      if (EndClear(scales, number, its)) {
        flags.clear();
      }
      its.counts = !flags.empty();
      if (its.counts) {
        // What makes no verdict ends none when it ends: a system disk's bursts put off the name of
        // a slow data disk.
        if (std::ranges::any_of(flags, IsOnChecklist, &Evidence::metric)) {
          its.last = scale.end;
        }
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
