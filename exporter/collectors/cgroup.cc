#include "exporter/collectors/cgroup.h"

#include <algorithm>
#include <utility>

#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

// Early enough for a hog to have its name in the first minute, late enough for a rate.
constexpr auto kSoon = std::chrono::seconds(10);
// A machine without control groups is asked again now and then.
constexpr auto kRetry = std::chrono::minutes(10);

}  // namespace

constinit const CollectorModule kCgroupCollector{
    .name = "cgroup",
    .title = "Control groups that use the disks most",
    .metrics = catalog::kCgroup,
    .configure = [](yaml::MapReader& settings) -> CollectorFactory {
      CgroupOptions options;
      SetIfGiven(options.refresh, settings.Time("refresh", std::chrono::seconds(1)));
      return [options](const CollectorInputs& in) -> Result<std::unique_ptr<Collector>> {
        return std::unique_ptr<Collector>(std::make_unique<CgroupCollector>(options, in.Sys()));
      };
    }};

CgroupCollector::CgroupCollector(const CgroupOptions& options, std::unique_ptr<FileReader> sys)
    : options_(options), sys_(std::move(sys)), walk_(options.walk) {}

Result<Families> CgroupCollector::Collect(const Tick& tick) {
  if (next_ && tick.steady < *next_) {
    return families_;
  }
  const bool first = !next_;
  auto outcome = walk_.Walk(*sys_, tick.steady);
  if (!outcome) {
    // No control groups is a state of the machine, not a failure.
    next_ = tick.steady + kRetry;
    families_.clear();
    return families_;
  }
  // Groups that have one reading have no rate yet; in busy ones that is worth a second walk.
  const bool hurry = (first || outcome->deeper) && !hurried_;
  next_ = tick.steady + (hurry ? std::min<Duration>(kSoon, options_.refresh) : options_.refresh);
  hurried_ = hurry && !first;
  families_ = Render(*outcome);
  return families_;
}

std::string CgroupCollector::DeviceName(const std::string& number) {
  constexpr std::string_view kKey = "DEVNAME=";
  const auto text = sys_->ReadOnce("dev/block/" + number + "/uevent");
  Lines lines(text ? *text : std::string_view());
  while (const auto line = lines.Next()) {
    if (line->starts_with(kKey)) {
      return Printable(Trim(line->substr(kKey.size())));
    }
  }
  return number;
}

Families CgroupCollector::Render(const CgroupWalk::Outcome& outcome) {
  Family read{.info = &catalog::kCgroupReadBytes, .samples = {}};
  Family written{.info = &catalog::kCgroupWrittenBytes, .samples = {}};
  for (const auto& use : outcome.shown) {
    const auto labels =
        MakeLabels({{"cgroup", Printable(use.path)}, {"device", DeviceName(use.device)}});
    read.samples.push_back({labels, use.read});
    written.samples.push_back({labels, use.written});
  }
  Family groups{.info = &catalog::kCgroups, .samples = {}};
  groups.samples.push_back({MakeLabels({{"state", "shown"}}), static_cast<double>(outcome.named)});
  groups.samples.push_back(
      {MakeLabels({{"state", "rest"}}), static_cast<double>(outcome.groups - outcome.named)});
  Families families;
  if (!read.samples.empty()) {
    families.push_back(std::move(read));
    families.push_back(std::move(written));
  }
  families.push_back(std::move(groups));
  return families;
}

}  // namespace limpet
