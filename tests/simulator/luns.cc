#include "tests/simulator/luns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace limpet::simulator {
namespace {

enum Counter : std::size_t {
  kReads,
  kReadBytes,
  kReadTime,  // times in milliseconds, as the kernel counts
  kWrites,
  kWrittenBytes,
  kWriteTime,
  kBusyTime,
  kWeightedTime,
};
struct Row {
  std::string_view name;
  bool milliseconds = false;
};
constexpr std::array<Row, kLunCounters> kRows = {
    {{"limpet_disk_reads_completed_total", false},
     {"limpet_disk_read_bytes_total", false},
     {"limpet_disk_read_time_seconds_total", true},
     {"limpet_disk_writes_completed_total", false},
     {"limpet_disk_written_bytes_total", false},
     {"limpet_disk_write_time_seconds_total", true},
     {"limpet_disk_io_time_seconds_total", true},
     {"limpet_disk_io_time_weighted_seconds_total", true}}};

// Assumptions, none of them looked up in a result: a RAID 6 unit of ten SATA disks behind a
// controller with a cache, 1 MiB file system blocks in 256 KiB requests.
constexpr double kReadsPerSecond = 120;  // of a busy second
constexpr double kWritesPerSecond = 90;
constexpr double kLunRequestBytes = 262'144;
constexpr double kReadMilliseconds = 9;  // of a request, at little load
constexpr double kWriteMilliseconds = 5;
constexpr double kQueueing = 1.5;       // at full load a request takes 1 + this times as long
constexpr double kServedAtOnce = 8;     // requests: ten disks overlap their work
constexpr double kStallChance = 0.002;  // a second: a disk's retry, the controller's patrol read
constexpr double kStallMilliseconds = 300;
constexpr std::int64_t kJob = 600;          // s: the mix of running jobs changes
constexpr std::int64_t kCheckpoint = 1200;  // s between checkpoints
constexpr std::int64_t kCheckpointLasts = 90;

std::uint64_t Mix(std::uint64_t x) {  // splitmix64
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}
double Even(std::uint64_t key) { return static_cast<double>(Mix(key) >> 11U) * 0x1p-53; }

char* Print(char* at, std::uint64_t value) { return std::to_chars(at, at + 24, value).ptr; }

// As the shortest decimals of seconds.
char* PrintMilliseconds(char* at, std::uint64_t milliseconds) {
  at = Print(at, milliseconds / 1000);
  auto rest = static_cast<unsigned>(milliseconds % 1000);
  if (rest == 0) {
    return at;
  }
  *at++ = '.';
  for (unsigned digit = 100; rest > 0; rest %= digit, digit /= 10) {
    *at++ = static_cast<char>('0' + rest / digit);
  }
  return at;
}

std::uint64_t Whole(double value) { return static_cast<std::uint64_t>(std::max(value, 0.0)); }

}  // namespace

std::string LunServerName(std::size_t server) { return fmt::format("ion{:03}", server); }
std::string LunName(std::size_t lun) { return fmt::format("lun{:02}", lun); }

std::vector<LunFault> SpreadFaults(const LunsSpec& spec, std::int64_t seconds) {
  constexpr std::size_t kFaults = 12;
  std::vector<LunFault> faults;
  for (std::size_t i = 0; i < kFaults; ++i) {
    const auto key = spec.seed * 1000 + i * 7;
    LunFault fault{.server = Mix(key) % spec.servers,
                   .lun = (i * spec.luns / kFaults + Mix(key + 1) % 3) % spec.luns,
                   .factor = 2 + 3 * Even(key + 2)};
    if (i >= 2) {
      fault.from = static_cast<std::int64_t>(0.8 * Even(key + 3) * static_cast<double>(seconds));
      fault.to = fault.from + seconds / 12;
    }
    faults.push_back(fault);
  }
  return faults;
}

LunServer::LunServer(const LunsSpec& spec, std::size_t server)
    : seed_(spec.seed), server_(server), random_(Mix(spec.seed * 100'003 + server)) {
  std::copy_if(spec.faults.begin(), spec.faults.end(), std::back_inserter(faults_),
               [&](const LunFault& fault) { return fault.server == server; });
  for (std::size_t lun = 0; lun < spec.luns; ++lun) {
    auto& made = luns_.emplace_back();
    made.speed = 1 + 0.03 * std::clamp(random_.Normal(0, 1), -2.5, 2.5);
    for (auto& counter : made.counters) {
      counter = random_.Below(1'000'000'000) * 1000;  // it has been up for a while
    }
  }
  for (const auto& row : kRows) {
    for (std::size_t lun = 0; lun < spec.luns; ++lun) {
      prefixes_.push_back(fmt::format("{}{{instance=\"{}\",role=\"server\",device=\"{}\"}} ",
                                      row.name, LunServerName(server), LunName(lun)));
      page_bytes_ += prefixes_.back().size() + 48;  // a number and a timestamp
    }
  }
}

LunServer::Load LunServer::LoadAt(std::int64_t second) const {
  const auto key = [&](std::int64_t of, std::uint64_t what) {
    return seed_ * 1'000'003 + static_cast<std::uint64_t>(of) * 16 + what;
  };
  // Clients wait for all servers, so the load of a second swings for all of them alike.
  const double swing = 0.7 + 0.6 * Even(key(second, 1));
  const auto job = second / kJob;
  const bool idle = Even(key(job, 2)) < 0.1;
  Load load{.reads = idle ? 0.005 : swing * (0.1 + 0.7 * Even(key(job, 3))),
            .writes = idle ? 0.005 : swing * (0.05 + 0.3 * Even(key(job, 4)))};
  if (!idle && second % kCheckpoint < kCheckpointLasts) {
    load.reads *= 0.2;
    load.writes += 0.8 * swing;
  }
  return load;
}

double LunServer::FaultFactor(std::size_t lun, std::int64_t second) const {
  for (const auto& fault : faults_) {
    if (fault.lun == lun && second >= fault.from && second < fault.to) {
      return fault.factor;
    }
  }
  return 1;
}

double LunServer::Noise() {
  // Four even numbers of 16 bits: their sum has a deviation of 1/sqrt(3) of one's whole range.
  const auto bits = random_.Next();
  const auto sum = (bits & 0xFFFFU) + (bits >> 16U & 0xFFFFU) + (bits >> 32U & 0xFFFFU) +
                   (bits >> 48U & 0xFFFFU);
  return (static_cast<double>(sum) / 65536 - 2) * 1.7320508075688772;
}

void LunServer::Work(std::size_t lun, const Load& load, std::int64_t second) {
  auto& [speed, counters] = luns_[lun];
  const auto requests = [&](double mean) { return Whole(mean + std::sqrt(mean) * Noise() + 0.5); };
  const auto reads = requests(kReadsPerSecond * load.reads);
  const auto writes = requests(kWritesPerSecond * load.writes);
  const double slow =
      speed * FaultFactor(lun, second) * (1 + kQueueing * std::min(load.reads + load.writes, 1.0));
  const auto time = [&](std::uint64_t count, double of_one) {
    return static_cast<double>(count) * of_one * slow * (1 + 0.08 * Noise());
  };
  double read_time = time(reads, kReadMilliseconds);
  const double write_time = time(writes, kWriteMilliseconds);
  if (random_.Chance(kStallChance)) {
    read_time += reads > 0 ? kStallMilliseconds * random_.Uniform() : 0;
  }
  const auto bytes = [](std::uint64_t count, double noise) {
    return Whole(static_cast<double>(count) * kLunRequestBytes * (1 + 0.05 * noise)) / 4096 * 4096;
  };
  const std::array<std::uint64_t, kLunCounters> increases = {
      reads,
      bytes(reads, Noise()),
      Whole(read_time),
      writes,
      bytes(writes, Noise()),
      Whole(write_time),
      Whole(std::min((read_time + write_time) / kServedAtOnce * 1.6, 1000.0)),
      Whole(read_time) + Whole(write_time)};
  for (std::size_t i = 0; i < kLunCounters; ++i) {
    counters[i] += increases[i];
  }
}

void LunServer::AppendSecond(std::string& page) {
  const auto second = second_++;
  const auto load = LoadAt(second);
  for (std::size_t lun = 0; lun < luns_.size(); ++lun) {
    Work(lun, load, second);
  }
  // Each server samples a little after the wall second.
  const auto stamp = fmt::format(" {}.{:03}\n", kLunsBegin + second, 1 + server_ % 9);
  const auto begin = page.size();
  page.resize(begin + page_bytes_);
  char* at = page.data() + begin;
  for (std::size_t row = 0; row < kLunCounters; ++row) {
    for (std::size_t lun = 0; lun < luns_.size(); ++lun) {
      const auto& prefix = prefixes_[row * luns_.size() + lun];
      at = std::copy(prefix.begin(), prefix.end(), at);
      const auto value = luns_[lun].counters[row];
      at = kRows[row].milliseconds ? PrintMilliseconds(at, value) : Print(at, value);
      at = std::copy(stamp.begin(), stamp.end(), at);
    }
  }
  page.resize(static_cast<std::size_t>(at - page.data()));
}

}  // namespace limpet::simulator
