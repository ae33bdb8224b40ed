// quick_monitor.h: a Monitor of four nodes with windows of 8 s, and what it said.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/config/config.h"
#include "diagnoser/runtime/monitor.h"
#include "tests/support/disk_counters.h"
#include "tests/support/manual_clock.h"

namespace limpet::testing {

using namespace std::chrono_literals;

// Windows of 8 s, a verdict after two of them.
inline constexpr std::string_view kQuick =
    "presets: [{base: bare, name: quick, smoothing: 1, window: 8, shift: 4, k: 1}]\n"
    "peer_groups: [{name: disks, kind: storage}]\n"
    "targets: [{addresses: [a, b, c, d]}]\n";

inline DiagnoserConfig Config(std::string_view text = kQuick) {
  return *ParseDiagnoserConfig(text, "test.yml", [](const std::string& path) {
    return Result<std::string>(Error{ErrorCode::kNotFound, "", path});
  });
}

class MonitorTest : public ::testing::Test {
 protected:
  // Seconds in which every node answers; `slow` takes 80 ms a request, others 10.
  void Run(Duration time, const std::string& slow = "") {
    for (Duration passed{}; passed < time; passed += 1s) {
      clock_.Advance(1s);
      for (const auto& target : monitor_->Plan().targets) {
        Give(target.node, Page(target.node, target.node == slow ? 80 : 10));
      }
      (void)monitor_->Tick();
    }
  }
  std::string Page(const std::string& node, int await_ms) {
    disks_[node].AddSecond(await_ms);
    return disks_[node].Lines();
  }
  void Give(const std::string& node, std::string body) {
    Take(node, {.body = std::move(body), .asked_at = clock_.Now()});
  }
  void Take(const std::string& node, FetchResult result) {
    for (const auto& target : monitor_->Plan().targets) {
      if (target.node == node) {
        monitor_->Ingest({.target = std::make_shared<const Target>(target),
                          .result = std::move(result),
                          .arrived = clock_.Steady()});
      }
    }
  }
  TargetStatus Status(const std::string& node) {
    (void)monitor_->Tick();
    for (const auto& status : monitor_->Latest()->targets) {
      if (status.target->node == node) {
        return status;
      }
    }
    return {};
  }
  // The same diagnosis of a store.
  void ReadStore() {
    const auto config =
        Config("source: prometheus\nprometheus: {url: \"http://store\", selector: 'job=\"x\"'}\n");
    monitor_ = std::make_unique<Monitor>(
        config, config, PipelineState{}, clock_, metrics_,
        [this](LogLevel, std::string_view text) { log_.emplace_back(text); },
        [](const std::vector<Event>&) {});
  }
  void Reload(const DiagnoserConfig& config) { monitor_->Reload(config, config); }
  void SetTargets(std::vector<Target> targets) {
    monitor_->SetPlan(
        MakePlan(monitor_->Settings(), std::move(targets), monitor_->Plan().all_groups));
  }
  std::string MetricsPage() { return *monitor_->Latest()->page->Get(Format::kText, false); }

  ManualClock clock_;
  SelfMetrics metrics_{clock_.Now()};
  std::vector<std::string> log_;
  std::vector<Event> events_;
  std::map<std::string, DiskCounters> disks_;
  std::unique_ptr<Monitor> monitor_ = std::make_unique<Monitor>(
      Config(), Config(), PipelineState{}, clock_, metrics_,
      [this](LogLevel, std::string_view text) { log_.emplace_back(text); },
      [this](const std::vector<Event>& events) {
        events_.insert(events_.end(), events.begin(), events.end());
      });
};

}  // namespace limpet::testing
