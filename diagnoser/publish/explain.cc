#include "diagnoser/publish/explain.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "diagnoser/detect/comparison.h"
#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/component_text.h"
#include "diagnoser/publish/storage_text.h"
#include "diagnoser/verdict/bimodality.h"

namespace limpet {
namespace {

// " ms"; empty for a plain number and for a metric of no row.
std::string SpacedUnit(const Display& display) {
  return display.unit.empty() ? std::string() : " " + std::string(display.unit);
}

Display FindDisplay(std::string_view metric) {
  const auto* row = FindMetric(metric);
  return row == nullptr ? Display() : row->display;
}

// "user CPU 70.1 % against 12.0 %".
std::string ExplainHost(const MetricRow& row, const Evidence& evidence) {
  const auto unit = SpacedUnit(row.display);
  return fmt::format("{} {}{} against {}{}", row.text, Rounded(*evidence.mean * row.display.factor),
                     unit, Rounded(*evidence.peer_median * row.display.factor), unit);
}

// "by EMFILE of its open of storage; client c01 got EMFILE from write".
std::string ExplainError(const SyscallFact& fact) {
  auto text =
      fmt::format("{} of its {} ({}), {} times", fact.error, fact.call, fact.path, fact.count);
  if (!fact.client.empty()) {
    text += fmt::format("; client {} got {} from {}", fact.client, fact.client_error,
                        fact.client_call.empty() ? "a call" : fact.client_call);
  }
  return text;
}

// The class of calls on connections, as evidence/syscalls has it.
constexpr std::string_view kNetworkPath = "network";

std::string ExplainSyscall(const Evidence& evidence) {
  const auto& fact = *evidence.syscall;
  if (evidence.metric == kSyscallErrors) {
    return ExplainError(fact);
  }
  std::string text;
  if (fact.open && fact.path == kNetworkPath) {
    text = fmt::format("a {} of client {} has had no answer for {} s", fact.call, fact.client,
                       Rounded(*fact.open));
  } else if (fact.open) {
    text =
        fact.client.empty()
            ? fmt::format("its own {} on a storage file has not returned for {} s",
                          fact.call.empty() ? "call" : fact.call, Rounded(*fact.open))
            : fmt::format("a {} of client {} on a file has not returned for {} s",
                          fact.call.empty() ? "call" : fact.call, fact.client, Rounded(*fact.open));
  } else {
    text = fmt::format("client {} got {}", fact.client,
                       fact.error.empty() ? "a connection error" : fact.error);
  }
  if (fact.last_call.empty()) {
    return text;
  }
  text += fmt::format("; the last call with {}: {}", evidence.component, fact.last_call);
  return fact.last_at ? text + " at " + IsoTime(*fact.last_at) : text;
}

// "at the device 40.1 ms against 20.0 ms, for the same work 1.98× as long (device time)".
std::string ExplainDevice(const DeviceTime& time) {
  return fmt::format("at the device {} ms against {} ms, for the same work {}\u00d7 as long ({})",
                     Rounded(time.mean), Rounded(time.peer_median), Rounded(time.slowdown),
                     time.decides ? "device time" : "busy time");
}

std::string ExplainServiceTime(const MetricRow& row, const Evidence& evidence) {
  const auto unit = SpacedUnit(row.display);
  return fmt::format("{} {}{} against its peers' {}{}", row.text,
                     Rounded(*evidence.mean * row.display.factor), unit,
                     Rounded(*evidence.peer_median * row.display.factor), unit);
}

}  // namespace

std::string Explain(const Evidence& evidence) {
  if (evidence.syscall) {
    return ExplainSyscall(evidence);
  }
  if (evidence.storage) {
    return ExplainStorage(evidence);
  }
  if (const auto* row = FindMetric(evidence.metric);
      row != nullptr && evidence.group == kSyscallsGroup && evidence.mean && evidence.peer_median) {
    return ExplainServiceTime(*row, evidence);
  }
  if (evidence.metric == kProfileMetric && evidence.s) {
    return fmt::format("profile {:.2f} from most peers', allowed {:.2f}", *evidence.s,
                       evidence.threshold);
  }
  if (const auto* row = FindMetric(evidence.metric);
      row != nullptr && evidence.group == kProfilesGroup && evidence.mean && evidence.peer_median) {
    return ExplainHost(*row, evidence);
  }
  auto text = std::string(MetricLabel(evidence.metric)) + " of " + evidence.component;
  if (!evidence.mean || !evidence.peer_median) {
    return text + fmt::format(" differs from its peers, degree {}", Rounded(evidence.degree));
  }
  const auto display = FindDisplay(evidence.metric);
  const auto unit = SpacedUnit(display);
  const double mean = *evidence.mean * display.factor;
  const double peers = *evidence.peer_median * display.factor;
  const double difference = mean - peers;
  // Against next to nothing a ratio says little: "20000000x" of an idle interface.
  if (peers > 0 && mean / peers < 1000) {
    text += fmt::format(" {}\u00d7 its peers, ", Rounded(mean / peers));
  } else {
    text += fmt::format(" {}{} against its peers' {}, ", Rounded(mean), unit, Rounded(peers));
  }
  text += (difference < 0 ? "" : "+") + Rounded(difference) + unit;
  return evidence.device_time ? text + ", " + ExplainDevice(*evidence.device_time) : text;
}

std::string Explain(const VerdictEvent& verdict) {
  std::string text = verdict.node + ": " + Name(verdict.cause) + " (";
  for (const auto& evidence : verdict.evidence) {
    text += (&evidence == verdict.evidence.data() ? "" : "; ") + Explain(evidence);
  }
  text += ")";
  constexpr std::size_t kMaxFacts = 3;  // the API has them all
  for (std::size_t i = 0; i < std::min(verdict.facts.size(), kMaxFacts); ++i) {
    text += "; " + Explain(verdict.facts[i]);
  }
  return text;
}

bool HasNumbers(const Evidence& evidence) {
  return evidence.mean && evidence.peer_median && !evidence.syscall;
}

// By degree, and not by the place on the checklist: what differs most convinces most.
const Evidence* FindLeading(const VerdictEvent& verdict) {
  const Evidence* leading = nullptr;
  for (const auto& evidence : verdict.evidence) {
    if (HasNumbers(evidence) && (leading == nullptr || evidence.degree > leading->degree)) {
      leading = &evidence;
    }
  }
  return leading != nullptr || verdict.evidence.empty() ? leading : &verdict.evidence.front();
}

std::string Explain(const Fact& fact) { return fact.text; }

std::string Background(const Evidence& evidence) {
  if (evidence.syscall) {
    return "system calls";
  }
  if (evidence.group == kSyscallsGroup) {
    return fmt::format(
        "{} ms from the median of {} servers; {} threshold {} ms, exceeded in {} windows",
        Rounded(evidence.s.value_or(0) * 1000), evidence.peers + 1,
        evidence.threshold_origin == ThresholdOrigin::kTrained ? "trained" : "others' trained",
        Rounded(evidence.threshold * 1000), evidence.windows.size());
  }
  if (evidence.group == kProfilesGroup) {
    return evidence.s ? fmt::format("among {} peers", evidence.peers)
                      : fmt::format("{} standard deviations", Rounded(evidence.degree));
  }
  std::string text;
  if (evidence.far) {
    text = fmt::format("far from {} of {} peers; ", *evidence.far, evidence.peers);
  }
  const auto origin = evidence.threshold_origin == ThresholdOrigin::kTrained ? "trained"
                      : evidence.threshold_origin == ThresholdOrigin::kGroup ? "group's trained"
                                                                             : "default";
  text += fmt::format("{} threshold {}, exceeded in {} windows; ", origin,
                      Rounded(evidence.threshold), evidence.windows.size());
  return text +
         fmt::format("{} in the last day, accumulator {}",
                     evidence.episodes == 1 ? "once" : fmt::format("{} times", evidence.episodes),
                     evidence.accumulator);
}

namespace {

std::string Listed(const std::vector<std::string>& names, std::size_t all) {
  std::string text;
  for (const auto& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text + (names.size() < all ? ", \u2026" : "");
}

std::string KindText(const BimodalityEvent::Kind& kind, const std::string& metric) {
  const auto display = FindDisplay(metric);
  return fmt::format("{} around {}{} ({})", kind.n, Rounded(kind.median * display.factor),
                     SpacedUnit(display), Listed(kind.components, kind.n));
}

}  // namespace

std::string Explain(const StormEvent& storm) {
  if (storm.half) {
    return fmt::format(
        "half or more of peer group {} is slow: {} of {} of {} components ({}) is above that of "
        "the "
        "others; look for a common cause",
        storm.group, MetricLabel(storm.metric), storm.flagged, storm.n,
        Listed(storm.components, storm.flagged));
  }
  if (storm.either_side) {
    return fmt::format(
        "peer group {} is in two: {} of {} components differ in {} from the others, and either "
        "side "
        "may be the sick one; look for a common cause first",
        storm.group, storm.flagged, storm.n, MetricLabel(storm.metric));
  }
  return fmt::format(
      "storm in peer group {}: {} of {} of {} components flagged at once ({}); look for a common "
      "cause first",
      storm.group, MetricLabel(storm.metric), storm.flagged, storm.n,
      Listed(storm.components, storm.flagged));
}

std::string Explain(const SharedPart& part) {
  return fmt::format("{} of the {} members of {} {} are flagged: look at it first",
                     part.flagged.size(), part.members, part.kind, part.name);
}

std::string Explain(const UnknownEvent& unknown) {
  const auto since = ForPeople(unknown.end - unknown.judged);
  if (unknown.missing) {
    return fmt::format(
        "{}: unknown, {} ago {}: it has too few readings to be compared in peer group {}",
        unknown.node, since, Name(unknown.cause), unknown.group);
  }
  if (unknown.n >= kMinPeers) {
    return fmt::format(
        "{}: unknown, {} ago {}: peer group {} is compared again, but not long enough",
        unknown.node, since, Name(unknown.cause), unknown.group);
  }
  return fmt::format(
      "{}: unknown, {} ago {}: two peers are not enough (comparable members of peer group {}: {})",
      unknown.node, since, Name(unknown.cause), unknown.group, unknown.n);
}

std::string Explain(const BimodalityEvent& found) {
  auto text = fmt::format("peer group {} is two kinds by {}: {} and {}: these are not peers; ",
                          found.group, MetricLabel(found.metric), KindText(found.low, found.metric),
                          KindText(found.high, found.metric));
  if (found.label == kNodeLabel) {
    // The side of fewer nodes is the odd one.
    const auto& odd = found.low.values.size() < found.high.values.size() ? found.low : found.high;
    return text + fmt::format(
                      "the slower or faster ones are all of {}: a host that is slow as a "
                      "whole, or of another kind (peers per: node)",
                      Listed(odd.values, odd.values.size()));
  }
  if (found.label.empty()) {
    return text + "no label that is known tells them apart";
  }
  return text + fmt::format("{} tells them apart (\"{}\" against \"{}\"): make a group of each",
                            found.label, Listed(found.low.values, found.low.values.size()),
                            Listed(found.high.values, found.high.values.size()));
}

std::string ForPeople(Duration duration) {
  // Two units at most, and the smaller one only where it still matters.
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < 120) {
    return fmt::format("{} s", seconds);
  }
  const auto minutes = seconds / 60;
  if (minutes < 120) {
    return fmt::format("{} min", minutes);
  }
  const auto hours = minutes / 60;
  return hours < 48 ? fmt::format("{} h {} min", hours, minutes % 60)
                    : fmt::format("{} d {} h", hours / 24, hours % 24);
}

}  // namespace limpet
