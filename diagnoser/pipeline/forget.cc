// What is gone must not pile up: nodes, components and series leave the pipeline here.

#include <algorithm>
#include <chrono>
#include <functional>
#include <set>
#include <string>

#include "diagnoser/pipeline/impl.h"

namespace limpet {
namespace {

constexpr Duration kTidyEvery = std::chrono::hours(1);
constexpr Duration kRelieveEvery = std::chrono::minutes(1);
// Accumulators of components that are not there any more, as of nodes that are no targets any more.
constexpr Duration kRememberRecords = std::chrono::hours(24);

}  // namespace

void Pipeline::Forget(std::string_view source) { impl_->intake.Forget(source); }

void Pipeline::ForgetNode(std::string_view source, std::string_view node) {
  impl_->intake.Forget(source);
  impl_->ForgetNode(node);
}

void Pipeline::ForgetRecords(std::string_view node) {
  for (auto& run : impl_->runs) {
    for (auto& group : run.Groups()) {
      group.ForgetNode(node);
    }
  }
  if (impl_->custom) {
    impl_->custom->ForgetRecords(node);
  }
}

void Pipeline::Impl::ForgetNode(std::string_view node) {
  for (const auto& row : DirectoryKinds()) {
    const auto count = directory.Entities(row.kind).size();
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto& entity = directory.Entities(row.kind)[i];
      if (entity.live && entity.node == node) {
        Forget(row.kind, i);
      }
    }
  }
  for (auto* const source : sources) {
    source->Forget(node);
  }
  intake.ForgetReadings(node);
}

void Pipeline::Impl::Forget(EntityKind kind, std::uint32_t entity) {
  directory.Forget(kind, entity);
  readings.Forget(kind, entity);
  if (hosts) {
    hosts->Forget(kind, entity);
  }
  ++counters.forgotten;
}

Duration Pipeline::Impl::NeededFor() const {
  Duration needed = kRelieveEvery;
  for (const auto& preset : config.presets) {
    const auto samples = static_cast<Duration::rep>(preset.window + preset.smoothing);
    needed = std::max(needed, preset.MaxGap() + preset.step * samples);
  }
  return needed;
}

std::size_t Pipeline::Impl::ForgetSilent(UnixTime now, Duration keep, const EntityFilter& picks) {
  std::size_t forgotten = 0;
  for (const auto& row : DirectoryKinds()) {
    const auto entities = directory.Entities(row.kind);
    for (std::uint32_t i = 0; i < entities.size(); ++i) {
      const auto seen = !IsHost(row.kind) ? readings.Last(row.kind, i)
                        : hosts           ? hosts->Last(i)
                                          : std::nullopt;
      if (entities[i].live && seen && now - *seen > keep && picks(entities[i])) {
        Forget(row.kind, i);
        ++forgotten;
      }
    }
  }
  return forgotten;
}

void Pipeline::Impl::Tidy(UnixTime now) {
  if (tidied && now - *tidied < kTidyEvery) {
    return;
  }
  // The first time only starts the hour: after a restart everything is about to come back.
  const bool started = tidied.has_value();
  tidied = now;
  if (!started) {
    return;
  }
  (void)ForgetSilent(now, std::max(kTidyEvery, NeededFor()), [](const Entity&) { return true; });
  ForgetGoneRecords(std::nullopt, now - kRememberRecords);
  if (custom) {
    custom->ForgetGone(now - kRememberRecords);
  }
  intake.TidyStores(now - kTidyEvery);
  // The caches may name entities that are gone; the next pages fill them again.
  intake.ForgetAll();
}

// A target whose devices change all the time would be full of those that are gone for an hour, and
// one that is well again would keep them for as long.
void Pipeline::Impl::RelieveCrowdedNodes(UnixTime now) {
  if (relieved && now >= *relieved && now - *relieved < kRelieveEvery) {
    return;
  }
  relieved = now;
  for (const auto& node : intake.CrowdedNodes()) {
    crowded.insert_or_assign(node, now);
  }
  const auto keep = NeededFor();
  for (const auto& [node, when] : crowded) {
    const auto is_its = [&node = node](const Entity& entity) { return entity.node == node; };
    if (ForgetSilent(now, keep, is_its) > 0) {
      // They may name what is gone, and what was refused may have room now.
      intake.ForgetNode(node);
    }
    ForgetGoneRecords(node, now - keep);
  }
  // Once it is well, what it had before must still grow old enough.
  std::erase_if(crowded, [&](const auto& one) { return now - one.second > 2 * keep; });
}

void Pipeline::Impl::ForgetRenewed(const RenewedDisk& disk) {
  const auto name = ComponentName(GroupKind::kStorage, disk.node, disk.device);
  for (auto& run : runs) {
    for (auto& group : run.Groups()) {
      if (KindRow(group.Kind()).per_device) {
        group.ForgetComponent(name);
      }
    }
  }
  loads.Renewed(disk.node);
  if (disk.is_new) {
    memberships.ForgetComponent(name);
  }
}

void Pipeline::Impl::ForgetGoneRecords(std::optional<std::string_view> node, UnixTime before) {
  std::set<std::string, std::less<>> present;
  for (const auto& entity : directory.Entities(EntityKind::kDisk)) {
    if (entity.live && (!node || entity.node == *node)) {
      present.insert(ComponentName(GroupKind::kStorage, entity.node, entity.device));
    }
  }
  const auto is_gone = [&](const std::string& owner, const std::string& component) {
    return (!node || owner == *node) && !present.contains(component);
  };
  for (auto& run : runs) {
    for (auto& group : run.Groups()) {
      // Components of the other kinds are whole nodes, of which there are no more than targets.
      if (KindRow(group.Kind()).per_device) {
        group.ForgetGone(is_gone, before);
      }
    }
  }
  memberships.ForgetGone(is_gone, before);
}

}  // namespace limpet
