#include "diagnoser/evidence/packets/cwnd_seconds.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>
#include <utility>

#include "diagnoser/detect/cwnd/cwnd.h"
#include "diagnoser/detect/loss/segment_sums.h"
#include "diagnoser/evidence/packets/recent_rise.h"
#include "diagnoser/evidence/whole_second.h"
#include "diagnoser/mapping/members.h"
#include "diagnoser/metrics/missing.h"
#include "diagnoser/series/gauge_age.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kClientSide = 0;
constexpr std::size_t kServerSide = 1;
constexpr Duration kIdle = 5s;

bool IsLoopback(const Entity& entity) {
  return entity.local_address == entity.remote_address ||
         entity.local_address.starts_with("127.") || entity.local_address == "::1";
}

// Nothing was acknowledged since the reading before the last kIdle. A connection without one that
// old began with 0. Without the counter at all (/proc/net/tcp) nobody can tell, and it counts.
bool IsIdle(const RecentReadings& acked, UnixTime t) {
  const auto* now = acked.Latest(t);
  const auto* before = acked.Latest(t - kIdle);
  return now != nullptr && now->value == (before == nullptr ? 0 : before->value);
}

// Something was sent in the last kIdle, or since the last reading where these are some seconds
// further apart.
bool HasRisen(const RecentReadings& counter, UnixTime t, Duration max_between) {
  const auto* now = counter.Latest(t);
  const auto* before = counter.Latest(t - kIdle);
  return now != nullptr && before != nullptr && now->value > before->value &&
         t - now->at <= max_between;
}

// Read together with the counters of segments, as often as they are.
std::optional<double> RoundTrip(const RecentReadings& gauge, UnixTime t, Duration max_between) {
  const auto* now = gauge.Latest(t);
  return now == nullptr || t - now->at > max_between ? std::nullopt : std::optional(now->value);
}

}  // namespace

void CwndSeconds::Column::Put(std::int64_t second, double value, std::size_t keep) {
  if (values.empty()) {
    values.assign(keep, kMissing);
    latest = second - 1;
  }
  const auto size = static_cast<std::int64_t>(values.size());
  // Seconds without an observation must not show what stood there one round ago.
  for (auto hole = std::max(latest + 1, second - size); hole < second; ++hole) {
    values[static_cast<std::size_t>(hole % size)] = kMissing;
  }
  values[static_cast<std::size_t>(second % size)] = value;
  latest = second;
}

double CwndSeconds::Column::At(std::int64_t second) const {
  const auto size = static_cast<std::int64_t>(values.size());
  if (second > latest || second <= latest - size || second < 0) {
    return kMissing;
  }
  return values[static_cast<std::size_t>(second % size)];
}

CwndTail::Column CwndSeconds::Column::Tail() const {
  CwndTail::Column tail{.latest = latest, .values = {}};
  const auto size = static_cast<std::int64_t>(values.size());
  for (auto second = std::max<std::int64_t>(0, latest - size + 1); second <= latest; ++second) {
    tail.values.push_back(At(second));
  }
  return tail;
}

void CwndSeconds::Column::Resume(const CwndTail::Column& tail, std::size_t keep) {
  auto second = tail.latest - static_cast<std::int64_t>(tail.values.size());
  for (const double value : tail.values) {
    Put(++second, value, keep);
  }
}

double CwndSeconds::Sum::Mean() const {
  if (count > 0) {
    return total / count;
  }
  return peer_count > 0 ? peer_total / peer_count : kMissing;
}

void CwndSeconds::FindLinks(const Directory& directory,
                            const std::map<std::string, std::string>& addresses,
                            const std::vector<std::string>& masked) {
  nodes_.FindServers(directory, masked);
  ports_.FindServers(directory, masked);
  const auto& rule = directory.Rules()[group_];
  const auto is_masked = [&](const std::string& node) {
    return std::find(masked.begin(), masked.end(), node) != masked.end();
  };
  const auto serves = [&](EntityKind kind, const Entity& entity) {
    return entity.live && IsServerEnd(rule, kind, entity) &&
           rule.TakesNode(entity.role, entity.labels);
  };
  // A client names servers by address. Those configured come first: behind address translation the
  // servers' own sockets say nothing of the address that clients use.
  auto server_of = addresses;
  std::set<std::string> names;
  links_.clear();
  std::erase_if(servers_, [&](const auto& server) { return is_masked(server.first); });
  for (const auto kind : ConnectionKinds()) {
    for (const auto& entity : directory.Entities(kind)) {
      if (serves(kind, entity)) {
        server_of.emplace(entity.local_address, entity.node);
        names.insert(entity.node);
      }
    }
  }
  const auto server_at = [&](const std::string& address) {
    const auto found = server_of.find(address);
    return found == server_of.end() || is_masked(found->second) ? std::string() : found->second;
  };
  for (const auto kind : ConnectionKinds()) {
    const auto entities = directory.Entities(kind);
    for (std::uint32_t i = 0; i < entities.size(); ++i) {
      const auto& entity = entities[i];
      // Nothing is lost or congested on the way to oneself.
      if (!entity.live || IsLoopback(entity)) {
        continue;
      }
      if (serves(kind, entity)) {
        if (!is_masked(entity.node)) {
          links_.push_back({kind, i, kServerSide, entity.node, server_at(entity.remote_address),
                            entity.remote_address});
        }
        continue;
      }
      const auto server = server_at(entity.remote_address);
      if (IsClientEnd(rule, kind, entity) && !server.empty()) {
        const bool is_server = names.contains(entity.node) && !is_masked(entity.node);
        links_.push_back({kind, i, kClientSide, server, is_server ? entity.node : "", entity.node});
      }
    }
  }
  SortLinks(directory);
}

void CwndSeconds::SortLinks(const Directory& directory) {
  const auto key = [&](const Link& link) {
    const auto& entity = directory.Entities(link.kind)[link.entity];
    return std::tie(entity.node, entity.local_address, entity.local_port, entity.remote_address,
                    entity.remote_port, entity.side);
  };
  std::sort(links_.begin(), links_.end(), [&](const Link& a, const Link& b) {
    return a.kind != b.kind ? a.kind < b.kind : key(a) < key(b);
  });
}

CwndSeconds::Sums CwndSeconds::SumsAt(UnixTime t, Readings& readings) const {
  Sums sums;
  for (const auto& link : links_) {
    auto* socket = readings.Socket(link.kind, link.entity);
    if (socket == nullptr) {
      continue;
    }
    const auto* cwnd = socket->cwnd.Latest(t);
    if (cwnd == nullptr || cwnd->at <= t - kMaxGaugeAge) {
      continue;
    }
    auto& sum = sums[link.server][link.side];
    if (KindRow(link.kind).is_aggregate) {
      const auto* active = socket->other.Latest(t);
      // A mean of many connections counts as many.
      const double weight = active == nullptr ? 1 : active->value;
      sum.peer_total += weight * cwnd->value;
      sum.peer_count += weight;
    } else if (!IsIdle(socket->other, t)) {
      sum.total += cwnd->value;
      sum.count += 1;
    }
  }
  return sums;
}

void CwndSeconds::AddSegments(UnixTime t, Readings& readings) {
  struct Total {
    SegmentTotals segments;
    MeanTrip trip;
  };
  std::map<std::string_view, std::array<std::optional<Total>, kCwndSides>> totals;
  std::map<std::string_view, double> to_servers;
  for (const auto& link : links_) {
    auto* socket = readings.Socket(link.kind, link.entity);
    if (socket == nullptr) {
      continue;
    }
    const auto sent = RiseInSecond(socket->sent, t, max_between_);
    const auto again = RiseInSecond(socket->retransmitted, t, max_between_);
    if (!sent || !again) {
      continue;
    }
    const auto trip = RoundTrip(socket->round_trip, t, max_between_);
    const auto add = [&](std::string_view server, std::size_t side) {
      auto& total = totals[server][side];
      total = total.value_or(Total());
      total->segments.sent += *sent;
      total->segments.retransmitted += *again;
      total->trip.Add(*sent, trip);
    };
    add(link.server, link.side);
    if (link.other.empty()) {
      ends_.Add(WholeSecond(t), link.server, link.side, link.end, *sent, *again);
    } else {
      add(link.other, link.side == kServerSide ? kClientSide : kServerSide);
      const bool sends = link.side == kServerSide;
      to_servers[sends ? link.server : link.other] += *sent;
      if (*again > 0) {
        losses_.push_back({WholeSecond(t),
                           {.sender = sends ? link.server : link.other,
                            .receiver = sends ? link.other : link.server,
                            .retransmitted = *again}});
      }
    }
  }
  for (const auto& [server, sides] : totals) {
    auto& state = servers_[std::string(server)];
    for (std::size_t side = 0; side < kCwndSides; ++side) {
      if (sides[side]) {
        const auto& [segments, trip] = *sides[side];
        state.sent[side].Put(WholeSecond(t), segments.sent, keep_);
        state.retransmitted[side].Put(WholeSecond(t), segments.retransmitted, keep_);
        state.round_trip[side].Put(WholeSecond(t), trip.Value().value_or(kMissing), keep_);
      }
    }
    const auto found = to_servers.find(server);
    state.to_servers.Put(WholeSecond(t), found == to_servers.end() ? 0 : found->second, keep_);
  }
}

// Measured anew in the last seconds: an idle connection keeps a time that nobody knows the age of.
void CwndSeconds::AddRoundTrips(UnixTime t, Readings& readings) {
  std::vector<DelaySeconds::Measured> trips;
  for (const auto& link : links_) {
    auto* socket = readings.Socket(link.kind, link.entity);
    const auto trip =
        socket == nullptr ? std::nullopt : RoundTrip(socket->round_trip, t, max_between_);
    if (!trip || *trip <= 0 || !HasRisen(socket->sent, t, max_between_)) {
      continue;
    }
    trips.push_back({.server = link.server, .end = link.end, .side = link.side, .seconds = *trip});
    if (!link.other.empty()) {
      // The same way as the server at the other end has it, measured from here.
      trips.push_back({.server = link.other,
                       .end = link.server,
                       .side = link.side == kServerSide ? kClientSide : kServerSide,
                       .seconds = *trip});
    }
  }
  delays_.Add(WholeSecond(t), trips);
}

void CwndSeconds::ForgetLosses(std::int64_t second) {
  while (!losses_.empty() && losses_.front().second <= second - static_cast<std::int64_t>(keep_)) {
    losses_.pop_front();
  }
  ends_.Forget(second);
}

std::vector<PairLoss> CwndSeconds::PairLosses(UnixTime end, std::size_t seconds) const {
  std::map<std::pair<std::string_view, std::string_view>, double> sums;
  const auto last = WholeSecond(end);
  for (const auto& loss : losses_) {
    if (loss.second > last - static_cast<std::int64_t>(seconds) && loss.second <= last) {
      sums[{loss.pair.sender, loss.pair.receiver}] += loss.pair.retransmitted;
    }
  }
  std::vector<PairLoss> pairs;
  pairs.reserve(sums.size());
  for (const auto& [ends, retransmitted] : sums) {
    pairs.push_back({.sender = std::string(ends.first),
                     .receiver = std::string(ends.second),
                     .retransmitted = retransmitted});
  }
  return pairs;
}

std::optional<EndLoss> CwndSeconds::WorstEnd(const std::string& server, std::size_t side,
                                             UnixTime end, std::size_t seconds) const {
  const auto worst = ends_.Worst(server, side, WholeSecond(end), seconds);
  const auto all = worst ? Segments(server, side, end, worst->seconds) : std::nullopt;
  if (!all) {
    return std::nullopt;
  }
  return EndLoss{
      .own = {.sent = worst->sent, .retransmitted = worst->retransmitted},
      .rest = {.sent = std::max(0.0, all->sent - worst->sent),
               .retransmitted = std::max(0.0, all->retransmitted - worst->retransmitted)}};
}

std::optional<SegmentTotals> CwndSeconds::Segments(const std::string& server, std::size_t side,
                                                   UnixTime end, std::size_t seconds) const {
  const auto found = servers_.find(server);
  if (found == servers_.end() || found->second.sent[side].values.empty()) {
    return std::nullopt;
  }
  bool known = false;
  std::vector<SegmentTotals> each;
  const auto last = WholeSecond(end);
  for (auto i = last - static_cast<std::int64_t>(seconds) + 1; i <= last; ++i) {
    const double sent = found->second.sent[side].At(i);
    known = known || !IsMissing(sent);
    if (sent > 0) {
      const double trip = found->second.round_trip[side].At(i);
      each.push_back({.sent = sent,
                      .retransmitted = found->second.retransmitted[side].At(i),
                      .round_trip = IsMissing(trip) ? std::nullopt : std::optional(trip)});
    }
  }
  return known ? std::optional(SumSeconds(std::move(each))) : std::nullopt;
}

std::optional<double> CwndSeconds::SegmentsSent(const std::string& server, UnixTime end,
                                                std::size_t seconds) const {
  const auto totals = Segments(server, kServerSide, end, seconds);
  return totals ? std::optional(totals->sent / static_cast<double>(seconds)) : std::nullopt;
}

std::optional<double> CwndSeconds::ShareToServers(const std::string& server, UnixTime end,
                                                  std::size_t seconds) const {
  const auto found = servers_.find(server);
  if (found == servers_.end()) {
    return std::nullopt;
  }
  const auto& state = found->second;
  double sent = 0;
  double to_servers = 0;
  const auto last = WholeSecond(end);
  for (auto i = last - static_cast<std::int64_t>(seconds) + 1; i <= last; ++i) {
    const double all = state.sent[kServerSide].At(i);
    const double some = state.to_servers.At(i);
    if (!IsMissing(all) && !IsMissing(some)) {
      sent += all;
      to_servers += some;
    }
  }
  return sent > 0 ? std::optional(to_servers / sent) : std::nullopt;
}

std::array<CwndSeconds::Second, kCwndSides> CwndSeconds::Observe(
    UnixTime t, const Directory& directory, Readings& readings,
    const std::map<std::string, std::string>& addresses, const std::vector<std::string>& masked) {
  if (version_ != directory.Version()) {
    FindLinks(directory, addresses, masked);
    version_ = directory.Version();
  }
  const auto second = WholeSecond(t);
  for (const auto& [server, sides] : SumsAt(t, readings)) {
    for (std::size_t side = 0; side < kCwndSides; ++side) {
      servers_[server].observed[side].Put(second, sides[side].Mean(), kCwndMeanSeconds);
    }
  }
  AddSegments(t, readings);
  nodes_.Observe(t, readings);
  ports_.Observe(t, readings);
  AddRoundTrips(t, readings);
  ForgetLosses(second);
  std::array<Second, kCwndSides> result;
  for (std::size_t side = 0; side < kCwndSides; ++side) {
    std::vector<double> logs;
    for (auto& [name, state] : servers_) {
      std::vector<double> observed;
      for (auto i = second - static_cast<std::int64_t>(kCwndMeanSeconds) + 1; i <= second; ++i) {
        observed.push_back(state.observed[side].At(i));
      }
      const auto mean = CwndMean(observed);
      if (!mean) {
        continue;
      }
      logs.push_back(CwndLog(*mean));
      state.logs[side].Put(second, logs.back(), keep_);
      result[side].servers.push_back({.name = name, .average = *mean, .log = logs.back()});
    }
    result[side].median = CwndMedian(logs);
    medians_[side].Put(second, result[side].median.value_or(kMissing), keep_);
  }
  for (const auto& link : links_) {
    if (auto* socket = readings.Socket(link.kind, link.entity)) {
      socket->cwnd.Prune(t - kMaxGaugeAge);
      socket->other.Prune(t - kIdle);
      socket->sent.Prune(t - kDoubt);
      socket->retransmitted.Prune(t - kDoubt);
      socket->round_trip.Prune(t);
    }
  }
  return result;
}

CwndSeconds::History CwndSeconds::LookBack(const std::string& server, std::size_t side,
                                           UnixTime end, std::size_t seconds) const {
  History past;
  const auto found = servers_.find(server);
  if (found == servers_.end()) {
    return past;
  }
  const auto last = WholeSecond(end);
  for (auto i = last - static_cast<std::int64_t>(seconds) + 1; i <= last; ++i) {
    past.logs.push_back(found->second.logs[side].At(i));
    past.medians.push_back(medians_[side].At(i));
  }
  return past;
}

std::vector<std::string> CwndSeconds::Servers() const {
  std::vector<std::string> names;
  for (const auto& [name, state] : servers_) {
    names.push_back(name);
  }
  nodes_.AddNames(names);
  ports_.AddNames(names);
  return names;
}

void CwndSeconds::Forget(std::string_view server) {
  nodes_.Forget(server);
  ports_.Forget(server);
  const auto found = servers_.find(server);
  if (found != servers_.end()) {
    servers_.erase(found);
  }
  delays_.Forget(server);
  ends_.Forget(server);
  std::erase_if(losses_, [&](const Loss& loss) {
    return loss.pair.sender == server || loss.pair.receiver == server;
  });
}

CwndTail CwndSeconds::Tail() const {
  CwndTail tail;
  for (const auto& [name, state] : servers_) {
    CwndTail::Server server{.name = name, .observed = {}, .logs = {}};
    for (std::size_t side = 0; side < kCwndSides; ++side) {
      server.observed[side] = state.observed[side].Tail();
      server.logs[side] = state.logs[side].Tail();
    }
    tail.servers.push_back(std::move(server));
  }
  for (std::size_t side = 0; side < kCwndSides; ++side) {
    tail.medians[side] = medians_[side].Tail();
  }
  return tail;
}

void CwndSeconds::Resume(const CwndTail& tail) {
  for (const auto& server : tail.servers) {
    auto& state = servers_[server.name];
    for (std::size_t side = 0; side < kCwndSides; ++side) {
      state.observed[side].Resume(server.observed[side], kCwndMeanSeconds);
      state.logs[side].Resume(server.logs[side], keep_);
    }
  }
  for (std::size_t side = 0; side < kCwndSides; ++side) {
    medians_[side].Resume(tail.medians[side], keep_);
  }
}

}  // namespace limpet
