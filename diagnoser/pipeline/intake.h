// intake.h: pages in, readings out, within the pipeline's bounds.
//
//   page_reader  text → samples and new lines     source_caches  lines → series, bounded
//   exporter_starts  which exporters restarted    intake         samples → readings
//
// Threads: one at a time.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "diagnoser/mapping/directory.h"
#include "diagnoser/pipeline/config.h"
#include "diagnoser/pipeline/exporter_starts.h"
#include "diagnoser/pipeline/page_reader.h"
#include "diagnoser/pipeline/scrape.h"
#include "diagnoser/pipeline/source_caches.h"
#include "diagnoser/pipeline/view_types.h"
#include "diagnoser/series/host_readings.h"
#include "diagnoser/series/readings.h"

namespace limpet {

class Intake {
 public:
  explicit Intake(const PipelineLimits& limits, LineReading reading = LineReading::kPredicted)
      : page_(reading, limits.max_page_lines), caches_(limits), starts_(limits.max_components) {}
  // From now on also what host metrics are made of; `hosts` must outlive the intake.
  void FeedHosts(HostReadings& hosts) {
    hosts_ = &hosts;
    page_.WantHosts();
  }

  // `latest`: readings after it are refused; nullopt: none is too late yet. An error (the page is
  // not one) changes nothing.
  [[nodiscard]] Result<IngestStats> Ingest(const Scrape& scrape, std::optional<UnixTime> latest,
                                           Directory& directory, Readings& readings,
                                           PipelineCounters& counters);
  void Forget(std::string_view source) { caches_.Forget(source); }
  // The sources that may name entities of the node.
  void ForgetNode(std::string_view node) { caches_.ForgetNode(node); }
  [[nodiscard]] std::set<std::string, std::less<>> CrowdedNodes() const {
    return caches_.CrowdedNodes();
  }
  // Series that are gone would pile up: forgets all, the next pages fill the caches again.
  void ForgetAll() { caches_.ForgetAll(); }

  // Kept over a restart.
  [[nodiscard]] const ExporterStarts::Starts& Starts() const { return starts_.All(); }
  void Resume(ExporterStarts::Starts starts) { starts_.Resume(std::move(starts)); }

 private:
  PageReader page_;
  SourceCaches caches_;
  ExporterStarts starts_;
  HostReadings* hosts_ = nullptr;  // null without behaviour profiles
};

}  // namespace limpet
