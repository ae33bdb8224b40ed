#include "diagnoser/publish/deciding.h"

#include <chrono>
#include <utility>

namespace limpet {
namespace {

// Longer than any flag lasts: default-15s has five windows a quarter of an hour apart.
constexpr Duration kRemembered = std::chrono::hours(2);

}  // namespace

void DecidingWindows::Apply(std::vector<VerdictEvent>& verdicts, UnixTime now) {
  std::map<Key, Numbers> seen;
  for (auto& verdict : verdicts) {
    for (auto& evidence : verdict.evidence) {
      if (evidence.windows.empty()) {
        continue;  // of system calls: nothing is compared in windows
      }
      const Key key{verdict.preset, verdict.node,    evidence.component,
                    evidence.group, evidence.metric, evidence.scale};
      const auto window = evidence.windows.back();
      // The numbers of the evidence are of the latest window; it was anomalous when it is new here.
      const auto before = of_.find(key);
      if (before == of_.end() || before->second.window != window) {
        seen[key] = {window, evidence.s, evidence.effect, evidence.mean, evidence.peer_median};
        continue;
      }
      // No new anomalous window has come, so the numbers are of one that is like its peers.
      const auto& decided = seen[key] = before->second;
      evidence.s = decided.s;
      evidence.effect = decided.effect;
      evidence.mean = decided.mean;
      evidence.peer_median = decided.peer_median;
    }
  }
  std::erase_if(of_, [&](const auto& one) { return one.second.window < now - kRemembered; });
  seen.merge(of_);
  of_ = std::move(seen);
}

}  // namespace limpet
