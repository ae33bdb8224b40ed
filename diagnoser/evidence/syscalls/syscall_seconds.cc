#include "diagnoser/evidence/syscalls/syscall_seconds.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "diagnoser/evidence/syscalls/syscall_findings.h"
#include "diagnoser/evidence/whole_second.h"
#include "exporter/common/instants.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;
using Subject = SyscallReadings::Subject;

// Classes of what calls are made on; a server's errors on anything else reach no client.
constexpr std::string_view kStorage = "storage";
constexpr std::string_view kNetwork = "network";
constexpr std::string_view kMemory = "memory";
// Under so many calls, of a counter spread over two seconds, a mean says nothing.
constexpr double kMinCalls = 0.01;
// What a gauge may say of an instant or a duration.
constexpr double kMaxSeconds = ToSeconds(kLatestInstant.time_since_epoch());
// An error whose instant is not known better belongs to nothing that happened meanwhile.
constexpr Duration kMaxInterval = std::chrono::minutes(1);
// Connections that failed longer ago say nothing of a server that is in use.
constexpr Duration kRemember = std::chrono::hours(2);
// What happened before so long a silence is over.
constexpr Duration kSilence = std::chrono::minutes(2);

Duration FromSeconds(double value) {
  return Duration(std::llround(std::min(value, kMaxSeconds) * 1e9));
}

template <class Instant>
void KeepLatest(std::optional<UnixTime>& kept, Instant at) {
  kept = kept ? std::max(*kept, UnixTime(at)) : UnixTime(at);
}

// "10.77.0.3:24007" and "[fd00::1]:24007" without the port.
std::string_view Address(std::string_view peer) {
  const auto colon = peer.rfind(':');
  auto address = colon == std::string_view::npos ? peer : peer.substr(0, colon);
  if (address.size() >= 2 && address.front() == '[' && address.back() == ']') {
    address = address.substr(1, address.size() - 2);
  }
  return address;
}

}  // namespace

SyscallSeconds::SyscallSeconds(SyscallPlan plan, Addresses addresses,
                               std::vector<std::string> masked, Duration ahead)
    : plan_(std::move(plan)),
      addresses_(std::move(addresses)),
      masked_(std::move(masked)),
      readings_(ahead),
      errors_(plan_.training.errors, plan_.hold),
      broken_(plan_.timeout, plan_.hold) {}

UnixTime SyscallSeconds::Next(UnixTime /*first*/) const {
  const auto first = readings_.First();
  if (!first) {
    return UnixTime::max();
  }
  return std::chrono::floor<std::chrono::seconds>(done_ ? std::max(*done_, *first) : *first) + 1s;
}

bool SyscallSeconds::IsMasked(std::string_view node) const {
  return std::find(masked_.begin(), masked_.end(), node) != masked_.end();
}

void SyscallSeconds::LearnAddresses(const Directory& directory) {
  if (version_ == directory.Version()) {
    return;
  }
  version_ = directory.Version();
  learned_.clear();
  for (const auto kind : ConnectionKinds()) {
    for (const auto& entity : directory.Entities(kind)) {
      if (entity.live && !entity.local_address.empty()) {
        learned_.emplace(entity.local_address, entity.node);
      }
    }
  }
}

std::string SyscallSeconds::FindServer(std::string_view peer) const {
  const std::string address(Address(peer));
  // What the configuration says comes before what the nodes say of themselves.
  for (const auto* known : {&addresses_, &learned_, &readings_.Addresses()}) {
    if (const auto found = known->find(address); found != known->end()) {
      return IsMasked(found->second) ? std::string() : found->second;
    }
  }
  return {};
}

void SyscallSeconds::CollectReading(const Subject& subject, double value, Second& second) const {
  if (IsMasked(subject.node)) {
    return;
  }
  if (!subject.client) {
    auto& server = second.servers[subject.node];
    server.role = subject.role;
    const auto metric = ParseServiceMetric(subject.path);
    if (subject.field == SyscallField::kOpenSeconds && subject.peer.empty()) {
      server.open = std::max(server.open, FromSeconds(value));
    } else if (metric && subject.field == SyscallField::kSeconds) {
      server.times[static_cast<std::size_t>(*metric)].seconds += value;
    } else if (metric && subject.field == SyscallField::kCalls) {
      server.times[static_cast<std::size_t>(*metric)].calls += value;
    }
    return;
  }
  auto& client = second.clients[subject.node];
  if (subject.peer.empty()) {
    if (subject.field == SyscallField::kOpenSeconds) {
      client.open = std::max(client.open, FromSeconds(value));
    }
    return;
  }
  auto& peer = client.peers[subject.peer];
  switch (subject.field) {
    case SyscallField::kOpenSeconds:
      peer.open = std::max(peer.open, FromSeconds(value));
      break;
    case SyscallField::kPeerReadSeconds:
      peer.reads.seconds += value;
      break;
    case SyscallField::kPeerReads:
      peer.reads.calls += value;
      break;
    case SyscallField::kLastCompleted:
      KeepLatest(subject.operation == "read"    ? peer.received
                 : subject.operation == "write" ? peer.sent
                                                : peer.connected,
                 FromSeconds(value));
      break;
    default:
      break;
  }
}

void SyscallSeconds::RecordError(const SyscallReadings::Rise& rise) {
  const auto& subject = *rise.subject;
  // No file system hands on that it gets no memory, but programs die of it.
  const bool may_reach = subject.path == kStorage || subject.path == kNetwork;
  if (!subject.client && !may_reach && subject.path != kMemory) {
    return;
  }
  ErrorSighting sighting{.node = subject.node,
                         .role = subject.role,
                         .client = subject.client,
                         .path = subject.path,
                         .call = subject.operation,
                         .error = subject.error,
                         .from = rise.from,
                         .to = rise.to,
                         .count = rise.count};
  if (!subject.client && !IsBenign(plan_.training.errors, subject.role, subject.error)) {
    unusual_.insert_or_assign(subject.node, sighting);
  }
  if (subject.client || may_reach) {
    errors_.Observe(std::move(sighting));
  }
}

void SyscallSeconds::CollectRises(UnixTime t, Second& second) {
  for (const auto& rise : readings_.TakeRises(t)) {
    const auto& subject = *rise.subject;
    if (IsMasked(subject.node)) {
      continue;
    }
    if (!subject.client) {
      second.errors.emplace_back(subject.role, subject.error);
    }
    if (rise.to - rise.from > kMaxInterval) {
      continue;
    }
    const Failure failure{.from = rise.from, .to = rise.to, .error = subject.error};
    const bool of_peer = subject.field == SyscallField::kPeerFailures;
    if (of_peer) {
      failures_.insert_or_assign({subject.node, subject.peer}, failure);
    } else {
      RecordError(rise);
    }
    // [Kasick09 §7] looks for these two; that a server ended a connection, a peer's counter says.
    if (subject.client &&
        (of_peer || subject.error == "ECONNREFUSED" || subject.error == "ECONNRESET") &&
        (!of_peer || !FindServer(subject.peer).empty())) {
      refused_.insert_or_assign(subject.node, failure);
    }
  }
}

SyscallSeconds::Second SyscallSeconds::Collect(UnixTime t) {
  Second second;
  readings_.ForEach(
      t, [&](const Subject& subject, double value) { CollectReading(subject, value, second); });
  CollectRises(t, second);
  return second;
}

ServerContact SyscallSeconds::MakeContact(const std::string& client, const std::string& peer,
                                          const Connection& connection) const {
  ServerContact contact{.server = FindServer(peer),
                        .peer = peer,
                        .kind = LastCall::kReceived,
                        .at = {},
                        .received = connection.received,
                        .call = {},
                        .error = {}};
  const auto take = [&](std::optional<UnixTime> at, LastCall kind) {
    if (at && *at > contact.at) {
      contact.at = *at;
      contact.kind = kind;
    }
  };
  take(connection.received, LastCall::kReceived);
  take(connection.sent, LastCall::kSent);
  take(connection.connected, LastCall::kConnected);
  const auto failure = failures_.find({client, peer});
  if (failure != failures_.end()) {
    // Of a failure only the second is known. What else succeeded in it came before, but for a new
    // connection: that one was made because the old one had failed.
    const bool again = connection.connected && *connection.connected > failure->second.from;
    if (failure->second.to > contact.at && !again) {
      contact.kind = failure->second.error == "EOF" ? LastCall::kEnded : LastCall::kFailed;
      contact.at = failure->second.to;
      contact.error = failure->second.error;
    }
  }
  // A request that the other side does not even take from the socket.
  if (connection.open > plan_.timeout && contact.kind == LastCall::kReceived) {
    contact.kind = LastCall::kSent;
  }
  return contact;
}

std::vector<ClientState> SyscallSeconds::MakeClients(const Second& second) const {
  std::vector<ClientState> clients;
  for (const auto& [name, client] : second.clients) {
    ClientState state{.node = name,
                      .refused = std::nullopt,
                      .refused_error = {},
                      .open = client.open,
                      .open_call = {},
                      .servers = {}};
    if (const auto refused = refused_.find(name); refused != refused_.end()) {
      state.refused = refused->second.to;
      state.refused_error = refused->second.error;
    }
    for (const auto& [peer, connection] : client.peers) {
      // Processes talk to others than the file system's servers, too.
      if (auto contact = MakeContact(name, peer, connection); !contact.server.empty()) {
        state.servers.push_back(std::move(contact));
      }
    }
    clients.push_back(std::move(state));
  }
  return clients;
}

std::vector<ServerCalls> SyscallSeconds::MakeServers(UnixTime t, const Second& second) {
  std::vector<ServerCalls> servers;
  std::erase_if(worked_, [&](const auto& one) { return !second.servers.contains(one.first); });
  for (const auto& [name, server] : second.servers) {
    if (std::any_of(server.times.begin(), server.times.end(),
                    [](const Sum& sum) { return sum.calls > 0; })) {
      worked_.insert_or_assign(name, t);
    }
    auto& made = servers.emplace_back(
        ServerCalls{.node = name, .role = server.role, .open = server.open, .open_call = {}});
    if (const auto worked = worked_.find(name); worked != worked_.end() && worked->second < t) {
      made.idle_since = worked->second;
    }
  }
  return servers;
}

std::map<SyscallSeconds::RoleMetric, std::map<std::string, double>> SyscallSeconds::ServiceSamples(
    const Second& second) const {
  std::map<RoleMetric, std::map<std::string, double>> samples;
  const auto add = [&](const std::string& role, ServiceMetric metric, const std::string& server,
                       const Sum& sum) {
    if (sum.calls >= kMinCalls) {
      samples[{role, metric}][server] = sum.seconds / sum.calls;
    }
  };
  for (const auto& [name, server] : second.servers) {
    for (std::size_t i = 0; i < kServiceMetrics; ++i) {
      add(server.role, static_cast<ServiceMetric>(i), name, server.times[i]);
    }
  }
  // Clients read from many servers: the time belongs to the server that was waited for.
  std::map<std::string, Sum> reads;
  for (const auto& [name, client] : second.clients) {
    for (const auto& [peer, connection] : client.peers) {
      if (const auto server = FindServer(peer); !server.empty()) {
        reads[server].seconds += connection.reads.seconds;
        reads[server].calls += connection.reads.calls;
      }
    }
  }
  for (const auto& [name, sum] : reads) {
    const auto server = second.servers.find(name);
    add(server == second.servers.end() ? std::string() : server->second.role,
        ServiceMetric::kClientRead, name, sum);
  }
  return samples;
}

void SyscallSeconds::JudgeTimes(UnixTime t, const Second& second, std::vector<Event>& events) {
  auto samples = ServiceSamples(second);
  // Who has none now may have windows that grow old.
  for (const auto& [key, times] : times_) {
    samples.try_emplace(key);
  }
  const auto end = WholeSecond(t);
  for (const auto& [key, servers] : samples) {
    std::vector<ServiceSample> list;
    for (const auto& [server, value] : servers) {
      list.push_back({.server = server, .value = value});
    }
    auto& times =
        times_.try_emplace(key, plan_.training.Find(key.first, key.second), plan_.k).first->second;
    auto window = times.Observe(end, list);
    if (!window) {
      // Between window ends the last one holds; at one without enough servers nobody is known.
      if (end % ServiceTimes::kWindow == 0) {
        windows_.erase(key);
      }
      continue;
    }
    if (plan_.events) {
      SyscallWindowEvent event{.end = t,
                               .role = key.first,
                               .metric = std::string(Name(key.second)),
                               .reference = window->reference,
                               .components = {}};
      for (const auto& server : window->servers) {
        event.components.push_back({.component = server.server,
                                    .mean = server.mean,
                                    .deviation = server.deviation,
                                    .threshold = server.threshold,
                                    .degree = server.degree,
                                    .anomalous = server.anomalous,
                                    .flagged = server.flagged,
                                    .direction = server.direction});
      }
      events.emplace_back(std::move(event));
    }
    windows_.insert_or_assign(key, *std::move(window));
  }
}

SyscallSecondEvent SyscallSeconds::MakeSecondEvent(UnixTime t, const Second& second) const {
  SyscallSecondEvent event{.end = t, .samples = {}, .errors = second.errors};
  for (const auto& [key, servers] : ServiceSamples(second)) {
    for (const auto& [server, value] : servers) {
      event.samples.push_back({.role = key.first,
                               .metric = std::string(Name(key.second)),
                               .server = server,
                               .value = value});
    }
  }
  return event;
}

std::optional<std::vector<Event>> SyscallSeconds::Observe(const EvidenceMoment& now) {
  const auto t = Next(now.first);
  if (!readings_.Settled(t, now.watermark)) {
    return std::nullopt;
  }
  LearnAddresses(now.directory);
  const auto second = Collect(t);
  std::vector<Event> events;
  if (plan_.collect) {
    if (auto event = MakeSecondEvent(t, second); !event.samples.empty() || !event.errors.empty()) {
      events.emplace_back(std::move(event));
    }
  } else {
    JudgeTimes(t, second, events);
    propagated_ = errors_.At(t);
    broken_.Observe(t, MakeClients(second), MakeServers(t, second));
    found_broken_ = broken_.At(t);
    std::erase_if(unusual_, [&](const auto& one) { return t - one.second.to > plan_.hold; });
    std::erase_if(failures_, [&](const auto& one) { return t - one.second.to > kRemember; });
    std::erase_if(refused_, [&](const auto& one) { return t - one.second.to > kRemember; });
  }
  done_ = t;
  readings_.Prune(t);
  SkipSilence(t, now.horizon);
  return events;
}

// Days of silence need not be looked at second by second.
void SyscallSeconds::SkipSilence(UnixTime t, UnixTime horizon) {
  const auto last = readings_.Last();
  if (last && t - *last > kSilence + plan_.hold && horizon > t) {
    done_ = std::chrono::floor<std::chrono::seconds>(horizon);
  }
}

std::optional<SyscallMemory> SyscallSeconds::Export() const {
  if (!done_ || plan_.collect) {
    return std::nullopt;
  }
  SyscallMemory memory{
      .second = *done_, .failures = {}, .broken = broken_.Export(), .propagated = propagated_};
  for (const auto& [key, failure] : failures_) {
    memory.failures.push_back({.client = key.first,
                               .peer = key.second,
                               .from = failure.from,
                               .to = failure.to,
                               .error = failure.error});
  }
  for (const auto& [client, failure] : refused_) {
    memory.failures.push_back({.client = client,
                               .peer = {},
                               .from = failure.from,
                               .to = failure.to,
                               .error = failure.error});
  }
  return memory;
}

void SyscallSeconds::Resume(const SyscallMemory& memory) {
  done_ = memory.second;
  for (const auto& one : memory.failures) {
    const Failure failure{.from = one.from, .to = one.to, .error = one.error};
    if (one.peer.empty()) {
      refused_.insert_or_assign(one.client, failure);
    } else {
      failures_.insert_or_assign({one.client, one.peer}, failure);
    }
  }
  broken_.Resume(memory.broken);
  errors_.Resume(memory.propagated);
  propagated_ = errors_.At(memory.second);
  found_broken_ = broken_.At(memory.second);
}

SyscallFindings SyscallSeconds::Findings() const {
  return MakeSyscallFindings({.windows = windows_,
                              .errors = propagated_,
                              .broken = found_broken_,
                              .unusual = unusual_,
                              .timeout = plan_.timeout});
}

}  // namespace limpet
