#include "diagnoser/detect/wasserstein/gate_facts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/detect/wasserstein/device_time.h"
#include "diagnoser/detect/wasserstein/saturation.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr double kLeastBusy = 0.25;
constexpr double kMinPeerRequests = 15;  // in the window
constexpr double kLikeMix = 0.1;         // of the bytes: reads more than its peers
constexpr double kFlashAwait = 1;        // ms; what rotates takes longer
// ms: 400 clock ticks of the slowest usual kernel. Those before 4.19 time requests in whole ticks,
// and a mean of so many is known to a twentieth; all others know it better.
constexpr double kLeastTaken = 400 * 4;
constexpr double kLikeRequests = 0.75;  // of the median member's

// |mean - median| of the metric, 0 when the member takes no part in it.
double MeanDifference(const GroupWindow& window, std::size_t metric, std::size_t member) {
  const auto [comparison, component] = window.Find(metric, member);
  if (comparison == nullptr || comparison->undetermined) {
    return 0;
  }
  return std::abs(comparison->mean[component] - comparison->median_mean);
}

// 0 when the member takes no part, or waits no longer than its peers, or these are idle.
double AwaitEffect(const MetricRow& row, std::size_t metric, std::size_t member,
                   const GroupWindow& window, const PresetSettings& preset,
                   const GateFacts& facts) {
  const auto [comparison, component] = window.Find(metric, member);
  if (comparison == nullptr || comparison->undetermined ||
      comparison->direction[component] != Direction::kHigh || facts.requests <= 0) {
    return 0;
  }
  return GateDegree(*comparison, component, row, preset, facts).effect;
}

void AddTraffic(const MetricRow& row, std::size_t metric, std::size_t member,
                const GroupWindow& window, const PresetSettings& preset, GateFacts& facts) {
  const auto [comparison, component] = window.Find(metric, member);
  if (comparison == nullptr || comparison->undetermined ||
      comparison->direction[component] != Direction::kHigh) {
    return;
  }
  const double degree = GateDegree(*comparison, component, row, preset, facts).degree;
  (row.checklist.symptom == Symptom::kSent ? facts.sent_degree : facts.received_degree) = degree;
}

// By window of a group of disks, 0 for those of other metrics: three quarters of its members are at
// least so busy, %. Empty where no gate asks.
std::vector<double> LeastUtils(const GroupWindow& window, const PresetSettings& preset) {
  std::vector<double> all;
  if (preset.svctm_gate != SvctmGate::kUncapped) {
    return all;
  }
  all.resize(window.windows.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& one = window.windows[i];
    if (one.metric == Index(DiskMetric::kUtil) && !one.comparison.mean.empty()) {
      auto means = one.comparison.mean;
      std::ranges::sort(means);
      all[i] = SortedQuantile(means, kLeastBusy);
    }
  }
  return all;
}

void AddUtil(std::size_t member, const GroupSamples& group, const GroupWindow& window,
             std::span<const double> least_utils, GateFacts& facts) {
  if (const auto& util = window.places[Index(DiskMetric::kUtil)][member]) {
    facts.mean_util = window.windows[util->window].comparison.mean[util->component];
    if (!least_utils.empty()) {
      const auto& metrics = group.samples[member].metrics;
      facts.least_util = least_utils[util->window];
      facts.busy_within_limit = IsBusyWithinItsLimit(metrics.Of(Index(DiskMetric::kUtil)),
                                                     metrics.Of(Index(DiskMetric::kRequests)),
                                                     metrics.Of(Index(DiskMetric::kQueueSize)));
    }
  }
}

// By member: whether more than half of the others have too few requests for a latency of their own,
// which is 0 where there are none. Nobody is slower than they are.
std::vector<bool> FindIdlePeers(const GroupSamples& group, const GroupWindow& window) {
  const auto& places = window.places[Index(DiskMetric::kAwait)];
  const auto works = [&](std::size_t member) {
    return places[member] && group.samples[member].requests >= kMinPeerRequests;
  };
  std::size_t peers = 0;
  std::size_t working = 0;
  for (std::size_t member = 0; member < places.size(); ++member) {
    peers += places[member] ? 1U : 0U;
    working += works(member) ? 1U : 0U;
  }
  std::vector<bool> idle(places.size());
  for (std::size_t member = 0; member < places.size(); ++member) {
    const auto others = working - (works(member) ? 1U : 0U);
    idle[member] = places[member] && 2 * others < peers - 1;
  }
  return idle;
}

// The share of a disk's bytes that it reads; nullopt: it moves none.
std::optional<double> ReadShare(const MemberSamples& samples) {
  const auto read = samples.metrics.Of(Index(DiskMetric::kRead));
  const auto written = samples.metrics.Of(Index(DiskMetric::kWrite));
  const double moved = read.empty() || written.empty() ? 0 : Mean(read) + Mean(written);
  return moved > 0 ? std::optional(Mean(read) / moved) : std::nullopt;
}

// By member, how much larger a share of its bytes it reads than the median member; nullopt: it
// moves none.
std::vector<std::optional<double>> FindReadExcess(const GroupSamples& group) {
  std::vector<std::optional<double>> shares;
  std::vector<double> known;
  for (const auto& samples : group.samples) {
    shares.push_back(ReadShare(samples));
    if (shares.back()) {
      known.push_back(*shares.back());
    }
  }
  const double usual = known.empty() ? 0 : Median(std::move(known));
  for (auto& share : shares) {
    if (share) {
      *share -= usual;
    }
  }
  return shares;
}

// ms, of all that its requests took in the window; 0: it takes no part.
double TimeTaken(const GroupSamples& group, const GroupWindow& window, std::size_t member) {
  const auto [comparison, component] = window.Find(Index(DiskMetric::kAwait), member);
  return comparison == nullptr ? 0 : comparison->mean[component] * group.samples[member].requests;
}

// Which disks count as flash, and of which of them also the shortest latencies are known.
class FlashDisks {
 public:
  FlashDisks(const GroupSamples& group, const GroupWindow& window, const PresetSettings& preset)
      : group_(&group),
        window_(&window),
        doubts_(preset.doubt_readings),
        read_excess_(FindReadExcess(group)) {
    std::vector<double> requests;
    for (std::size_t member = 0; member < group.members.size(); ++member) {
      if (window.places[Index(DiskMetric::kAwait)][member]) {
        requests.push_back(group.samples[member].requests);
        timed_ += TimeTaken(group, window, member) >= kLeastTaken ? 1U : 0U;
        ++peers_;
      }
    }
    usual_requests_ = requests.empty() ? 0 : Median(std::move(requests));
  }

  // What does not say whether it rotates, and disks of a hypervisor, which say that they do
  // whatever they are, count as flash where the peers answer as fast, and they read no larger share
  // of what they move: a cache that takes writes and none of the reads looks like flash, too.
  [[nodiscard]] bool IsFlash(std::size_t member) const {
    const auto& disk = group_->members[member];
    if (limpet::IsFlash(disk)) {
      return true;
    }
    const auto [comparison, component] = window_->Find(Index(DiskMetric::kAwait), member);
    return ((doubts_ && !disk.rotates) || IsVirtualDisk(disk.device)) && comparison != nullptr &&
           !comparison->undetermined && comparison->median_mean < kFlashAwait &&
           read_excess_[member] && *read_excess_[member] <= kLikeMix;
  }

  // Whether it is known to be flash, and it and half of its peers are timed well enough, at the
  // same work: writes end in a device's memory and reads do not, and who has little to do sleeps
  // between its requests.
  [[nodiscard]] bool IsTimed(std::size_t member) const {
    const auto& disk = group_->members[member];
    const bool known = limpet::IsFlash(disk) || (IsVirtualDisk(disk.device) && IsFlash(member));
    const bool own = known && TimeTaken(*group_, *window_, member) >= kLeastTaken;
    return own && 2 * (timed_ - 1) >= peers_ - 1 && read_excess_[member] &&
           std::abs(*read_excess_[member]) <= kLikeMix &&
           group_->samples[member].requests >= kLikeRequests * usual_requests_;
  }

 private:
  const GroupSamples* group_;
  const GroupWindow* window_;
  bool doubts_;
  std::vector<std::optional<double>> read_excess_;  // by member
  std::size_t peers_ = 0;
  std::size_t timed_ = 0;  // of them
  double usual_requests_ = 0;
};

// What `judge`, a disk's service time, says about the metric that rests on it.
void AddJudge(const MetricRow& row, std::size_t judge, std::size_t member,
              const GroupWindow& window, const PresetSettings& preset, GateFacts& facts) {
  const auto found = window.Find(judge, member);
  if (found.comparison != nullptr && !found.comparison->undetermined) {
    const auto gated = GateDegree(*found.comparison, found.component, row, preset, facts);
    // A disk that is faster than its peers explains nobody's long wait.
    const bool high = found.comparison->direction[found.component] == Direction::kHigh;
    facts.svctm_effect = high ? gated.effect : 0.0;
  }
}

// Below it the scatter of the others does not matter.
constexpr double kSlowEnoughToAsk = 1.2;
constexpr std::size_t kAsked = 64;  // members at most

double SlowdownScatter(DeviceTimes& times, std::size_t members) {
  const auto step = (members + kAsked - 1) / kAsked;
  std::vector<double> all;
  for (std::size_t place = 0; place < members; place += step) {
    if (const auto one = times.Slowdown(place)) {
      all.push_back(*one);
    }
  }
  return all.empty() ? 0 : MedianScatter(std::move(all));
}

// The device's time for its work in the place of the time per request.
void ReplaceByDeviceTimes(const GroupSamples& group, std::size_t judge, const GroupWindow& window,
                          std::vector<GateFacts>& all) {
  for (const auto& one : window.windows) {
    if (one.metric != judge || one.comparison.undetermined) {
      continue;
    }
    DeviceTimes times(group, one.who);
    std::optional<double> scatter;  // once anybody asks
    for (std::size_t place = 0; place < one.who.size(); ++place) {
      auto& facts = all[one.who[place]];
      // Proportional to the number of peers, so only where something hangs on it.
      const auto judged = window.Find(*group.metrics[judge].judges, one.who[place]);
      if (judged.comparison == nullptr || judged.comparison->undetermined ||
          judged.comparison->direction[judged.component] != Direction::kHigh) {
        continue;
      }
      if (const auto slowdown = times.Slowdown(place)) {
        facts.svctm_effect = std::max(0.0, *slowdown - 1);
        facts.slowdown = slowdown;
        if (*slowdown > kSlowEnoughToAsk) {
          scatter = scatter ? scatter : SlowdownScatter(times, one.who.size());
          facts.slowdown_scatter = *scatter;
        }
        facts.busiest = times.IsBusiest(place);
        facts.device_time = times.ByKernel(place, *slowdown);
      }
    }
  }
}

}  // namespace

bool IsFlash(const Member& member) { return member.flash || member.device.starts_with("nvme"); }

bool IsVirtualDisk(std::string_view device) {
  return device.starts_with("vd") || device.starts_with("xvd");
}

std::vector<GateFacts> FindGateFacts(const GroupSamples& group, const GroupWindow& window,
                                     const PresetSettings& preset) {
  std::vector<GateFacts> all(group.members.size());
  const auto least_utils = LeastUtils(window, preset);
  std::vector<bool> idle(all.size());
  std::optional<FlashDisks> flash;
  if (std::ranges::any_of(group.metrics, [](const auto& row) { return row.judges.has_value(); })) {
    idle = preset.doubt_readings ? FindIdlePeers(group, window) : std::move(idle);
    flash.emplace(group, window, preset);
  }
  for (std::size_t member = 0; member < group.members.size(); ++member) {
    auto& facts = all[member];
    facts.requests = idle[member] ? 0 : group.samples[member].requests;
    facts.flash = flash && flash->IsFlash(member);
    facts.timed_flash = flash && flash->IsTimed(member);
    for (std::size_t metric = 0; metric < group.metrics.size(); ++metric) {
      const auto& row = group.metrics[metric];
      if (row.gate == Gate::kNetwork) {
        facts.mean_difference =
            std::max(facts.mean_difference, MeanDifference(window, metric, member));
      }
      if (row.checklist.symptom == Symptom::kLatency) {
        facts.await_effect = AwaitEffect(row, metric, member, window, preset, facts);
      }
      if (row.judges) {
        AddUtil(member, group, window, least_utils, facts);
        AddJudge(row, metric, member, window, preset, facts);
      }
    }
    for (std::size_t metric = 0; metric < group.metrics.size(); ++metric) {
      const auto& row = group.metrics[metric];
      if (row.checklist.symptom == Symptom::kReceived || row.checklist.symptom == Symptom::kSent) {
        AddTraffic(row, metric, member, window, preset, facts);
      }
    }
  }
  for (std::size_t metric = 0; metric < group.metrics.size(); ++metric) {
    if (group.metrics[metric].judges && preset.service_time == ServiceTime::kDevice) {
      ReplaceByDeviceTimes(group, metric, window, all);
    }
  }
  return all;
}

}  // namespace limpet
