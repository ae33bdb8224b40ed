#include "diagnoser/evidence/syscalls/syscall_findings.h"

#include <algorithm>
#include <array>

#include "diagnoser/detect/syscalls/silent_servers.h"

namespace limpet {
namespace {

constexpr double kMaxOfDegree = 1e6;  // of counts: more says no more

const char* Name(LastCall kind) {
  constexpr std::array kNames = {"received", "sent", "connected", "ended", "failed"};
  return kNames[static_cast<std::size_t>(kind)];
}

Evidence MakeEvidence(const std::string& server, const char* metric, double degree) {
  Evidence evidence;
  evidence.component = server;
  evidence.group = kSyscallsGroup;
  evidence.metric = metric;
  evidence.degree = std::min(degree, kMaxOfDegree);
  evidence.threshold = 1;
  evidence.direction = Direction::kHigh;
  return evidence;
}

Evidence MakeEvidence(const ErrorSighting& error) {
  auto evidence = MakeEvidence(error.node, kSyscallErrors, 1 + static_cast<double>(error.count));
  evidence.windows = {error.to};
  evidence.syscall = SyscallFact{.call = error.call,
                                 .path = error.path,
                                 .error = error.error,
                                 .count = error.count,
                                 .client = {},
                                 .client_call = {},
                                 .client_error = {},
                                 .open = std::nullopt,
                                 .last_call = {},
                                 .last_at = std::nullopt};
  return evidence;
}

Evidence MakeEvidence(const PropagatedError& found) {
  auto evidence = MakeEvidence(found.server);
  evidence.syscall->client = found.client_node;
  evidence.syscall->client_call = found.client_call;
  evidence.syscall->client_error = found.client_error;
  return evidence;
}

Evidence MakeEvidence(const BrokenServer& broken, Duration timeout) {
  const bool hangs = broken.what == Breakage::kHang;
  auto evidence = MakeEvidence(broken.server, hangs ? kSyscallOpen : kSyscallConnections,
                               hangs ? ToSeconds(broken.open) / ToSeconds(timeout)
                                     : 1 + static_cast<double>(broken.clients));
  evidence.windows = {broken.last};
  evidence.syscall =
      SyscallFact{.call = broken.call,
                  .path = hangs && broken.call != kUnansweredRequest ? "storage" : "network",
                  .error = broken.error,
                  .count = broken.clients,
                  .client = broken.client,
                  .client_call = {},
                  .client_error = broken.error,
                  .open = hangs ? std::optional(ToSeconds(broken.open)) : std::nullopt,
                  .last_call = broken.client.empty() ? std::string() : Name(broken.kind),
                  .last_at = broken.contact};
  return evidence;
}

// The verdict of a node, made when it has none yet. Who comes first says the cause.
VerdictEvent& VerdictFor(const std::string& node, Cause cause, std::vector<VerdictEvent>& all) {
  const auto found = std::ranges::find(all, node, &VerdictEvent::node);
  if (found != all.end()) {
    return *found;
  }
  VerdictEvent verdict;
  verdict.node = node;
  verdict.cause = cause;
  verdict.local = true;
  all.push_back(std::move(verdict));
  return all.back();
}

void Add(Evidence evidence, VerdictEvent& verdict) {
  verdict.degree = std::max(verdict.degree, evidence.degree);
  verdict.evidence.push_back(std::move(evidence));
}

std::vector<VerdictEvent> MakeFacts(const SyscallState& state) {
  std::vector<VerdictEvent> facts;
  for (const auto& broken : state.broken) {
    const auto cause = broken.what == Breakage::kCrash ? Cause::kServerCrash : Cause::kServerHang;
    auto& verdict = VerdictFor(broken.server, cause, facts);
    Add(MakeEvidence(broken, state.timeout), verdict);
    if (const auto unusual = state.unusual.find(broken.server); unusual != state.unusual.end()) {
      Add(MakeEvidence(unusual->second), verdict);
    }
  }
  for (const auto& found : state.errors) {
    Add(MakeEvidence(found), VerdictFor(found.server.node, Cause::kPropagatedError, facts));
  }
  return facts;
}

Evidence MakeEvidence(const ServiceState& server, ServiceMetric metric,
                      const ServiceWindow& window) {
  Evidence evidence;
  evidence.component = server.server;
  evidence.group = kSyscallsGroup;
  evidence.metric = std::string(Name(metric));
  evidence.degree = server.degree;
  evidence.s = server.deviation;
  evidence.threshold = server.threshold.value_or(0);
  evidence.direction = server.direction;
  evidence.mean = server.mean;
  evidence.peer_median = window.reference;
  evidence.threshold_origin =
      server.own_threshold ? ThresholdOrigin::kTrained : ThresholdOrigin::kGroup;
  evidence.peers = window.servers.size() - 1;
  for (const auto end : server.ends) {
    evidence.windows.push_back(UnixFromSeconds(end));
  }
  return evidence;
}

}  // namespace

SyscallFindings MakeSyscallFindings(const SyscallState& state) {
  SyscallFindings findings;
  findings.facts = MakeFacts(state);
  for (const auto& [key, window] : state.windows) {
    for (const auto& server : window.servers) {
      findings.peers.insert(server.server);
      if (server.flagged) {
        auto& verdict = VerdictFor(server.server, Cause::kSlowSyscalls, findings.slow);
        verdict.local = false;
        Add(MakeEvidence(server, key.second, window), verdict);
      }
    }
  }
  return findings;
}

}  // namespace limpet
