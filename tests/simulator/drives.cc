#include "tests/simulator/drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace limpet::simulator {
namespace {

constexpr double kDay = 86'400;
constexpr double kPi = 3.14159265358979323846;
constexpr double kMemory = 0.99;  // of the slow changes, a step: about 25 minutes
constexpr double kHostSwing = 0.3;
constexpr double kShareSwing = 0.03;
constexpr double kJitter = 0.06;  // of a step's mean latency
constexpr double kReads = 0.7;
constexpr double kDeviceShare = 0.6;  // of a request's time in which the drive works for it

// Stationary, with this standard deviation.
double Drift(double value, double deviation, Random& random) {
  return kMemory * value + random.Normal(0, deviation * std::sqrt(1 - kMemory * kMemory));
}

// Of requests that took so long together, within a step.
double BusySeconds(BusyTime kind, double seconds, double step) {
  switch (kind) {
    case BusyTime::kKernel:
      return std::min(step, seconds);
    case BusyTime::kRandom:
      return step * (1 - std::exp(-seconds / step));
    case BusyTime::kUncapped:
      return seconds;
    case BusyTime::kSaturated:
      return step;
    case BusyTime::kDevice:
    case BusyTime::kAbsent:
      break;
  }
  // Whatever is slow about a request, a drive cannot be busy for longer than the time that passes.
  return std::min(step, seconds * kDeviceShare);
}

}  // namespace

Drives::Drives(const DrivesSpec& spec)
    : spec_(spec), random_(spec.seed * 7919 + 11), swing_(spec.hosts) {
  for (std::size_t host = 0; host < spec.hosts; ++host) {
    auto& drives = hosts_.emplace_back(spec.drives);
    for (auto& drive : drives) {
      drive.speed = std::max(0.8, random_.Normal(1, spec.unlike));
      if (spec.uneven > 0) {
        drive.share = std::max(0.2, random_.Normal(1, spec.uneven));
      }
    }
  }
  for (const auto& change : spec.changes) {
    if (change.host < spec.hosts && change.drive < spec.drives) {
      hosts_[change.host][change.drive].changes.push_back(change);
    }
  }
}

void Drives::Next() {
  second_ += spec_.step;
  for (std::size_t host = 0; host < spec_.hosts; ++host) {
    swing_[host] = Drift(swing_[host], kHostSwing, random_);
    const double day = 1 + 0.3 * std::sin(2 * kPi * static_cast<double>(second_) / kDay +
                                          static_cast<double>(host));
    const double load = std::max(0.1, day * std::exp(swing_[host]));
    for (std::size_t drive = 0; drive < spec_.drives; ++drive) {
      Work(host, drive, load);
    }
  }
}

void Drives::Restart(std::size_t host) {
  for (auto& drive : hosts_[host]) {
    drive.requests = 0;
    drive.seconds = 0;
    drive.busy = 0;
  }
}

void Drives::Work(std::size_t host, std::size_t number, double host_load) {
  auto& drive = hosts_[host][number];
  const double load = host_load * drive.share;
  drive.drift = Drift(drive.drift, kShareSwing, random_);
  double latency =
      spec_.latency * drive.speed * (1 + 0.4 * load) * std::exp(random_.Normal(0, kJitter));
  double rate = spec_.requests * load * (1 + drive.drift);
  for (const auto& change : drive.changes) {
    if (second_ > change.from && second_ <= change.to) {
      latency *= change.latency;
      rate *= change.load;
    }
  }
  const auto step = static_cast<double>(spec_.step);
  const double mean = rate * step;
  const double requests = std::max(0.0, std::round(random_.Normal(mean, std::sqrt(mean))));
  drive.requests += requests;
  drive.seconds += requests * latency;
  drive.busy += BusySeconds(spec_.busy_time, requests * latency, step);
}

std::string Drives::Page(std::size_t host) const {
  std::string page;
  for (std::size_t i = 0; i < spec_.drives; ++i) {
    const auto& drive = hosts_[host][i];
    const auto name = fmt::format("sd{}", static_cast<char>('a' + i));
    const double reads = std::floor(drive.requests * kReads);
    const auto out = std::back_inserter(page);
    const auto line = [&](const char* metric, double value) {
      fmt::format_to(out, "limpet_disk_{}{{device=\"{}\"}} {:.6f}\n", metric, name, value);
    };
    line("reads_completed_total", reads);
    line("writes_completed_total", drive.requests - reads);
    line("read_bytes_total", reads * spec_.request_bytes);
    line("written_bytes_total", (drive.requests - reads) * spec_.request_bytes);
    line("read_time_seconds_total", drive.seconds * kReads);
    line("write_time_seconds_total", drive.seconds * (1 - kReads));
    if (spec_.busy_time != BusyTime::kAbsent) {
      line("io_time_seconds_total", drive.busy);
    }
    line("io_time_weighted_seconds_total", drive.seconds);
    fmt::format_to(out, "limpet_disk_info{{device=\"{}\",rotational=\"{}\"}} 1\n", name,
                   spec_.flash ? 0 : 1);
  }
  return page;
}

}  // namespace limpet::simulator
