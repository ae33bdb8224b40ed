#include "diagnoser/verdict/root_cause.h"

#include <algorithm>
#include <array>

namespace limpet {
namespace {

constexpr std::array<std::string_view, 7> kChecklist = {
    "rd_sec", "wr_sec", "await", "rxbyt", "txbyt", "cwnd_client", "cwnd_server"};

std::size_t PlaceOf(std::string_view metric) {
  return static_cast<std::size_t>(std::find(kChecklist.begin(), kChecklist.end(), metric) -
                                  kChecklist.begin());
}

bool IsThroughput(std::string_view metric) { return metric == "rd_sec" || metric == "wr_sec"; }
bool IsCwnd(std::string_view metric) { return metric.starts_with("cwnd_"); }

CauseFlags FlagsOf(const std::vector<Evidence>& evidence) {
  CauseFlags flags;
  for (const auto& one : evidence) {
    flags.throughput = flags.throughput || IsThroughput(one.metric);
    flags.await = flags.await || one.metric == "await";
    flags.received = flags.received || one.metric == "rxbyt";
    flags.sent = flags.sent || one.metric == "txbyt";
    flags.cwnd = flags.cwnd || IsCwnd(one.metric);
  }
  return flags;
}

// Await without a change in throughput is the component's own fault, with it a change of workload.
std::map<std::string, LunKind> KindsOf(const std::vector<Evidence>& evidence) {
  std::map<std::string, LunKind> luns;
  for (const auto& one : evidence) {
    if (one.metric == "await") {
      const bool loaded = std::any_of(evidence.begin(), evidence.end(), [&](const Evidence& other) {
        return other.component == one.component && IsThroughput(other.metric);
      });
      luns[one.component] = loaded ? LunKind::kWorkload : LunKind::kComponent;
    }
  }
  return luns;
}

}  // namespace

Cause CauseOf(const CauseFlags& flags) {
  if (flags.throughput) {
    return Cause::kDiskHog;
  }
  if (flags.await) {
    return Cause::kDiskBusy;
  }
  if (flags.received && flags.sent) {
    return Cause::kNetworkHog;
  }
  if (flags.cwnd) {
    return Cause::kPacketLoss;
  }
  return flags.received || flags.sent ? Cause::kNetworkHog : Cause::kNone;
}

bool IsOnChecklist(std::string_view metric) { return PlaceOf(metric) < kChecklist.size(); }

bool Counts(std::string_view metric, Direction direction, bool hog_direction) {
  return IsOnChecklist(metric) &&
         (!hog_direction || IsCwnd(metric) || direction == Direction::kHigh);
}

std::optional<VerdictEvent> JudgeServer(std::vector<Evidence> flagged, bool hog_direction) {
  std::erase_if(flagged, [&](const Evidence& one) {
    return !Counts(one.metric, one.direction, hog_direction);
  });
  VerdictEvent verdict;
  verdict.cause = CauseOf(FlagsOf(flagged));
  if (verdict.cause == Cause::kNone) {
    return std::nullopt;
  }
  std::stable_sort(flagged.begin(), flagged.end(), [](const Evidence& a, const Evidence& b) {
    return PlaceOf(a.metric) < PlaceOf(b.metric);
  });
  for (const auto& one : flagged) {
    verdict.degree = std::max(verdict.degree, one.degree);
  }
  verdict.luns = KindsOf(flagged);
  verdict.evidence = std::move(flagged);
  return verdict;
}

}  // namespace limpet
