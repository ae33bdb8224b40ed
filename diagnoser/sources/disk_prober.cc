#include "diagnoser/sources/disk_prober.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace limpet {
namespace {

constexpr Duration kTimeout = std::chrono::seconds(5);  // of one answer: nobody waits for a disk
constexpr std::size_t kMaxBody = 64U << 10U;

std::string Escaped(const std::string& text) {
  constexpr std::array kDigits = {'0', '1', '2', '3', '4', '5', '6', '7',
                                  '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'};
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.') {
      escaped += c;
    } else {
      escaped += {'%', kDigits.at(byte >> 4U), kDigits.at(byte & 15U)};
    }
  }
  return escaped;
}

}  // namespace

std::string ProbePath(const std::string& metrics_path, const std::string& device) {
  const auto path = metrics_path.substr(0, metrics_path.find('?'));
  return path.substr(0, path.rfind('/')) + "/probe/disk?device=" + Escaped(device);
}

void DiskProber::Ask(ProbeRound round) {
  fetcher_.Post([this, round = std::move(round)] {
    if (disks_.empty()) {
      Begin(round);
    } else if (waiting_.size() < kMaxWaiting) {
      waiting_.push_back(round);
    }
  });
}

void DiskProber::Begin(const ProbeRound& round) {
  deadline_ = clock_.Steady() + kPatience;
  for (const auto& target : round) {
    // A connection of its own: the one for scrapes must not wait for an answer.
    auto endpoint = target.endpoint;
    endpoint.path = ProbePath(endpoint.path, target.device);
    endpoint.accept = "application/json";
    endpoint.max_body = kMaxBody;
    auto& disk = disks_.emplace_back();
    disk.reading.node = target.node;
    disk.reading.device = target.device;
    disk.connection = fetcher_.Open(endpoint);
    disk.connection->SetPath(endpoint.path);
  }
  for (std::size_t number = 0; number < disks_.size(); ++number) {
    Get(number);
  }
}

void DiskProber::Get(std::size_t number) {
  // The round lasts until each of its disks has been heard of, so no answer comes after it.
  disks_[number].connection->Get(
      kTimeout, [this, number](const FetchResult& result) { Handle(number, result); });
}

void DiskProber::Handle(std::size_t number, const FetchResult& result) {
  auto& disk = disks_[number];
  if (auto reading = ReadProbeAnswer(result, disk.reading)) {
    Finish(number, *std::move(reading));
    return;
  }
  if (clock_.Steady() >= deadline_) {
    auto reading = disk.reading;
    reading.error = "its exporter came to no end";
    Finish(number, std::move(reading));
    return;
  }
  // Often at first: a healthy disk takes a tenth of a second.
  fetcher_.RunAt(clock_.Steady() + disk.pause, [this, number] { Get(number); });
  disk.pause = std::min(disk.pause * 3 / 2, kLongestPause);
}

void DiskProber::Finish(std::size_t number, ProbeReading reading) {
  disks_[number].reading = std::move(reading);
  disks_[number].done = true;
  if (!std::ranges::all_of(disks_, &Disk::done)) {
    return;
  }
  ProbeReadings readings;
  for (auto& disk : disks_) {
    readings.push_back(std::move(disk.reading));
  }
  // A connection may not be destroyed by its own callback.
  fetcher_.Post([this, readings = std::move(readings)] {
    disks_.clear();
    sink_(readings);
    if (!waiting_.empty()) {
      const auto next = std::move(waiting_.front());
      waiting_.pop_front();
      Begin(next);
    }
  });
}

}  // namespace limpet
