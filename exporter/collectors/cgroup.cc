#include "exporter/collectors/cgroup.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exporter/common/utf8.h"
#include "exporter/kernel/diskstats.h"

namespace limpet {
namespace {

// Early enough for a hog to have its name in the first minute, late enough for a rate.
constexpr auto kSoon = std::chrono::seconds(10);
// A machine without control groups is asked again now and then.
constexpr auto kRetry = std::chrono::minutes(10);

}  // namespace

constinit const CollectorModule kCgroupCollector{
    .name = "cgroup",
    .title = "Control groups that use disks and network most",
    .metrics = catalog::kCgroup,
    .configure = [](yaml::MapReader& settings) -> CollectorFactory {
      CgroupOptions options;
      SetIfGiven(options.refresh, settings.Time("refresh", std::chrono::seconds(1)));
      bool network = true;
      SetIfGiven(network, settings.Bool("network"));
      return [options, network](const CollectorInputs& in) -> Result<std::unique_ptr<Collector>> {
        const CgroupNetworkOptions how{.refresh = options.refresh};
        const auto open = [max_sockets = how.max_sockets] {
          return OpenNetlinkTcpSource({.ports = {}, .max_sockets = max_sockets});
        };
        return std::unique_ptr<Collector>(std::make_unique<CgroupCollector>(
            options, in.Sys(), in.Proc(),
            network ? std::make_unique<CgroupNetwork>(how, open, AskCgroupFolder(in.sysfs))
                    : nullptr,
            in.log));
      };
    }};

CgroupCollector::CgroupCollector(const CgroupOptions& options, std::unique_ptr<FileReader> sys,
                                 std::unique_ptr<FileReader> proc,
                                 std::unique_ptr<CgroupNetwork> network, LogSink log)
    : options_(options),
      sys_(std::move(sys)),
      proc_(std::move(proc)),
      walk_(options.walk),
      network_(std::move(network)),
      log_(std::move(log)) {}

Result<Families> CgroupCollector::Collect(const Tick& tick) {
  const bool is_walk_due = !next_ || tick.steady >= *next_;
  const bool is_network_due = network_ != nullptr && network_->IsDue(tick.steady);
  if (is_walk_due) {
    WalkDisks(tick);
  }
  if (is_network_due) {
    network_families_ = network_->Read(*sys_, tick.steady);
  }
  if (is_walk_due || is_network_due) {
    families_ = disks_;
    families_.insert(families_.end(), network_families_.begin(), network_families_.end());
  }
  if (error_ && families_.empty()) {
    return *error_;
  }
  return families_;
}

void CgroupCollector::Warn(const std::string& text) {
  if (log_ && warned_ != text) {
    log_(LogLevel::kWarning, "cgroup: " + text);
    warned_ = text;
  }
}

void CgroupCollector::WalkDisks(const Tick& tick) {
  const bool first = !next_;
  auto outcome = walk_.Walk(*sys_, tick.steady);
  if (!outcome) {
    // No control groups is a state of the machine, not a failure.
    error_ = outcome.error().code == ErrorCode::kNotFound ? std::nullopt
                                                          : std::optional(outcome.error());
    if (error_) {
      Warn(error_->Text());
    }
    next_ = tick.steady + kRetry;
    disks_.clear();
    return;
  }
  error_.reset();
  if (outcome->at_top > 0 && outcome->uncounted == outcome->at_top) {
    Warn(
        "the kernel does not count what control groups read and write; expected the controller io "
        "at the top of /sys/fs/cgroup (cgroup.subtree_control; DefaultIOAccounting=yes of "
        "systemd)");
  }
  // Groups that have one reading have no rate yet; in busy ones that is worth a second walk.
  const bool hurry = (first || outcome->deeper) && !hurried_;
  next_ = tick.steady + (hurry ? std::min<Duration>(kSoon, options_.refresh) : options_.refresh);
  hurried_ = hurry && !first;
  disks_ = Render(*outcome);
}

std::map<std::string, std::string> CgroupCollector::DeviceNames() {
  std::map<std::string, std::string> names;
  const auto text = proc_->ReadOnce("diskstats");
  if (text) {
    for (const auto& line : ParseDiskstats(*text).lines) {
      names[fmt::format("{}:{}", line.major, line.minor)] = Printable(line.name);
    }
  }
  return names;
}

Families CgroupCollector::Render(const CgroupWalk::Outcome& outcome) {
  Family read{.info = &catalog::kCgroupReadBytes, .samples = {}};
  Family written{.info = &catalog::kCgroupWrittenBytes, .samples = {}};
  const auto names = outcome.shown.empty() ? std::map<std::string, std::string>() : DeviceNames();
  for (const auto& use : outcome.shown) {
    const auto found = names.find(use.device);
    const auto labels = MakeLabels({{"cgroup", Printable(use.path)},
                                    {"device", found == names.end() ? use.device : found->second}});
    read.samples.push_back({labels, use.read});
    written.samples.push_back({labels, use.written});
  }
  Family groups{.info = &catalog::kCgroups, .samples = {}};
  groups.samples.push_back({MakeLabels({{"state", "shown"}}), static_cast<double>(outcome.named)});
  groups.samples.push_back(
      {MakeLabels({{"state", "rest"}}), static_cast<double>(outcome.groups - outcome.named)});
  if (outcome.uncounted > 0) {
    groups.samples.push_back(
        {MakeLabels({{"state", "uncounted"}}), static_cast<double>(outcome.uncounted)});
  }
  Families families;
  if (!read.samples.empty()) {
    families.push_back(std::move(read));
    families.push_back(std::move(written));
  }
  families.push_back(std::move(groups));
  return Keep(std::move(families));
}

}  // namespace limpet
