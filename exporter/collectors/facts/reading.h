// reading.h: one reading of all that may explain a slow server, out of /sys and /proc.
//
// Missing: a file that is not there, or that holds something else, is no sample.
// Cost:    a small file is some 5 µs; about 3 of them a disk and 4 an interface at each reading,
//          and as many again, and one a core, when the plan is made anew.
// Threads: as the FileReaders; a hanging file hangs the call, so `place` is told before each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/collectors/facts/files.h"
#include "exporter/collectors/facts/places.h"
#include "exporter/common/abandoned.h"

namespace limpet {

struct FactReading {
  std::vector<FactSample> samples;       // no series twice
  std::shared_ptr<const FactPlan> plan;  // its settings are among the samples
  std::shared_ptr<const MountedDisks> mounted;
  std::vector<UnreadFile> unread;
};

[[nodiscard]] FactReading ReadFacts(const FactSources& sources, WorkPlace& place);

// A pass over what is read at one pace, for subjects that no pattern describes.
class FactPass {
 public:
  FactPass(FactFiles& files, FactReading& reading) : files_(files), reading_(reading) {}

  [[nodiscard]] const FactSources& Sources() const { return files_.Sources(); }
  [[nodiscard]] bool Enter(std::string_view unit, std::string_view path) {
    return files_.Enter(unit, path);
  }
  [[nodiscard]] std::optional<std::string_view> Read(FactRoot root, std::string_view unit,
                                                     std::string_view path) {
    return files_.Read(root, unit, path);
  }
  [[nodiscard]] std::vector<std::string> List(std::string_view unit, std::string_view folder) {
    return files_.List(unit, folder);
  }
  void AddUnread(std::string_view path, std::string_view reason) { files_.AddUnread(path, reason); }
  // The caller sees to it that no series comes twice.
  void Add(const MetricInfo& info, LabelsPtr labels, double value);
  // Returns those of the reading before, to be replaced when they are others now.
  [[nodiscard]] std::shared_ptr<const MountedDisks>& Mounted() { return reading_.mounted; }

 private:
  FactFiles& files_;
  FactReading& reading_;
};

}  // namespace limpet
