#include "exporter/collectors/facts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "exporter/common/utf8.h"

namespace limpet {
namespace {

// Samples by metric, in the order of the catalogue. Those of a metric mostly come in a row.
class FactFamilies {
 public:
  FactFamilies() {
    for (const auto* info : catalog::kFacts) {
      families_.push_back({.info = info, .samples = {}});
    }
  }
  void Add(const MetricInfo& info, LabelsPtr labels, double value) {
    if (families_[last_].info != &info) {
      const auto found = std::find_if(families_.begin(), families_.end(),
                                      [&](const Family& one) { return one.info == &info; });
      last_ = static_cast<std::size_t>(found - families_.begin());
    }
    families_[last_].samples.push_back({std::move(labels), value});
  }
  [[nodiscard]] Families Take() && {
    std::erase_if(families_, [](const Family& family) { return family.samples.empty(); });
    return std::move(families_);
  }

 private:
  Families families_;
  std::size_t last_ = 0;
};

}  // namespace

constinit const CollectorModule kFactsCollector{
    .name = "facts",
    .title = "Facts that may explain a slow server",
    .metrics = catalog::kFacts,
    .configure = [](yaml::MapReader& settings) -> CollectorFactory {
      FactsOptions options;
      options.devices = ReadDeviceFilter(settings);
      SetIfGiven(options.refresh, settings.Time("refresh", std::chrono::seconds(1)));
      return [options](const CollectorInputs& in) -> Result<std::unique_ptr<Collector>> {
        auto disks = DeviceFilter::Make(options.devices, kDefaultDiskExclude);
        if (!disks) {
          return disks.error();
        }
        auto interfaces = DeviceFilter::Make({}, kDefaultNetExclude);
        if (!interfaces) {
          return interfaces.error();
        }
        return std::unique_ptr<Collector>(std::make_unique<FactsCollector>(
            options,
            [in, disks = *disks, interfaces = *interfaces](auto skipped) {
              // Not in.Sys(): a reader is made for each reading, and this collector tells what
              // fails itself.
              return FactSources{.sys = in.open(in.sysfs),
                                 .proc = in.open(in.procfs),
                                 .disks = disks,
                                 .interfaces = interfaces,
                                 .filesystem = AskFilesystem,
                                 .skipped = std::move(skipped),
                                 .flow_control = AskFlowControl};
            },
            in.log));
      };
    }};

FactsCollector::FactsCollector(const FactsOptions& options, Open open, LogSink log)
    : options_(options),
      open_(std::move(open)),
      log_(std::move(log)),
      first_wait_(options.first_wait) {}

void FactsCollector::Inherit(Collector& before) {
  if (auto* facts = dynamic_cast<FactsCollector*>(&before)) {
    work_.Inherit(facts->work_);
  }
}

Result<Families> FactsCollector::Collect(const Tick& tick) {
  StartIfDue(tick);
  // The first page should have facts; later ones never wait, for a dead drive would hold them up.
  auto reading = work_.Take(std::exchange(first_wait_, Duration::zero()));
  if (reading) {
    LogUnread(*reading);
    reading_ = *std::move(reading);
    families_ = Render(reading_);
  }
  LeaveIfLate(tick);
  return families_;
}

void FactsCollector::StartIfDue(const Tick& tick) {
  if (work_.IsRunning() || (next_ && tick.steady < *next_)) {
    return;
  }
  std::set<std::string, std::less<>> skipped;
  hanging_.clear();
  for (auto& place : work_.Hanging()) {
    // Reading it again would leave one more thread behind.
    skipped.insert(place.unit);
    hanging_.push_back(place.path);
  }
  next_ = tick.steady + options_.refresh;
  // As many threads hang as may: what was read last stands until one comes back.
  if (!work_.HasRoom()) {
    families_ = Render(reading_);
    return;
  }
  auto opened = open_(std::move(skipped));
  opened.plan = reading_.plan;
  opened.mounted = reading_.mounted;
  // What hung may have been among the files that were looked for.
  opened.renew = with_same_plan_ == 0 || with_same_plan_ >= options_.settings_every ||
                 !opened.skipped.empty() || (opened.plan != nullptr && opened.plan->is_partial);
  with_same_plan_ = opened.renew ? 1 : with_same_plan_ + 1;
  auto sources = std::make_shared<const FactSources>(std::move(opened));
  started_ = tick.steady;
  if (!work_.Start([sources](WorkPlace& place) { return ReadFacts(*sources, place); })) {
    log_(LogLevel::kError, "facts: no new thread; facts are not read this time");
  }
}

void FactsCollector::LogUnread(const FactReading& reading) const {
  for (const auto& file : reading.unread) {
    const auto& before = reading_.unread;
    if (std::find(before.begin(), before.end(), file) != before.end()) {
      continue;
    }
    const std::string_view expected =
        file.reason == "permission" ? "permission denied; expected a file that everybody may read"
        : file.reason == "large"    ? "more than this program reads of it"
                                    : "an I/O error; look for the device in the kernel log";
    log_(LogLevel::kWarning, "facts: " + Printable(file.path) + ": " + std::string(expected) +
                                 "; its fact is left out");
  }
}

void FactsCollector::LeaveIfLate(const Tick& tick) {
  if (!work_.IsRunning() || tick.steady - *started_ < options_.patience) {
    return;
  }
  const auto where = work_.Abandon();
  log_(LogLevel::kWarning,
       "facts: " + Printable(where.path) +
           " does not answer; it is skipped until it does, the other facts go on");
  // Those that have not been reached yet need not wait a minute.
  next_.reset();
}

Families FactsCollector::Render(const FactReading& reading) const {
  FactFamilies families;
  for (const auto& sample : reading.samples) {
    families.Add(*sample.info, sample.labels, sample.value);
  }
  std::map<std::string, std::string_view> unreadable;
  for (const auto& file : reading.unread) {
    unreadable.emplace(Printable(file.path), file.reason);
  }
  for (const auto& file : hanging_) {
    unreadable[Printable(file)] = "hangs";
  }
  for (const auto& [file, reason] : unreadable) {
    families.Add(catalog::kFactsUnreadable,
                 MakeLabels({{"file", file}, {"reason", std::string(reason)}}), 1);
  }
  // Most facts stay what they are.
  return Keep(std::move(families).Take(), families_);
}

}  // namespace limpet
