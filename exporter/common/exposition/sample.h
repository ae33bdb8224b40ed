// sample.h: what a metrics page is made of: families of samples that share a name, as plain values.
//
// A label set is rendered once, when a device or socket is first seen, and shared by all its
// samples and snapshots: 17,000 series cost 1 ms to print this way, 20 ms with strings per sample.
// Missing is not a sample: a collector leaves out what it does not know.
// Threads: values; LabelSet is immutable and may be shared by threads.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limpet {

enum class MetricType { kCounter, kGauge, kHistogram };

// One row of the catalogue. `name` is without the prefix ("disk_reads_completed_total"); a counter
// ends in _total, any name ends in its base unit before that.
struct MetricInfo {
  std::string_view name;
  MetricType type;
  std::string_view unit;    // "seconds", "bytes", … or empty; for the documentation
  std::string_view labels;  // "device", "collector,reason", …; for the documentation
  std::string_view help;    // one sentence without a newline
  // node_exporter's name where it is another one, for --compat.node-exporter-names.
  std::string_view node_exporter_name = {};
};

class LabelSet {
 public:
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  explicit LabelSet(const Pairs& pairs);

  // `device="sda",model="x \"y\""`: without braces, values escaped, in the order given.
  [[nodiscard]] const std::string& Rendered() const { return rendered_; }

 private:
  std::string rendered_;
};
using LabelsPtr = std::shared_ptr<const LabelSet>;  // null: no labels

[[nodiscard]] LabelsPtr MakeLabels(const LabelSet::Pairs& pairs);

// The line of a histogram that a sample is. Those of one label set stand together: its buckets from
// the lowest `le` to +Inf, each with all that is at most so much, then sum and count.
enum class SamplePart : std::uint8_t { kValue, kBucket, kSum, kCount };

struct Sample {
  LabelsPtr labels;
  double value = 0;
  SamplePart part = SamplePart::kValue;
};

using Samples = std::vector<Sample>;

struct Family {
  const MetricInfo* info = nullptr;  // static storage: a row of exposition/catalog/*.h
  std::vector<Sample> samples;
  // Shared in their place: samples that many pages show unchanged: shared instead of copied, and
  // printed once (kept_text.h). Null: none.
  std::shared_ptr<const Samples> kept = nullptr;

  [[nodiscard]] const Samples& All() const { return kept ? *kept : samples; }
};
using Families = std::vector<Family>;

// The same families with all their samples kept: those that are as in `before`, which Keep made as
// well, share what was kept then, so that they need not be printed anew.
[[nodiscard]] Families Keep(Families families, const Families& before = {});

}  // namespace limpet
