// self_metrics.h: what the diagnoser counts about its own work, kept in a prometheus-cpp registry.
//
// Threads: all functions may be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "diagnoser/runtime/viewers.h"
#include "diagnoser/sources/fetcher.h"
#include "exporter/common/exposition/sample.h"
#include "exporter/common/time.h"

namespace limpet {

// The process as the kernel sees it.
struct ProcessUse {
  Duration cpu_time{};
  double resident_bytes = 0;
  double open_fds = 0;
};

class SelfMetrics {
 public:
  explicit SelfMetrics(UnixTime started);
  ~SelfMetrics();
  SelfMetrics(const SelfMetrics&) = delete;
  SelfMetrics& operator=(const SelfMetrics&) = delete;

  void RecordScrape(std::optional<FetchFailure> failure, std::size_t bytes, std::size_t samples);
  void RecordIngest(std::uint64_t refused_so_far, Duration longest_lag);
  void RecordAdvance(std::uint64_t windows_so_far, Duration took);
  void RecordStateSave(bool ok, UnixTime at);
  void RecordEvents(bool ok, std::size_t lines);
  void RecordReload(bool ok);
  void RecordLive(const Viewers& viewers, std::size_t history_bytes);
  void RecordProcess(const ProcessUse& use);

  [[nodiscard]] Families Collect() const;

 private:
  struct Metrics;  // keeps prometheus-cpp's headers out of ours
  std::unique_ptr<Metrics> metrics_;
};

}  // namespace limpet
