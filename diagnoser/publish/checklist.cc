#include "diagnoser/publish/checklist.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/explain.h"

namespace limpet {
namespace {

Symptom FindSymptom(const Evidence& evidence) {
  const auto* row = FindMetric(evidence.metric);
  return row == nullptr ? Symptom::kNone : row->checklist.symptom;
}

bool IsBalance(Symptom symptom) {
  return symptom == Symptom::kUnsent || symptom == Symptom::kUnreceived;
}

using Test = bool (*)(const Evidence&);

struct Step {
  const char* question;
  Test test;
  Cause cause;
};

bool IsThroughput(const Evidence& one) { return FindSymptom(one) == Symptom::kThroughput; }
bool IsLatency(const Evidence& one) { return FindSymptom(one) == Symptom::kLatency; }
bool IsTraffic(const Evidence& one) {
  return FindSymptom(one) == Symptom::kReceived || FindSymptom(one) == Symptom::kSent;
}
bool IsLoss(const Evidence& one) {
  return FindSymptom(one) == Symptom::kWindow || FindSymptom(one) == Symptom::kRetransmitted;
}
bool IsSurplus(const Evidence& one) {
  return IsBalance(FindSymptom(one)) && one.direction == Direction::kHigh;
}
bool IsDeficit(const Evidence& one) {
  return IsBalance(FindSymptom(one)) && one.direction == Direction::kLow;
}
bool IsAny(const Evidence&) { return true; }
bool IsProfile(const Evidence& one) { return one.group == kProfilesGroup; }

// [Kasick10 §10.2].
constexpr std::array<Step, 5> kSteps = {{
    {"Do its disks move more than its peers' disks?", IsThroughput, Cause::kDiskHog},
    {"Does a request to its disks take longer than its peers'?", IsLatency, Cause::kDiskBusy},
    {"Does its network carry more than its peers', both ways?", IsTraffic, Cause::kNetworkHog},
    {"Do its connections lose packets that its peers' do not?", IsLoss, Cause::kPacketLoss},
    {"Does its network carry more than its peers', one way?", IsTraffic, Cause::kNetworkHog},
}};

// Where the bytes of disks and network are weighed against each other.
constexpr std::array<Step, 4> kBalanceSteps = {{
    {"Do its disks move bytes that its network does not?", IsSurplus, Cause::kDiskHog},
    {"Does a request to its disks take longer than its peers'?", IsLatency, Cause::kDiskBusy},
    {"Does its network move bytes that its disks do not?", IsDeficit, Cause::kNetworkHog},
    {"Do its connections lose packets that its peers' do not?", IsLoss, Cause::kPacketLoss},
}};

// Both ways at once is traffic; one way alone may as well be what lost packets cost.
bool IsBothWays(const std::vector<Evidence>& evidence) {
  const auto has = [&](Symptom symptom) {
    return std::any_of(evidence.begin(), evidence.end(),
                       [&](const Evidence& one) { return FindSymptom(one) == symptom; });
  };
  return has(Symptom::kReceived) && has(Symptom::kSent);
}

std::string JoinFindings(const std::vector<Evidence>& evidence, Test test) {
  constexpr std::size_t kMax = 4;
  std::string text;
  std::size_t found = 0;
  for (const auto& one : evidence) {
    if (test(one) && ++found <= kMax) {
      text += (text.empty() ? "" : "; ") + Explain(one);
    }
  }
  return found > kMax ? text + fmt::format("; and {} more", found - kMax) : text;
}

std::vector<ChecklistStep> Walk(std::span<const Step> steps, const VerdictEvent& verdict) {
  std::vector<ChecklistStep> list;
  for (const auto& step : steps) {
    const auto number = list.size() + 1;
    const bool wants_both = step.test == IsTraffic && number == 3;
    const auto findings = JoinFindings(verdict.evidence, step.test);
    const bool found = !findings.empty() && (!wants_both || IsBothWays(verdict.evidence));
    // Evidence that does not bear on the cause is left out of a verdict by balance, so a step that
    // found something and has the verdict's cause is the one that decided.
    const bool decided = found && step.cause == verdict.cause;
    list.push_back(
        {.step = number,
         .found = found,
         .decided = decided,
         .text = std::string(step.question) + (found ? " Yes: " + findings + "." : " No.")});
    if (decided) {
      break;
    }
  }
  return list;
}

bool IsJudgedByBalance(const VerdictEvent& verdict) {
  // A hog by balance has a surplus or deficit; of the other causes `local` is all that tells.
  return std::any_of(verdict.evidence.begin(), verdict.evidence.end(),
                     [](const Evidence& one) { return IsBalance(FindSymptom(one)); });
}

std::string_view Device(std::string_view component) {
  const auto slash = component.find('/');
  return slash == std::string_view::npos ? component : component.substr(slash + 1);
}

// The disk to look at: that with the largest degree.
std::string WorstDisk(const VerdictEvent& verdict) {
  const Evidence* worst = nullptr;
  for (const auto& one : verdict.evidence) {
    const bool is_disk = one.component.find('/') != std::string::npos;
    if (is_disk && (worst == nullptr || one.degree > worst->degree)) {
      worst = &one;
    }
  }
  return worst == nullptr ? "its disks" : std::string(Device(worst->component));
}

}  // namespace

std::vector<ChecklistStep> ExplainChecklist(const VerdictEvent& verdict) {
  if (IsOfSyscalls(verdict.cause)) {
    return {{.step = 1,
             .found = true,
             .decided = true,
             .text = "Do system calls of its processes or of its clients fail, hang or take longer "
                     "than its peers'? Yes: " +
                     JoinFindings(verdict.evidence, IsAny) + "."}};
  }
  if (verdict.cause == Cause::kBehaviour) {
    return {{.step = 1,
             .found = true,
             .decided = true,
             .text = "Nothing on the checklist. Does the host as a whole behave unlike its peers? "
                     "Yes: " +
                     JoinFindings(verdict.evidence, IsProfile) + "."}};
  }
  return IsJudgedByBalance(verdict) ? Walk(kBalanceSteps, verdict) : Walk(kSteps, verdict);
}

std::vector<std::string> ListFacts(const VerdictEvent& verdict) {
  std::vector<std::string> facts;
  for (const auto& [component, kind] : verdict.luns) {
    facts.push_back(kind == LunKind::kComponent
                        ? component +
                              ": its requests take longer though it has no more to do than "
                              "its peers: the component itself."
                        : component +
                              ": its requests take longer and it has more to do than its "
                              "peers: the workload.");
  }
  if (verdict.secondary) {
    facts.emplace_back("Another server is far worse, and probably explains this one.");
  }
  if (verdict.local) {
    facts.emplace_back("No other server's fault can bring this about.");
  }
  for (const auto& fact : verdict.facts) {
    facts.push_back(Explain(fact) + ".");
  }
  for (const auto& one : verdict.evidence) {
    facts.push_back(one.metric + " of " + one.component + ": " + Background(one) + ".");
  }
  return facts;
}

std::string AdviseNextStep(const VerdictEvent& verdict) {
  const auto& node = verdict.node;
  switch (verdict.cause) {
    case Cause::kDiskHog:
      return fmt::format(
          "On {}, find the process that uses {} (iotop, pidstat -d): a scrub, "
          "a rebuild, a backup, a copy.",
          node, WorstDisk(verdict));
    case Cause::kDiskBusy:
      return fmt::format(
          "On {}, read the kernel log and smartctl -a for {}; where they show "
          "nothing, look at its controller, path and RAID state.",
          node, WorstDisk(verdict));
    case Cause::kNetworkHog:
      return fmt::format(
          "On {}, find who sends or receives (ss -ti, iftop): traffic that is not "
          "the file system's.",
          node);
    case Cause::kPacketLoss:
      return fmt::format(
          "Between {} and its clients, look for errors and drops: ethtool -S, the "
          "counters of its switch port, cable and transceiver.",
          node);
    case Cause::kBehaviour:
      return fmt::format("On {}, compare what runs there with its peers (top, vmstat 1).", node);
    case Cause::kServerCrash:
      return fmt::format(
          "On {}, see whether the file system's server runs (systemctl status, its log) and start "
          "it; a core dump and the kernel log say why it died.",
          node);
    case Cause::kServerHang:
      return fmt::format(
          "On {}, see where the file system's server waits: its state in ps (T: stopped, D: in the "
          "kernel), /proc/PID/stack, the kernel log.",
          node);
    case Cause::kPropagatedError:
      return fmt::format(
          "On {}, look up the error in the evidence: free space and inodes (df, df -i), limits of "
          "the server's process (/proc/PID/limits), the mount's options, the kernel log.",
          node);
    case Cause::kSlowSyscalls:
      return fmt::format(
          "On {}, find what the slow calls wait for: its disks (iostat -x 1) for storage, its "
          "network (ss -ti) for messages, its processors and memory (vmstat 1) for both.",
          node);
    case Cause::kNone:
      break;
  }
  return "";
}

}  // namespace limpet
