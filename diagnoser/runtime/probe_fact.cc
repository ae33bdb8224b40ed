#include "diagnoser/runtime/probe_fact.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace limpet {
namespace {

using State = ProbeReading::State;

constexpr std::size_t kAllReads = 30;  // of a probe that was not cut short
constexpr double kClearly = 2;         // times the slowest peer

std::string Print(const ProbeReading& reading) {
  switch (reading.state) {
    case State::kMeasured:
      return PrintReadTime(reading.median) +
             (reading.reads < kAllReads ? fmt::format(" ({} reads)", reading.reads) : "");
    case State::kNoAnswer:
      return fmt::format("did not answer in {:.0f} s", ToSeconds(reading.waited));
    case State::kDiskError:
      return "failed (" + reading.error + ")";
    case State::kNone:
      break;
  }
  return "could not be asked (" + reading.error + ")";
}

std::string FindNextStep(const ProbeReadings& readings) {
  if (readings.front().state != State::kMeasured) {
    return "Look for the disk in the kernel log; pull it, or reset its controller.";
  }
  const auto slow = IsSlow(readings);
  if (!slow) {
    return "Compare with another disk of its kind.";
  }
  return *slow ? "The disk is slow for whoever asks: where it has no more to do than its peers', "
                 "replace it."
               : "The disk answers as its peers' do: look above it, at its controller, its file "
                 "system and who uses it.";
}

}  // namespace

// Against the slower of two: a peer that is quick by chance makes no disk slow.
std::optional<bool> IsSlow(const ProbeReadings& readings) {
  const auto& suspect = readings.front();
  if (suspect.state != State::kMeasured) {
    return suspect.state == State::kNone ? std::nullopt : std::optional(true);
  }
  double slowest = 0;
  for (auto peer = std::next(readings.begin()); peer != readings.end(); ++peer) {
    slowest = std::max(slowest, peer->state == State::kMeasured ? peer->median : 0);
  }
  return slowest == 0 ? std::nullopt : std::optional(suspect.median >= kClearly * slowest);
}

std::string PrintReadTime(double seconds) {
  if (seconds >= 1) {
    return fmt::format("{:.1f} s", seconds);
  }
  const auto milliseconds = seconds * 1e3;
  return fmt::format("{:.{}f} ms", milliseconds,
                     milliseconds >= 9.95    ? 0
                     : milliseconds >= 0.995 ? 1
                                             : 2);
}

std::optional<Fact> MakeProbeFact(const ProbeReadings& readings) {
  if (readings.empty() || readings.front().state == State::kNone) {
    return std::nullopt;
  }
  std::string all;
  std::string detail = Print(readings.front());
  for (const auto& one : readings) {
    const auto text = fmt::format("{}/{} {}", one.node, one.device, Print(one));
    all += (all.empty() ? "" : ", ") + text;
    if (&one != &readings.front()) {
      detail += ", " + text;
    }
  }
  return Fact{.fact = "probe",
              .device = readings.front().device,
              .detail = detail,
              .text = fmt::format("{} reads of 4 KiB straight from the disk: {}", kAllReads, all),
              .next = FindNextStep(readings)};
}

}  // namespace limpet
