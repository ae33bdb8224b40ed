#include "tests/simulator/hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace limpet::simulator {
namespace {

constexpr double kTurn = 2 * 3.14159265358979323846;
constexpr double kMostBusy = 0.97;
constexpr double kLongestBacklog = 5;  // s
constexpr double kTick = 0.004;        // s, of kernels 5.0 to 6.9 at 250 Hz
constexpr std::size_t kLoaded = 2;     // the server with more load
constexpr std::int64_t kFailover = 250;

double Drift(double before, double kept, double deviation, Random& random) {
  return kept * before + random.Normal(0, deviation * std::sqrt(1 - kept * kept));
}

}  // namespace

Hardware::Hardware(const HardwareSpec& spec) : spec_(spec), random_(spec.seed * 7919 + 17) {
  phase_ = random_.Uniform();
  const auto& site = spec.site;
  for (std::size_t i = 0; i < spec.count; ++i) {
    auto server = BuildServer(site.servers[i % site.servers.size()]);
    server.load = i == kLoaded ? spec.load : site.one_works ? 0 : 1;
    for (auto& disk : server.disks) {
      disk.id = fmt::format("{:x}{:x}", random_.Next() >> 40U, i);
      disk.weight = site.by_size ? disk.terabytes / 8 : 1;
      disk.weight *= 1 + site.uneven * random_.Uniform(-1.0, 1.0);
      disk.flush_at = site.flush * random_.Uniform();
    }
    servers_.push_back(std::move(server));
  }
}

std::string Hardware::Name(std::size_t server) { return fmt::format("io{:02}", server + 1); }

const HardDisk& Hardware::SickDisk() const {
  const auto& disks = servers_[kSick].disks;
  const auto last = std::find_if(disks.rbegin(), disks.rend(),
                                 [](const HardDisk& disk) { return disk.HasData(); });
  return last == disks.rend() ? disks.front() : *last;
}

bool Hardware::IsInTrouble(std::size_t number, Trouble trouble) const {
  return number == kSick && second_ >= spec_.from && spec_.trouble == trouble;
}

double Hardware::Noise(double deviation) { return std::max(0.0, random_.Normal(1, deviation)); }

void Hardware::NextSecond() {
  drift_ = Drift(drift_, 0.9, 0.12, random_);
  const double turn = static_cast<double>(second_) / 300 + phase_;
  double common = std::max(0.05, (1 + spec_.site.swing * std::sin(kTurn * turn)) * (1 + drift_));
  if (spec_.site.phases && second_ / 30 % 2 == 1) {
    common *= 0.02;
  }
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    Move(i, spec_.site.rate * common);
  }
  ++second_;
}

void Hardware::Move(std::size_t number, double common) {
  auto& server = servers_[number];
  server.drift = Drift(server.drift, 0.8, 0.05, random_);
  const double load = std::max(0.0, server.load * common * (1 + server.drift));
  // A job writes and reads some of the system's disk now and then.
  const auto now = static_cast<double>(second_);
  if (now >= server.burst_until && random_.Chance(1.0 / 400)) {
    server.burst = random_.Uniform(0.5e6, 4e6);
    server.burst_until = now + 4 + static_cast<double>(random_.Below(8));
  }
  Bytes asked;
  const auto sick = SickDisk().name;
  for (std::size_t place = 0; place < server.disks.size(); ++place) {
    auto& disk = server.disks[place];
    auto bytes = Ask(number, place, load, asked);
    if (disk.name == sick && IsInTrouble(number, Trouble::kDiskHog)) {
      bytes.read +=
          std::max(0.0, 1 - disk.backlog / kLongestBacklog) * disk.media->hog * Noise(0.1);
    }
    const bool moved = spec_.site.failover && number == kLoaded && second_ >= kFailover;
    const bool is_path = moved && (place == 1 || place + 1 == server.disks.size());
    if (is_path && place == 1) {
      MoveDisk(server.disks.back(), bytes, false);
    }
    if (!is_path) {
      MoveDisk(disk, bytes, disk.name == sick && IsInTrouble(number, Trouble::kSlowDisk));
    }
  }
  for (auto& layer : server.layers) {
    const auto below = FindBelow(layer.lowers, server.layers);
    double idle = 1;
    for (const auto& disk : server.disks) {
      idle *= std::ranges::find(below, disk.name) == below.end() ? 1 : 1 - disk.busy;
    }
    layer.busy += 1 - idle;
  }
  MoveNetwork(number, asked);
}

Hardware::Bytes Hardware::Ask(std::size_t number, std::size_t place, double load, Bytes& asked) {
  const auto& site = spec_.site;
  auto& server = servers_[number];
  auto& disk = server.disks[place];
  disk.drift = Drift(disk.drift, 0.7, 0.06, random_);
  // Who waits for an answer asks for nothing else meanwhile.
  const double patience = std::max(0.0, 1 - disk.backlog / kLongestBacklog);
  const double wanted =
      patience * load * disk.weight * disk.media->load * std::max(0.0, 1 + disk.drift);
  Bytes bytes;
  if (disk.HasData()) {
    asked.read += wanted * site.read;
    asked.written += wanted * (1 - site.read) / (site.legs ? 2 : 1);
    bytes = {.read = wanted * site.read * (1 - site.cached), .written = wanted * (1 - site.read)};
    if (site.legs) {
      const auto leg = (static_cast<std::size_t>(second_) / 97 + number * 3 + place / 2 * 5) % 2;
      bytes.read *= (place + leg) % 2 == 0 ? 1.8 : 0.2;
    }
  } else if (disk.use == "journal") {
    bytes.written = wanted * (1 - site.read) / 2;
  } else if (disk.use == "cold") {
    bytes.read = random_.Chance(0.02) ? 1e6 : 0;
  }
  if (disk.HasSystem()) {
    const double burst = static_cast<double>(second_) < server.burst_until ? server.burst : 0;
    bytes.written += std::max(0.0, random_.Normal(60e3, 30e3)) + burst * 0.7;
    (site.log_is_read ? bytes.read : bytes.written) +=
        number < site.monitors ? site.log * std::max(0.2, random_.Normal(1, 0.3)) : 0;
    bytes.read += burst * 0.3;
  }
  return bytes;
}

void Hardware::MoveNetwork(std::size_t number, const Bytes& asked) {
  const double noise = Noise(0.03);
  const double passed_on = spec_.site.passed_on * asked.written;
  double sent = (asked.read + passed_on) * noise + 0.02 * asked.written;
  double received = (asked.written + passed_on) * noise + 0.02 * asked.read;
  if (IsInTrouble(number, Trouble::kNetworkHog)) {
    const double rate = std::max(100e6, 0.5 * (asked.read + asked.written)) * Noise(0.1);
    (spec_.seed % 2 == 0 ? sent : received) += rate;
  }
  const double management = std::max(0.0, random_.Normal(60e3, 20e3));
  for (auto* list : {&servers_[number].links, &servers_[number].ports}) {
    bool first = true;
    for (auto& link : *list) {
      if (link.kind == "hardware") {
        link.sent += link.share * sent + (first ? management : 0);
        link.received += link.share * received + (first ? management : 0);
        first = false;
      }
    }
  }
}

void Hardware::MoveDisk(HardDisk& disk, const Bytes& bytes, bool sick) {
  const auto& media = *disk.media;
  disk.dirty += bytes.written;
  double flushed = disk.dirty * 0.3;
  if (spec_.site.flush > 0) {
    const auto now = static_cast<double>(second_);
    flushed = now >= disk.flush_at ? std::min(disk.dirty, media.rate / 2) : 0;
    if (flushed > 0 && flushed >= disk.dirty) {
      disk.flush_at = std::max(now, disk.flush_at) + spec_.site.flush;
    }
  }
  disk.dirty -= flushed;
  const double request = disk.use == "system" ? 16384 : media.request;
  const auto count = [&](double moved) {
    const double mean = moved / request;
    return moved > 1 ? std::max(0.0, std::round(mean + random_.Normal(0, std::sqrt(mean)))) : 0;
  };
  const double each = (sick ? spec_.factor : 1) * (media.seek + request / media.rate) *
                      std::max(0.2, random_.Normal(1, 0.05));
  const double most = media.depth / each;  // requests a second
  const double before = disk.waiting_reads + disk.waiting_writes;
  disk.waiting_reads += count(bytes.read);
  disk.waiting_writes += count(flushed);
  const double queued = disk.waiting_reads + disk.waiting_writes;
  const double served = std::min(queued, most);
  const double part = queued > 0 ? served / queued : 0;
  const double reads = part * disk.waiting_reads;
  const double writes = part * disk.waiting_writes;
  disk.waiting_reads -= reads;
  disk.waiting_writes -= writes;
  disk.backlog = (queued - served) / most;
  const double share = std::min(kMostBusy, served / most);
  const double wait = each * (1 + 0.7 * share / (1 - share) / media.depth) +
                      (before / most + disk.backlog) / 2 * random_.Uniform(0.8, 1.2);
  const double requests_busy = spec_.site.ticks ? std::max(each, kTick) : each;
  const double idle_starts = spec_.site.ticks ? served * (1 - share) * kTick : 0;
  const double busy = media.depth > 1 ? 1 - std::exp(-served * requests_busy)
                                      : std::min(1.0, served / most + idle_starts);
  const DiskTotals moved = {reads,         writes, reads * request, writes * request, reads * wait,
                            writes * wait, busy,   served * wait};
  for (std::size_t i = 0; i < moved.size(); ++i) {
    disk.totals[i] += moved[i];
  }
  disk.busy = busy;
}

std::string Hardware::Page(std::size_t server) const {
  return RenderHardware(servers_[server], {.node_exporter = spec_.node_exporter,
                                           .facts = spec_.facts,
                                           .number = server,
                                           .second = static_cast<double>(second_)});
}

}  // namespace limpet::simulator
