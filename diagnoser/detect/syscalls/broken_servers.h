// broken_servers.h: servers that have crashed or hang, as their clients see it [Kasick09 §7].
//
//   crash  a client's system call has returned ECONNREFUSED or ECONNRESET
//   hang   a client's call on a file has not returned for longer than the timeout
//
// The culprit is the server whose last completed call with that client differs in kind from those
// of most servers (a connection that failed; a request that has no answer yet), or else the one
// whose last call is older than most others' by more than the timeout. Beyond the paper, so that
// only what is broken is named (docs/decisions/0161-system-calls.md):
//
//   * most servers must answer: a client that reaches none has a problem of its own;
//   * a server that has never answered has not started yet;
//   * one that closes an idle connection has not crashed.
//
// A server whose own call on a storage file does not return hangs too, whatever clients see.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

// The last completed call of a client on its connections with a server.
enum class LastCall : std::uint8_t {
  kReceived,   // an answer, or part of one
  kSent,       // a request
  kConnected,  // a new connection
  kEnded,      // the server has closed it
  kFailed,     // any error
};

struct ServerContact {
  std::string server;
  std::string peer;  // address and port: a server may have several
  LastCall kind = LastCall::kReceived;
  UnixTime at;                       // when it completed
  std::optional<UnixTime> received;  // when an answer last came, where that is known
  std::string call;                  // "recvmsg"
  std::string error;                 // of kFailed: "ECONNREFUSED"
};

// One client at one second.
// Fewer servers of a client have no majority.
inline constexpr std::size_t kMinServersOfClient = 3;

struct ClientState {
  std::string node;
  std::optional<UnixTime> refused;  // when a call last returned a connection error
  std::string refused_error;
  Duration open{};        // how long the oldest call on a file has been open
  std::string open_call;  // "read"
  std::vector<ServerContact> servers;
};

// One server's own calls at one second.
struct ServerCalls {
  std::string node;
  std::string role;
  Duration open{};  // on storage files
  std::string open_call;
  // None of its calls has completed since; nullopt: some have, or nobody knows.
  std::optional<UnixTime> idle_since = std::nullopt;
};

enum class Breakage : std::uint8_t { kCrash, kHang };

struct BrokenServer {
  std::string server;
  Breakage what = Breakage::kCrash;
  UnixTime since;
  UnixTime last;                    // when it was last seen broken
  std::string client;               // who sees it; empty: the server's own calls say so
  std::string error;                // crash: what the client got
  std::string call;                 // hang: the call that does not return
  Duration open{};                  // hang: for how long
  LastCall kind{};                  // the client's last call with it
  std::optional<UnixTime> contact;  // when that was
  std::size_t clients = 0;          // that see it in the same second
};

class BrokenServers {
 public:
  // `hold`: how long a server counts as broken after it was last seen so.
  BrokenServers(Duration timeout, Duration hold) : timeout_(timeout), hold_(hold) {}

  // Once a second, with all clients and servers that are known; by name.
  void Observe(UnixTime second, std::span<const ClientState> clients,
               std::span<const ServerCalls> servers);
  // Returns what must survive a restart.
  [[nodiscard]] std::vector<BrokenServer> Export() const;
  void Resume(const std::vector<BrokenServer>& broken);
  // Returns servers by name; a server that has crashed does not hang as well.
  [[nodiscard]] std::vector<BrokenServer> At(UnixTime now) const;

 private:
  using Pair = std::pair<std::string, std::string>;  // client, peer

  [[nodiscard]] bool HasCrashed(UnixTime second, const ClientState& client,
                                const ServerContact& contact) const;
  void JudgeClient(UnixTime second, const ClientState& client);
  void JudgeServers(UnixTime second, std::span<const ServerCalls> servers);
  void Accuse(UnixTime second, const ClientState& client, const ServerContact& contact,
              Breakage what);
  void Add(const BrokenServer& broken);

  Duration timeout_;
  Duration hold_;
  // Counts the seconds in a row for which the client has had reason to accuse the server.
  std::map<std::pair<Pair, Breakage>, std::size_t> streaks_;
  std::set<std::pair<Pair, Breakage>> accused_;  // in this second
  std::map<std::pair<std::string, Breakage>, BrokenServer> broken_;
};

}  // namespace limpet
