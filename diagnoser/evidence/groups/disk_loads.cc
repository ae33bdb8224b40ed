#include "diagnoser/evidence/groups/disk_loads.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "diagnoser/evidence/groups/disk_mounts.h"
#include "diagnoser/metrics/catalog.h"
#include "diagnoser/series/stats.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {
namespace {

constexpr std::size_t kSteps = 16;   // between looks, and looked at
constexpr std::size_t kEnough = 10;  // of them, known
constexpr double kQuietShare = 0.1;  // of the busiest
constexpr double kLeastLoad = 1e6;   // bytes a second of the median server's busiest
constexpr std::size_t kMinute = 4;   // looks at one step a second
constexpr std::size_t kTenMinutes = 38;

std::optional<double> FindLoad(const Readings& readings, std::uint32_t disk, UnixTime end,
                               std::size_t grid) {
  const Member member{.name = {}, .node = {}, .device = {}, .entities = {disk}};
  const WindowShape shape{.step = readings.Grids()[grid].step, .window = kSteps};
  const auto samples = DiskWindow(readings, member, end, shape, grid);
  // Requests would count a system disk's many small ones as much as a stripe.
  double sectors = 0;
  for (const auto metric : {DiskMetric::kRead, DiskMetric::kWrite}) {
    const auto of = samples.metrics.Of(Index(metric));
    if (of.size() < kEnough) {
      return std::nullopt;
    }
    sectors += Mean(of);
  }
  return sectors * kBytesPerSector;
}

std::string LoadOf(const Entity& disk) {
  const auto load = disk.labels.find(kLoadLabel);
  return load == disk.labels.end() ? "" : load->second;
}

// Whether some server has two of them: otherwise there is nothing to tell apart.
bool IsWorthLooking(std::span<const Entity> entities, const DiskKind& kind) {
  std::set<std::string_view> nodes;
  bool several = false;
  bool open = false;
  for (const auto disk : kind.disks) {
    several = !nodes.insert(entities[disk].node).second || several;
    open = open || LoadOf(entities[disk]) != kBusyLoad;
  }
  return several && open && kind.what == "data";
}

}  // namespace

void DiskLoads::Look(UnixTime end, const PipelineConfig& config, std::size_t grid,
                     const Readings& readings, const FactReadings& facts, Directory& directory) {
  const bool wanted = std::ranges::any_of(config.groups, &PeerGroupRule::by_kind);
  const auto every = readings.Grids()[grid].step * static_cast<Duration::rep>(kSteps);
  first_ = first_ ? std::min(*first_, end) : end;
  // Before that nobody is told apart: at 15 s a window is judged long before there are 16 steps.
  const bool early = end - *first_ < 2 * every;
  const MountSources mounts{
      .end = end, .facts = &facts, .readings = &readings, .grid = grid, .steps = kSteps};
  if (!wanted || (!early && looked_ && end >= *looked_ && end - *looked_ < every)) {
    if (wanted && !renewed_.empty()) {
      TellMounts(mounts, &renewed_, directory);
    }
    return;
  }
  looked_ = end;
  renewed_.clear();
  const auto before = std::exchange(busy_for_, {});
  TellMounts(mounts, nullptr, directory);
  for (std::uint32_t group = 0; group < config.groups.size(); ++group) {
    if (!config.groups[group].by_kind) {
      continue;
    }
    for (const auto& kind : FindFactKinds(directory, group)) {
      if (!IsWorthLooking(directory.Entities(EntityKind::kDisk), kind)) {
        continue;
      }
      std::vector<Seen> seen;
      for (const auto disk : kind.disks) {
        if (const auto load = FindLoad(readings, disk, end, grid)) {
          seen.push_back({.disk = disk, .load = *load});
        }
      }
      Weigh(seen, kind, before, directory);
    }
  }
}

void DiskLoads::Weigh(const std::vector<Seen>& seen, const DiskKind& kind, const Streaks& before,
                      Directory& directory) {
  const auto entities = directory.Entities(EntityKind::kDisk);
  std::map<std::string_view, double> busiest;  // by server
  for (const auto& one : seen) {
    auto& most = busiest[entities[one.disk].node];
    most = std::max(most, one.load);
  }
  std::vector<double> loads;
  loads.reserve(busiest.size());
  for (const auto& [node, load] : busiest) {
    loads.push_back(load);
  }
  const double usual = loads.empty() ? 0 : Median(loads);
  if (usual < kLeastLoad) {
    return;
  }
  // As it is before this look, so that the order of the disks does not matter.
  const auto names = FindQuietNames(directory, kind.disks);
  for (const auto& one : seen) {
    const auto& entity = entities[one.disk];
    const bool quiet =
        one.load < kQuietShare * usual && one.load < kQuietShare * busiest[entity.node];
    const auto load = LoadOf(entity);
    if (load.empty()) {
      directory.Describe(one.disk, std::string(kLoadLabel),
                         std::string(quiet ? kQuietLoad : kBusyLoad));
    } else if (load == kQuietLoad && !quiet) {
      const auto name = ComponentName(GroupKind::kStorage, entity.node, entity.device);
      const auto streak = before.find(name);
      const auto looks = streak == before.end() ? 1 : streak->second + 1;
      const bool of_kind = names.contains(KindLabel(entity, "device"));
      if (looks >= (of_kind ? kTenMinutes : kMinute)) {
        directory.Describe(one.disk, std::string(kLoadLabel), std::string(kBusyLoad));
      } else {
        busy_for_[name] = looks;
      }
    }
  }
}

}  // namespace limpet
