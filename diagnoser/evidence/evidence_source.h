// evidence_source.h: what every source of evidence by second does, so that the order of time knows
// none by name. Windows of peer groups are no such source: they are what all of these wait for.
//
// Threads: one at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/evidence/config.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/host_readings.h"
#include "diagnoser/series/readings.h"
#include "diagnoser/verdict/events.h"
#include "exporter/common/time.h"

namespace limpet {

// What a source looks with.
struct EvidenceMoment {
  UnixTime first;      // reading of the input
  UnixTime watermark;  // no reading at or before it will come any more
  UnixTime horizon;    // seconds up to it may be read
  bool ended = false;  // no reading will follow
  const PipelineConfig& config;
  const Directory& directory;
  Readings& readings;
  HostReadings* hosts = nullptr;  // null without behaviour profiles
};

class EvidenceSource {
 public:
  virtual ~EvidenceSource() = default;
  // Returns the next second to look at, after `first`, the first reading of the input;
  // UnixTime::max() as long as there is nothing to look at.
  [[nodiscard]] virtual UnixTime Next(UnixTime first) const = 0;
  // Looks at Next, and may pass over silent seconds after it. nullopt: readings that are yet to
  // come may change it.
  [[nodiscard]] virtual std::optional<std::vector<Event>> Observe(const EvidenceMoment& now) = 0;
  // The masks of the configuration have changed to these.
  virtual void SetMasked(const std::vector<std::string>& masked) = 0;
  // The node is gone; its readings leave with those of all stores.
  virtual void Forget(std::string_view /*node*/) {}

 protected:
  EvidenceSource() = default;
  EvidenceSource(const EvidenceSource&) = default;
  EvidenceSource(EvidenceSource&&) = default;
  EvidenceSource& operator=(const EvidenceSource&) = default;
  EvidenceSource& operator=(EvidenceSource&&) = default;
};

}  // namespace limpet
