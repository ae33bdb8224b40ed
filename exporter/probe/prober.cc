#include "exporter/probe/prober.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "exporter/probe/catalog.h"

namespace limpet {
namespace {

using State = ProbeAnswer::State;

double Milliseconds(Duration duration) { return ToSeconds(duration) * 1e3; }

std::string Describe(const std::string& device, const ProbeAnswer& answer) {
  if (answer.state == State::kDone) {
    return fmt::format("probe of {}: {} reads of 4 KiB, median {:.3g} ms, longest {:.3g} ms",
                       device, answer.reads.reads, Milliseconds(answer.reads.median),
                       Milliseconds(answer.reads.longest));
  }
  if (answer.state == State::kNoAnswer) {
    return fmt::format("probe of {}: no answer in {:.3g} s; its thread is left behind", device,
                       ToSeconds(answer.waited));
  }
  return "probe of " + device + ": " + answer.error.Text();
}

}  // namespace

Prober::Prober(const ProbeOptions& options, OpenProbedDisk open, std::shared_ptr<const Clock> clock,
               LogSink log)
    : open_(std::move(open)),
      clock_(std::move(clock)),
      log_(std::move(log)),
      reads_(std::make_shared<std::atomic<std::uint64_t>>(0)),
      options_(options) {}

void Prober::SetOptions(const ProbeOptions& options) {
  const std::lock_guard lock(mutex_);
  options_ = options;
}

ProbeAnswer Prober::Ask(const std::string& device) {
  const std::lock_guard lock(mutex_);
  if (!options_.enabled) {
    return {};
  }
  if (!IsDeviceName(device)) {
    return {.state = State::kBadName};
  }
  TakeResult();
  if (work_.IsRunning()) {
    return {.state = device == running_ ? State::kRunning : State::kBusy};
  }
  if (auto known = FindResult(device)) {
    return *std::move(known);
  }
  return {.state = work_.HasRoom() && Start(device) ? State::kRunning : State::kBusy};
}

// Nobody watches a probe: whoever asks next finds out what has become of it.
void Prober::TakeResult() {
  if (!work_.IsRunning()) {
    return;
  }
  if (const auto reads = work_.Take(Duration::zero())) {
    Keep(*reads ? ProbeAnswer{.state = State::kDone, .reads = **reads}
                : ProbeAnswer{.state = State::kFailed, .error = reads->error()});
    return;
  }
  if (const auto waited = clock_->Steady() - began_; waited >= options_.patience) {
    (void)work_.Abandon();
    Keep({.state = State::kNoAnswer, .waited = waited});
  }
}

void Prober::Keep(ProbeAnswer answer) {
  log_(answer.state == State::kDone ? LogLevel::kInfo : LogLevel::kWarning,
       Describe(running_, answer));
  // Clients may make up any number of names.
  if (results_.size() >= kMaxResults && !results_.contains(running_)) {
    results_.erase(std::min_element(results_.begin(), results_.end(), [](auto& a, auto& b) {
      return a.second.began < b.second.began;
    }));
  }
  results_[running_] = {.answer = std::move(answer), .began = began_};
}

std::optional<ProbeAnswer> Prober::FindResult(const std::string& device) {
  const auto found = results_.find(device);
  if (found == results_.end()) {
    return std::nullopt;
  }
  auto answer = found->second.answer;
  answer.age = clock_->Steady() - found->second.began;
  const auto places = work_.Hanging();
  const bool hangs = std::ranges::any_of(places, [&](auto& place) { return place.unit == device; });
  if (hangs) {
    answer.waited = answer.age;
    return answer;
  }
  // A disk that answers again is news, whenever it was asked last.
  const bool is_over = answer.state == State::kNoAnswer || answer.age >= options_.interval;
  return is_over ? std::nullopt : std::optional(std::move(answer));
}

bool Prober::Start(const std::string& device) {
  began_ = clock_->Steady();
  running_ = device;
  // Everything by value: a read that hangs outlives us.
  return work_.Start(
      [open = open_, device, reads = reads_, clock = clock_, seed = std::random_device()(),
       limit = options_.patience / 2](WorkPlace&) -> Reads {
        const auto disk = open(device);
        if (!disk) {
          return disk.error();
        }
        return TimeReads(**disk, *clock, seed, limit, [&] { ++*reads; });
      },
      device);
}

Families Prober::Metrics() const {
  {
    const std::lock_guard lock(mutex_);
    if (!options_.enabled) {
      return {};
    }
  }
  return {
      {.info = &catalog::kProbeReads, .samples = {{nullptr, static_cast<double>(reads_->load())}}}};
}

}  // namespace limpet
