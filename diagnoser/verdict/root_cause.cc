#include "diagnoser/verdict/root_cause.h"

#include <algorithm>

#include "diagnoser/metrics/catalog.h"

namespace limpet {
namespace {

// Names are what evidence keeps; a name of no row, such as a profile's, is off the checklist.
ChecklistPlace FindPlace(std::string_view metric) {
  const auto* row = FindMetric(metric);
  return row == nullptr ? ChecklistPlace() : row->checklist;
}

// Where all servers send more than they read, one that does so, too, is no proven hog.
bool IsBesidePeersAlone(const Evidence& balance) {
  constexpr double kLeastDeficit = 1 << 20;  // B/s
  return balance.mean.value_or(1) <= 0 && balance.peer_median.value_or(0) < -kLeastDeficit;
}

CauseFlags CollectFlags(const std::vector<Evidence>& evidence) {
  CauseFlags flags;
  for (const auto& one : evidence) {
    const auto symptom = FindPlace(one.metric).symptom;
    flags.throughput = flags.throughput || symptom == Symptom::kThroughput;
    flags.await = flags.await || symptom == Symptom::kLatency;
    flags.received = flags.received || symptom == Symptom::kReceived;
    flags.sent = flags.sent || symptom == Symptom::kSent;
    flags.cwnd = flags.cwnd || symptom == Symptom::kWindow;
    flags.retransmitted = flags.retransmitted || symptom == Symptom::kRetransmitted;
    flags.delay = flags.delay || symptom == Symptom::kDelay;
    if (symptom == Symptom::kUnsent || symptom == Symptom::kUnreceived) {
      const bool high = one.direction == Direction::kHigh;
      const bool starved = high && IsBesidePeersAlone(one);
      flags.surplus = flags.surplus || (high && !starved);
      flags.starved = flags.starved || starved;
      flags.deficit = flags.deficit || one.direction == Direction::kLow;
    }
  }
  return flags;
}

// Nothing tells throughput from more load but a wait that the disk itself makes longer: more load
// makes any other.
bool IsUnexplained(const CauseFlags& flags) {
  return flags.throughput && flags.await && !flags.explained;
}

// Load that balances is no evidence of anything, however far it is from the peers'.
bool Explains(std::string_view metric, Cause cause, const CauseFlags& flags) {
  switch (FindPlace(metric).symptom) {
    case Symptom::kThroughput:
      return flags.surplus || IsUnexplained(flags);
    case Symptom::kReceived:
    case Symptom::kSent:
    case Symptom::kUnsent:
    case Symptom::kUnreceived:
      return flags.surplus || flags.starved || cause == Cause::kNetworkHog;
    default:
      return true;
  }
}

// What no other server's fault can bring about.
bool IsLocal(LocalWhen local, const JudgeRules& rules) {
  switch (local) {
    case LocalWhen::kBalanced:
      return rules.balanced;
    case LocalWhen::kDeviceTime:
      return rules.device_time;
    case LocalWhen::kSegmentsKnown:
      return rules.segments_known;
    case LocalWhen::kAlways:
      return true;
    case LocalWhen::kNever:
      break;
  }
  return false;
}

// A window also stays small where nobody sends, and long after a loss is over.
bool LosesPackets(const CauseFlags& flags) {
  return flags.retransmitted || (flags.cwnd && (flags.resending || !flags.segments_known));
}

// Whoever has more traffic than its peers waits behind it.
bool IsSlowAtEqualLoad(const CauseFlags& flags) {
  return flags.delay && !flags.received && !flags.sent;
}

// Await without a change in throughput is the component's own fault, with it a change of workload.
std::map<std::string, LunKind> ClassifyLuns(const std::vector<Evidence>& evidence) {
  std::map<std::string, LunKind> luns;
  for (const auto& one : evidence) {
    if (FindPlace(one.metric).symptom == Symptom::kLatency) {
      const bool loaded = std::any_of(evidence.begin(), evidence.end(), [&](const Evidence& other) {
        return other.component == one.component &&
               FindPlace(other.metric).symptom == Symptom::kThroughput;
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
  // Both ways at once is traffic; one way alone may as well be what lost packets cost (step 4).
  if (flags.received && flags.sent) {
    return Cause::kNetworkHog;
  }
  if (LosesPackets(flags)) {
    return Cause::kPacketLoss;
  }
  if (flags.received || flags.sent) {
    return Cause::kNetworkHog;
  }
  return flags.delay ? Cause::kSlowNetwork : Cause::kNone;
}

Cause CauseByBalance(const CauseFlags& flags) {
  if (flags.surplus || IsUnexplained(flags)) {
    return Cause::kDiskHog;
  }
  if (flags.await || flags.starved) {
    return Cause::kDiskBusy;
  }
  if (flags.deficit) {
    return Cause::kNetworkHog;
  }
  if (LosesPackets(flags)) {
    return Cause::kPacketLoss;
  }
  return IsSlowAtEqualLoad(flags) ? Cause::kSlowNetwork : Cause::kNone;
}

bool IsOnChecklist(std::string_view metric) { return FindPlace(metric).place != 0; }

bool Counts(std::string_view metric, Direction direction, bool hog_direction) {
  const auto* row = FindMetric(metric);
  return row != nullptr && row->checklist.place != 0 &&
         (!hog_direction || !row->only_high || direction == Direction::kHigh);
}

std::optional<VerdictEvent> JudgeServer(std::vector<Evidence> flagged, const JudgeRules& rules) {
  // What counts for nothing is no evidence either, and would raise the verdict's degree.
  std::erase_if(flagged, [&](const Evidence& one) {
    return !Counts(one.metric, one.direction, rules.hog_direction);
  });
  VerdictEvent verdict;
  auto flags = CollectFlags(flagged);
  flags.segments_known = rules.segments_known;
  flags.resending = rules.resending;
  flags.explained = rules.explained;
  verdict.cause = rules.balanced ? CauseByBalance(flags) : CauseOf(flags);
  if (verdict.cause == Cause::kNone) {
    return std::nullopt;
  }
  std::stable_sort(flagged.begin(), flagged.end(), [](const Evidence& a, const Evidence& b) {
    return FindPlace(a.metric).place < FindPlace(b.metric).place;
  });
  // What else is wrong with a server delays its answers, too.
  if (verdict.cause != Cause::kSlowNetwork) {
    std::erase_if(flagged, [](const Evidence& one) {
      return FindPlace(one.metric).symptom == Symptom::kDelay;
    });
  }
  verdict.luns = ClassifyLuns(flagged);
  if (rules.balanced) {
    std::erase_if(flagged,
                  [&](const Evidence& one) { return !Explains(one.metric, verdict.cause, flags); });
  }
  for (const auto& one : flagged) {
    verdict.degree = std::max(verdict.degree, one.degree);
  }
  verdict.local = IsLocal(RowOf(verdict.cause).local, rules);
  verdict.evidence = std::move(flagged);
  return verdict;
}

}  // namespace limpet
