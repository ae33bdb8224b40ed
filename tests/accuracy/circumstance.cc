#include "tests/accuracy/circumstance.h"

#include <chrono>

namespace limpet::accuracy {
namespace {

using simulator::Seconds;

constexpr Seconds kHalfPeriod{20};  // of a flapping fault
constexpr std::size_t kSilentFrom = 250;
constexpr std::size_t kSilentUntil = 290;
constexpr auto kClockError = std::chrono::seconds(7);
constexpr double kLost = 0.1;

// What one server counted since `before`.
void Subtract(simulator::Snapshot& now, const simulator::Snapshot& before, std::size_t server) {
  auto& disk = now.disks[server];
  const auto& old_disk = before.disks[server];
  disk.reads -= old_disk.reads;
  disk.writes -= old_disk.writes;
  disk.read_bytes -= old_disk.read_bytes;
  disk.written_bytes -= old_disk.written_bytes;
  disk.read_seconds -= old_disk.read_seconds;
  disk.write_seconds -= old_disk.write_seconds;
  disk.busy_seconds -= old_disk.busy_seconds;
  disk.weighted_seconds -= old_disk.weighted_seconds;
  auto& net = now.interfaces[server];
  const auto& old_net = before.interfaces[server];
  net.rx_bytes -= old_net.rx_bytes;
  net.rx_packets -= old_net.rx_packets;
  net.tx_bytes -= old_net.tx_bytes;
  net.tx_packets -= old_net.tx_packets;
}

}  // namespace

std::string_view Name(Circumstance circumstance) {
  constexpr std::array<std::string_view, 7> kNames = {"none",
                                                      "sick from the first second",
                                                      "flapping, 20 s on and off",
                                                      "one begins while another ends",
                                                      "a server restarts",
                                                      "a clock 7 s off",
                                                      "one page in ten lost"};
  return kNames[static_cast<std::size_t>(circumstance)];
}

std::vector<simulator::Injection> Injections(Circumstance circumstance,
                                             const simulator::Injection& fault) {
  auto one = fault;
  if (circumstance == Circumstance::kFromStart) {
    one.start = Seconds(0);
  }
  if (circumstance != Circumstance::kFlapping) {
    return {one};
  }
  std::vector<simulator::Injection> all;
  for (; one.start < fault.end; one.start += 2 * kHalfPeriod) {
    one.end = one.start + kHalfPeriod;
    all.push_back(one);
  }
  return all;
}

const simulator::Snapshot* Disturbance::Read(const simulator::Snapshot& now, std::size_t node) {
  if (circumstance_ == Circumstance::kHoles) {
    return random_.Chance(kLost) ? nullptr : &now;
  }
  if (circumstance_ != Circumstance::kRestart || node != concerned_ || now.second < kSilentFrom) {
    return &now;
  }
  if (now.second < kSilentUntil) {
    before_ = now;
    return nullptr;
  }
  since_ = now;
  Subtract(since_, *before_, node);
  return &since_;
}

UnixTime Disturbance::Clock(UnixTime at, std::size_t node) const {
  if (circumstance_ != Circumstance::kClock || node != concerned_) {
    return at;
  }
  return seed_ % 2 == 0 ? at + kClockError : at - kClockError;
}

}  // namespace limpet::accuracy
