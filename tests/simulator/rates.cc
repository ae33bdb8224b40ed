#include "tests/simulator/rates.h"

#include <algorithm>
#include <cmath>

namespace limpet::simulator {
namespace {

constexpr double kRateRequestBytes = 1 << 20;
constexpr double kMostBusy = 0.97;
constexpr double kSwingSeconds = 240;
constexpr double kTurn = 2 * 3.14159265358979323846;
constexpr double kPacketBytes = 1448;
constexpr double kHeaders = 0.02;  // of what goes the other way
// Drifts of the load: their standard deviation, and what is left of one after a second.
constexpr double kCommonDrift = 0.1;
constexpr double kOwnDrift = 0.08;
constexpr double kCommonKept = 0.9;
constexpr double kOwnKept = 0.8;
constexpr double kJitter = 0.05;  // of every second, between disk and network
constexpr double kFlushedAtOnce = 0.4;

double Drift(double before, double kept, double deviation, Random& random) {
  return kept * before + random.Normal(0, deviation * std::sqrt(1 - kept * kept));
}

}  // namespace

Rates::Rates(const RateSpec& spec) : spec_(spec), random_(spec.seed * 6151 + 11) {
  const auto count = spec.servers.size();
  phase_ = random_.Uniform();
  own_drift_.resize(count);
  dirty_.resize(count);
  for (const auto& server : spec.servers) {
    flush_at_.push_back(server.flush * random_.Uniform());
  }
  snapshot_.disks.resize(count);
  snapshot_.interfaces.resize(count);
  snapshot_.in_flight.resize(count);
  snapshot_.up.resize(count);
  snapshot_.down.resize(count);
  for (auto& connection : snapshot_.down) {
    connection.cwnd = 100;
  }
}

double Rates::Served(const RatedServer& own, double load) const {
  double asked = load * (spec_.read * own.read + spec_.written * own.written);
  if (snapshot_.second >= spec_.stranger_from) {
    asked += own.stranger.read + own.stranger.written;
  }
  return std::min(1.0, kMostBusy * spec_.disk_rate / std::max(asked, 1.0));
}

Rates::Moved Rates::MoveBytes(std::size_t server, double common) {
  const auto& own = spec_.servers[server];
  auto& drift = own_drift_[server];
  drift = Drift(drift, kOwnKept, kOwnDrift, random_);
  const double asked = std::max(0.0, own.load * common * (1 + drift));
  const double served = Served(own, asked);
  const double load = served * asked;
  const auto jitter = [&] { return std::max(0.0, random_.Normal(1, kJitter)); };
  Moved moved;
  moved.read = load * spec_.read * own.read * jitter();
  moved.to_clients = load * spec_.read + own.hot;
  const double received = load * spec_.written;
  dirty_[server] += received * own.written;
  double flushed = kFlushedAtOnce * dirty_[server];
  const auto second = static_cast<double>(snapshot_.second);
  if (own.flush > 0) {
    // From the instant on it writes as fast as the disk can, until nothing is left.
    flushed = second >= flush_at_[server] ? std::min(dirty_[server], spec_.disk_rate / 2) : 0;
    if (flushed > 0 && flushed >= dirty_[server]) {
      flush_at_[server] += own.flush;
    }
  }
  dirty_[server] -= flushed;
  moved.written = flushed;
  const double passed_on = own.passed_on * received;
  moved.sent = own.seen * (moved.to_clients + passed_on) * jitter();
  moved.received = own.seen * (received + passed_on) * jitter();
  moved.sent += own.management + kHeaders * moved.received;
  moved.received += own.management + kHeaders * moved.sent;
  if (snapshot_.second >= spec_.stranger_from) {
    moved.read += served * own.stranger.read * jitter();
    moved.written += served * own.stranger.written * jitter();
    moved.sent += own.stranger.sent * jitter();
    moved.received += own.stranger.received * jitter();
  }
  return moved;
}

void Rates::Count(std::size_t server, const Moved& moved) {
  auto& disk = snapshot_.disks[server];
  const double busy = std::min(kMostBusy, (moved.read + moved.written) / spec_.disk_rate);
  const double wait = kRateRequestBytes / spec_.disk_rate / (1 - busy);
  const double reads = moved.read / kRateRequestBytes;
  const double writes = moved.written / kRateRequestBytes;
  disk.reads += reads;
  disk.writes += writes;
  disk.read_bytes += moved.read;
  disk.written_bytes += moved.written;
  disk.read_seconds += reads * wait;
  disk.write_seconds += writes * wait;
  disk.busy_seconds += busy;
  disk.weighted_seconds += (reads + writes) * wait;
  auto& net = snapshot_.interfaces[server];
  net.rx_bytes += moved.received;
  net.rx_packets += moved.received / kPacketBytes;
  net.tx_bytes += moved.sent;
  net.tx_packets += moved.sent / kPacketBytes;
  auto& connection = snapshot_.down[server];
  const double seen = spec_.servers[server].seen * moved.to_clients;
  connection.acked += seen;
  connection.sent += seen / kPacketBytes;
}

const Snapshot* Rates::NextSecond() {
  if (snapshot_.second >= spec_.seconds) {
    return nullptr;
  }
  drift_ = Drift(drift_, kCommonKept, kCommonDrift, random_);
  const double turn = static_cast<double>(snapshot_.second) / kSwingSeconds + phase_;
  const double common = (1 + spec_.swing * std::sin(kTurn * turn)) * (1 + drift_);
  for (std::size_t server = 0; server < spec_.servers.size(); ++server) {
    Count(server, MoveBytes(server, common));
  }
  ++snapshot_.second;
  return &snapshot_;
}

}  // namespace limpet::simulator
