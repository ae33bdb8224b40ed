#include "tests/simulator/cluster.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace limpet::simulator {
namespace {

// Messages of PVFS' protocol, payload only: a request names a handle, an offset and a size, an
// answer a status; look-ups also carry a name.
constexpr double kRequestBytes = 350;
constexpr double kAnswerBytes = 120;
constexpr double kLookUpBytes = 260;

// ext3 commits every 5 s; what a quiet server writes then is a few blocks.
constexpr Seconds kJournalPeriod{5};
constexpr double kJournalLeast = 8192;
constexpr double kJournalMost = 65536;
constexpr Seconds kPauseEvery{300};
constexpr Seconds kPauseMost{0.3};
// A small job on one server at a time that nobody should be indicted for: 16 KiB reads, 20 a
// second, for up to 40 s, twice an hour.
constexpr Seconds kCronEvery{1800};
constexpr Seconds kCronLeast{10};
constexpr Seconds kCronMost{40};
constexpr Seconds kCronGap{0.05};
constexpr double kCronBytes = 16384;

constexpr std::uint64_t kNobody = ~std::uint64_t{0};

double FactorOf(Random& random, double spread) {
  return std::clamp(random.Normal(1, spread), 1 - 2 * spread, 1 + 2 * spread);
}

ConnectionSnapshot Describe(const TcpSender& sender, Seconds at) {
  const auto segments = sender.SegmentsAt(at);
  return {.cwnd = std::floor(sender.CwndAt(at)),
          .acked = sender.AckedAt(at),
          .sent = std::floor(segments.sent),
          .again = std::floor(segments.again)};
}

}  // namespace

std::string_view Name(Placement placement) {
  constexpr std::array<std::string_view, 4> kNames = {"all", "half", "one", "heavy"};
  return kNames[static_cast<std::size_t>(placement)];
}

Cluster::Cluster(const ClusterSpec& cluster, const RunSpec& run)
    : spec_(cluster),
      run_(run),
      random_(run.seed * 1'000'003 + 17),
      client_links_(std::max(
          1.0, static_cast<double>(cluster.servers) / static_cast<double>(cluster.clients))) {
  Random hardware(cluster.seed * 7919 + 3);
  for (std::size_t i = 0; i < cluster.servers; ++i) {
    factors_.push_back(FactorOf(hardware, cluster.disk_spread));
    if (cluster.slow_disk == i) {
      factors_.back() = cluster.slow_factor;
    }
    factors_.back() *= i % 2 == 1 ? cluster.older_factor : 1;
    auto disk = cluster.disk;
    disk.factor *= factors_.back();
    servers_.push_back({Disk(disk, run.seconds, random_.Next()),
                        Interface(cluster.network, run.seconds), Seconds(0), Seconds(0)});
  }
  const WorkloadSpec workload{.workload = run.workload,
                              .servers = cluster.servers,
                              .half = Seconds(static_cast<double>(run.seconds) / 2 + 7)};
  const double rate = cluster.network.link_rate * client_links_;
  for (std::size_t i = 0; i < cluster.clients; ++i) {
    clients_.push_back(
        {Client(workload, random_.Next()), Link(rate), Link(rate), {}, {}, 0, 0, 0, Seconds(0)});
  }
  special_ = run.seed % cluster.servers;
  for (auto& client : clients_) {
    client.servers = PlaceFile();
  }
  up_.resize(cluster.clients * cluster.servers);
  down_.resize(up_.size());
  // Counters of a machine that has been up for a while.
  snapshot_.disks.resize(cluster.servers);
  snapshot_.interfaces.resize(cluster.servers);
  snapshot_.in_flight.resize(cluster.servers);
  snapshot_.up.resize(up_.size());
  snapshot_.down.resize(up_.size());
  for (std::size_t i = 0; i < cluster.servers; ++i) {
    auto& disk = snapshot_.disks[i];
    disk.reads = std::floor(random_.Uniform(1e5, 1e6));
    disk.writes = std::floor(random_.Uniform(1e5, 1e6));
    disk.read_bytes = 512 * std::floor(random_.Uniform(1e6, 1e7));
    disk.written_bytes = 512 * std::floor(random_.Uniform(1e6, 1e7));
    disk.read_seconds = disk.reads * 0.01;
    disk.write_seconds = disk.writes * 0.01;
    disk.busy_seconds = disk.read_seconds;
    disk.weighted_seconds = disk.read_seconds + disk.write_seconds;
    auto& net = snapshot_.interfaces[i];
    net.rx_bytes = std::floor(random_.Uniform(1e9, 1e10));
    net.tx_bytes = std::floor(random_.Uniform(1e9, 1e10));
    net.rx_packets = std::floor(net.rx_bytes / 1000);
    net.tx_packets = std::floor(net.tx_bytes / 1000);
    if (run.background) {
      Schedule(random_.Uniform(Seconds(0), kJournalPeriod), Kind::kJournal, 0, i);
      Schedule(random_.Exponential(kPauseEvery), Kind::kPause, 0, i);
      Schedule(random_.Exponential(kCronEvery), Kind::kCron, 0, i);
    }
  }
  for (std::size_t i = 0; i < cluster.clients; ++i) {
    Answered(i, Seconds(0));
  }
  faulty_.resize(run.injections.size());
  for (std::size_t i = 0; i < run.injections.size(); ++i) {
    Schedule(run.injections[i].start, Kind::kFaultOn, i, run.injections[i].server);
    Schedule(run.injections[i].end, Kind::kFaultOff, i, run.injections[i].server);
  }
}

// Draws no random number for files on every server: runs stay what they were before there were
// other placements.
std::vector<std::size_t> Cluster::PlaceFile() {
  const auto count = servers_.size();
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  switch (run_.placement) {
    case Placement::kAll:
      return all;
    case Placement::kHalf:
      std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(special_), all.end());
      all.resize((count + 1) / 2);
      return all;
    case Placement::kOne:
      return {random_.Below(count)};
    case Placement::kHeavy:
      all.push_back(special_);
      return all;
  }
  return all;
}

double Cluster::LossBy(Fault fault, std::size_t server) const {
  for (std::size_t i = 0; i < faulty_.size(); ++i) {
    const auto& one = run_.injections[i];
    if (faulty_[i] && one.fault == fault && one.server == server) {
      return one.strength > 0 ? one.strength : kLossProbability;
    }
  }
  return 0;
}

void Cluster::Schedule(Seconds at, Kind kind, std::size_t client, std::size_t server) {
  events_.push({.at = at,
                .number = event_number_++,
                .kind = kind,
                .client = static_cast<std::uint32_t>(client),
                .server = static_cast<std::uint32_t>(server)});
}

const Snapshot* Cluster::NextSecond() {
  if (second_ >= run_.seconds) {
    return nullptr;
  }
  const auto end = Seconds(static_cast<double>(second_ + 1));
  while (!events_.empty() && events_.top().at < end) {
    const auto event = events_.top();
    events_.pop();
    Handle(event);
  }
  Collect(second_);
  ++second_;
  return &snapshot_;
}

void Cluster::Handle(const Event& event) {
  switch (event.kind) {
    case Kind::kBegin:
      Begin(event.client, event.at);
      break;
    case Kind::kPiece:
      SendPiece(event.client, event.at);
      break;
    case Kind::kArrive:
      Arrive(event.client, event.server, event.at);
      break;
    case Kind::kDisk:
      DiskDone(event.server, event.at);
      break;
    case Kind::kFaultOn:
      SetFault(event.client, true, event.at);
      break;
    case Kind::kFaultOff:
      SetFault(event.client, false, event.at);
      break;
    case Kind::kHogTurn:
      HogTurn(event.client, event.at);
      break;
    case Kind::kJournal:
    case Kind::kPause:
    case Kind::kCron:
    case Kind::kCronRead:
      HandleBackground(event);
      break;
  }
}

void Cluster::HandleBackground(const Event& event) {
  auto& server = servers_[event.server];
  const auto now = event.at;
  const auto again = [&](Seconds in, Kind kind) { Schedule(now + in, kind, 0, event.server); };
  switch (event.kind) {
    case Kind::kJournal: {
      const double bytes = 512 * std::floor(random_.Uniform(kJournalLeast, kJournalMost) / 512);
      Submit(event.server, {.write = true, .bytes = bytes, .token = kNobody}, now);
      again(kJournalPeriod * random_.Uniform(0.9, 1.1), Kind::kJournal);
      break;
    }
    case Kind::kPause:
      server.paused = now + random_.Uniform(Seconds(0.05), kPauseMost);
      again(random_.Exponential(kPauseEvery), Kind::kPause);
      break;
    case Kind::kCron:
      server.cron_until = now + random_.Uniform(kCronLeast, kCronMost);
      again(Seconds(0), Kind::kCronRead);
      again(random_.Exponential(kCronEvery), Kind::kCron);
      break;
    default:
      Submit(event.server, {.bytes = kCronBytes, .token = kNobody}, now);
      if (now < server.cron_until) {
        again(random_.Exponential(kCronGap), Kind::kCronRead);
      }
      break;
  }
}

// A client has its last answer: what next?
void Cluster::Answered(std::size_t client, Seconds at) {
  auto& state = clients_[client];
  state.step = state.process.Next(at);
  ++account_.steps;
  Schedule(at + state.step.think, Kind::kBegin, client, 0);
}

void Cluster::Begin(std::size_t client, Seconds now) {
  auto& state = clients_[client];
  state.latest = now;
  auto at = now;
  for (std::size_t i = 0; i < state.step.look_ups; ++i) {
    const auto server = state.process.DirectoryServer(i);
    at = Upload(client, server, kLookUpBytes, at);
    at = Download(client, server, kAnswerBytes, at);
  }
  if (!state.step.all) {
    state.pending = 1;
    Ask(client, state.step.server, at);
    return;
  }
  // Metadata are of every server, wherever the data are.
  if (state.step.kind == Step::Kind::kMetadata) {
    state.servers.resize(servers_.size());
    std::iota(state.servers.begin(), state.servers.end(), std::size_t{0});
  }
  state.pending = state.servers.size();
  state.first = random_.Below(state.servers.size());  // where the file's first stripe is
  state.sent = 0;
  if (state.step.kind == Step::Kind::kWrite) {
    SendPiece(client, at);
    return;
  }
  AskAll(client, at);
}

void Cluster::AskAll(std::size_t client, Seconds at) {
  const auto& state = clients_[client];
  for (std::size_t i = 0; i < state.servers.size(); ++i) {
    Ask(client, state.servers[(state.first + i) % state.servers.size()], at);
  }
}

// A request, with its data when it writes.
void Cluster::Ask(std::size_t client, std::size_t server, Seconds at) {
  const auto& step = clients_[client].step;
  const bool carries = step.kind == Step::Kind::kWrite && step.data;
  const auto there = Upload(client, server, kRequestBytes + (carries ? step.bytes : 0), at);
  Schedule(there, Kind::kArrive, client, server);
}

void Cluster::SendPiece(std::size_t client, Seconds now) {
  auto& state = clients_[client];
  const auto server = state.servers[(state.first + state.sent) % state.servers.size()];
  ++state.sent;
  Ask(client, server, now);
  if (state.sent < state.servers.size()) {
    const auto busy = Seconds(state.step.bytes / state.tx.Rate());
    Schedule(now + busy, Kind::kPiece, client, 0);
  }
}

void Cluster::Arrive(std::size_t client, std::size_t server, Seconds now) {
  if (now < servers_[server].paused) {
    Schedule(servers_[server].paused, Kind::kArrive, client, server);
    return;
  }
  const auto& step = clients_[client].step;
  account_.asked += step.bytes;
  if (step.kind == Step::Kind::kRead && FromMemory(server)) {
    Reply(client, server, step.bytes, false, now);
    return;
  }
  Submit(server,
         {.write = step.kind != Step::Kind::kRead,
          .bytes = step.bytes,
          .extra_seek = step.allocates,
          .coalesce = step.kind == Step::Kind::kMetadata,
          .token = client},
         now);
}

void Cluster::Submit(std::size_t server, const DiskJob& job, Seconds now) {
  if (const auto end = servers_[server].disk.Submit(job, now)) {
    Schedule(*end, Kind::kDisk, 0, server);
  }
}

void Cluster::DiskDone(std::size_t server, Seconds now) {
  auto& disk = servers_[server].disk;
  if (const auto end = disk.Finish(now)) {
    Schedule(*end, Kind::kDisk, 0, server);
  }
  for (const auto& job : disk.Finished()) {
    if (job.token == kNobody) {
      continue;
    }
    Reply(static_cast<std::size_t>(job.token), server, job.bytes, job.write, now);
  }
}

// Without a cache no random number is drawn: runs are what they were.
bool Cluster::FromMemory(std::size_t server) {
  const double share = server == 0 ? spec_.cached_first.value_or(spec_.cached) : spec_.cached;
  return share > 0 && random_.Chance(share);
}

void Cluster::Reply(std::size_t client, std::size_t server, double bytes, bool write, Seconds now) {
  auto& state = clients_[client];
  account_.answered += bytes;
  state.latest =
      std::max(state.latest, Download(client, server, kAnswerBytes + (write ? 0 : bytes), now));
  if (--state.pending == 0) {
    Answered(client, state.latest);
  }
}

TcpPath Cluster::PathOf(const Link::Turn& server_turn, const Link::Turn& client_turn,
                        std::size_t server, bool up) const {
  const auto& net = spec_.network;
  const double flows = std::max({1.0, static_cast<double>(server_turn.flows),
                                 static_cast<double>(client_turn.flows) / client_links_});
  const auto& link = up ? servers_[server].net.rx : servers_[server].net.tx;
  const auto full = Seconds(net.port_buffer / net.link_rate);
  const auto queued =
      link.HasHog() ? full : std::min(full, server_turn.queued + client_turn.queued);
  TcpPath path;
  path.rtt = net.quiet_rtt + queued;
  path.most = (net.link_rate * net.quiet_rtt.count() + net.port_buffer) / kSegmentBytes / flows;
  const double towards = LossBy(Fault::kReceivePktloss, server);
  const double from = LossBy(Fault::kSendPktloss, server);
  path.data_loss = up ? towards : from;
  path.ack_loss = up ? from : towards;
  return path;
}

Seconds Cluster::Upload(std::size_t client, std::size_t server, double bytes, Seconds at) {
  auto& net = servers_[server].net;
  const auto tx = clients_[client].tx.Take(at, bytes);
  const auto rx = net.rx.Take(tx.begin, bytes);
  const auto path = PathOf(rx, tx, server, true);
  const auto link_time = std::max(tx.end, rx.end) - at + path.rtt / 2;
  const auto sent =
      up_[client * servers_.size() + server].Send(bytes, path, at, link_time, random_);
  net.Received(rx.begin, at + sent.time, bytes * sent.segments / std::ceil(bytes / kSegmentBytes),
               sent.segments);
  net.Sent(rx.begin, at + sent.time, 0, sent.ack_segments);
  return at + sent.time;
}

Seconds Cluster::Download(std::size_t client, std::size_t server, double bytes, Seconds at) {
  auto& net = servers_[server].net;
  const auto tx = net.tx.Take(at, bytes);
  const auto rx = clients_[client].rx.Take(tx.begin, bytes);
  const auto path = PathOf(tx, rx, server, false);
  const auto link_time = std::max(tx.end, rx.end) - at + path.rtt / 2;
  const auto sent =
      down_[server * clients_.size() + client].Send(bytes, path, at, link_time, random_);
  net.Sent(tx.begin, at + sent.time, bytes * sent.segments / std::ceil(bytes / kSegmentBytes),
           sent.segments);
  net.Received(tx.begin, at + sent.time, 0, sent.ack_segments);
  return at + sent.time;
}

void Cluster::SetFault(std::size_t injection, bool on, Seconds now) {
  faulty_[injection] = on;
  const auto& one = run_.injections[injection];
  const auto number = one.server;
  auto& server = servers_[number];
  switch (one.fault) {
    case Fault::kDiskHog:
      if (on && one.strength > 0) {
        HogTurn(injection, now);
      } else if (const auto end = server.disk.SetHog(on, now)) {
        Schedule(*end, Kind::kDisk, 0, number);
      }
      break;
    case Fault::kDiskBusy:
      server.disk.SetForeign(on);
      break;
    case Fault::kWriteNetworkHog:
      server.net.rx.SetHog(on, one.strength);
      break;
    case Fault::kReadNetworkHog:
      server.net.tx.SetHog(on, one.strength);
      break;
    case Fault::kSlowDisk:
      server.disk.SetSlowdown(!on ? 1 : one.strength > 0 ? one.strength : kSlowFactor);
      break;
    case Fault::kReceivePktloss:
    case Fault::kSendPktloss:
      break;  // see PathOf
  }
}

// One slice, and then none until it has used no more than its share of the time.
void Cluster::HogTurn(std::size_t injection, Seconds now) {
  if (!faulty_[injection]) {
    return;
  }
  const auto& one = run_.injections[injection];
  if (const auto end = servers_[one.server].disk.TakeTurn(now)) {
    Schedule(*end, Kind::kDisk, 0, one.server);
  }
  Schedule(now + spec_.disk.slice / one.strength, Kind::kHogTurn, injection, one.server);
}

void Cluster::Collect(std::size_t second) {
  const auto begin = Seconds(static_cast<double>(second));
  const auto end = begin + Seconds(1);
  snapshot_.second = second + 1;
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    auto& server = servers_[i];
    HogPart rx;
    HogPart tx;
    for (const auto& fault : run_.injections) {
      const double part =
          std::max(0.0, (std::min(end, fault.end) - std::max(begin, fault.start)).count());
      if (fault.server == i && part > 0 && fault.fault == Fault::kWriteNetworkHog) {
        rx = {.part = std::min(rx.part + part, 1.0), .share = fault.strength};
      }
      if (fault.server == i && part > 0 && fault.fault == Fault::kReadNetworkHog) {
        tx = {.part = std::min(tx.part + part, 1.0), .share = fault.strength};
      }
    }
    server.net.AddForeign(second, rx, tx, random_);
    server.disk.Accrue(end);
    const auto& disk = server.disk.History().Of(second);
    auto& total = snapshot_.disks[i];
    total.reads += disk.reads;
    total.writes += disk.writes;
    total.read_bytes += disk.read_bytes;
    total.written_bytes += disk.written_bytes;
    total.read_seconds += disk.read_seconds;
    total.write_seconds += disk.write_seconds;
    total.busy_seconds += disk.busy_seconds;
    total.weighted_seconds += disk.weighted_seconds;
    snapshot_.in_flight[i] = server.disk.InFlight();
    const auto& net = server.net.History().Of(second);
    auto& all = snapshot_.interfaces[i];
    all.rx_bytes += net.rx_bytes;
    all.rx_packets += net.rx_packets;
    all.tx_bytes += net.tx_bytes;
    all.tx_packets += net.tx_packets;
  }
  for (std::size_t i = 0; i < up_.size(); ++i) {
    snapshot_.up[i] = Describe(up_[i], end);
    snapshot_.down[i] = Describe(down_[i], end);
  }
}

}  // namespace limpet::simulator
