// syscall_seconds.h: system calls at work: every second what the servers' and clients' calls say,
// and whom it indicts (detect/syscalls/).
//
// Peers of a server are the other nodes of its role with processes of role server. A client's
// connection belongs to a server by its address: PipelineConfig::addresses, which has those of
// the targets too, and the local addresses of the connections that the servers themselves report.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/detect/syscalls/broken_servers.h"
#include "diagnoser/detect/syscalls/propagated_errors.h"
#include "diagnoser/detect/syscalls/service_times.h"
#include "diagnoser/evidence/evidence_source.h"
#include "diagnoser/evidence/syscall_plan.h"
#include "diagnoser/evidence/syscalls/syscall_memory.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/syscall_readings.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/syscall_verdicts.h"

namespace limpet {

class SyscallSeconds final : public EvidenceSource {
 public:
  using Addresses = std::map<std::string, std::string>;

  // `addresses`: address → server. `ahead`: as SyscallReadings.
  SyscallSeconds(SyscallPlan plan, Addresses addresses, std::vector<std::string> masked,
                 Duration ahead);

  [[nodiscard]] SyscallReadings& Readings() { return readings_; }
  [[nodiscard]] const SyscallReadings& Readings() const { return readings_; }

  // UnixTime::max() as long as no node has told of system calls.
  [[nodiscard]] UnixTime Next(UnixTime first) const override;
  [[nodiscard]] std::optional<std::vector<Event>> Observe(const EvidenceMoment& now) override;
  void SetMasked(const std::vector<std::string>& masked) override { masked_ = masked; }

  // Returns what outlives a restart: what clients have met, and what holds for a while. Service
  // times begin anew. Empty before the first second.
  [[nodiscard]] std::optional<SyscallMemory> Export() const;
  void Resume(const SyscallMemory& memory);

  // Whom system calls indict as of the last second.
  [[nodiscard]] SyscallFindings Findings() const;

 private:
  using RoleMetric = std::pair<std::string, ServiceMetric>;
  // The sum over the processes of a node, or over the clients of a server.
  struct Sum {
    double seconds = 0;
    double calls = 0;
  };
  // The last failure of a client's connections with a peer, in (from, to].
  struct Failure {
    UnixTime from;
    UnixTime to;
    std::string error;
  };
  // The state that a client's processes tell of their connections with one peer.
  struct Connection {
    std::optional<UnixTime> received;
    std::optional<UnixTime> sent;
    std::optional<UnixTime> connected;
    Duration open{};  // of the longest call on it that has not returned
    Sum reads;
  };
  struct Client {
    Duration open{};  // of the longest call on a file
    std::map<std::string, Connection> peers;
  };
  struct Server {
    std::string role;
    Duration open{};
    std::array<Sum, kServiceMetrics> times;
  };
  // The readings of one second.
  struct Second {
    std::map<std::string, Client> clients;
    std::map<std::string, Server> servers;
    std::vector<std::pair<std::string, std::string>> errors;  // of servers: role, errno
  };
  [[nodiscard]] ServerContact MakeContact(const std::string& client, const std::string& peer,
                                          const Connection& connection) const;
  // Returns by role and metric the servers that have calls of it.
  [[nodiscard]] std::map<RoleMetric, std::map<std::string, double>> ServiceSamples(
      const Second& second) const;

  [[nodiscard]] Second Collect(UnixTime t);
  void CollectReading(const SyscallReadings::Subject& subject, double value, Second& second) const;
  void CollectRises(UnixTime t, Second& second);
  void RecordError(const SyscallReadings::Rise& rise);
  // Returns the server of a peer's address; empty when it is no server's.
  [[nodiscard]] std::string FindServer(std::string_view peer) const;
  [[nodiscard]] bool IsMasked(std::string_view node) const;
  void LearnAddresses(const Directory& directory);
  [[nodiscard]] std::vector<ClientState> MakeClients(const Second& second) const;
  [[nodiscard]] std::vector<ServerCalls> MakeServers(UnixTime t, const Second& second);
  void JudgeTimes(UnixTime t, const Second& second, std::vector<Event>& events);
  [[nodiscard]] SyscallSecondEvent MakeSecondEvent(UnixTime t, const Second& second) const;
  void SkipSilence(UnixTime t, UnixTime horizon);

  SyscallPlan plan_;
  Addresses addresses_;
  std::vector<std::string> masked_;
  SyscallReadings readings_;
  std::optional<UnixTime> done_;
  Addresses learned_;                     // from the servers' own connections
  std::optional<std::uint64_t> version_;  // of the directory that learned_ was made from
  std::map<std::pair<std::string, std::string>, Failure> failures_;  // by client and peer
  std::map<std::string, Failure> refused_;                           // the last of each client
  std::map<RoleMetric, ServiceTimes> times_;
  std::map<RoleMetric, ServiceWindow> windows_;  // the last of each
  // Maps a server that was read in the last second to the last in which one of its calls completed.
  std::map<std::string, UnixTime> worked_;
  PropagatedErrors errors_;
  BrokenServers broken_;
  std::map<std::string, ErrorSighting> unusual_;  // by server: the last that is not benign
  // Errors as of the last second.
  std::vector<PropagatedError> propagated_;
  std::vector<BrokenServer> found_broken_;
};

}  // namespace limpet
