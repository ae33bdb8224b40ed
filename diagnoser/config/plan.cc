#include "diagnoser/config/plan.h"

#include <utility>

#include "diagnoser/config/groups.h"
#include "diagnoser/config/shard.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

// Those of the file, and one of each role that a list or the store will have: their groups are
// there before the first node is.
std::vector<Target> WithTemplates(const DiagnoserSettings& settings) {
  auto targets = settings.fixed_targets;
  for (const auto& source : settings.discovery) {
    targets.push_back(source.base.target);
  }
  if (settings.store) {
    targets.push_back({.node = {}, .role = settings.store->role});
  }
  return targets;
}

std::vector<PeerGroupRule> ChooseGroups(const DiagnoserSettings& settings,
                                        const std::vector<Target>& targets,
                                        std::span<const PeerGroupRule> known) {
  if (!settings.groups.empty()) {
    return settings.groups;
  }
  auto groups = DefaultGroups(WithTemplates(settings));
  // Only lists and stores bring roles that the file does not name.
  if (settings.store || !settings.discovery.empty()) {
    groups.insert(groups.end(), known.begin(), known.end());
    groups = DefaultGroupsWith(groups, targets);
  }
  return groups;
}

Duration ChooseLateness(const DiagnoserSettings& settings, const std::vector<Target>& targets) {
  if (settings.fixed_lateness) {
    return *settings.fixed_lateness;
  }
  // Every target has its turn once within its interval; a second more for the answer.
  auto lateness = LongestInterval(settings, targets) + 1s;
  if (settings.store) {  // the store's own way, and the diagnosis one step behind it
    lateness += settings.store->lag + settings.store->step;
  }
  return lateness;
}

PipelineConfig MakePipelineConfig(const DiagnoserSettings& settings) {
  PipelineConfig pipeline;
  if (settings.syscalls.enabled) {
    auto& plan = pipeline.syscalls.emplace(settings.syscalls.plan);
    plan.training = settings.syscalls.training;
    // What a live diagnosis wants unless told otherwise; a replay has another default.
    plan.events = settings.syscalls.events.value_or(false);
  }
  pipeline.custom = settings.custom;
  pipeline.presets = settings.presets;
  if (settings.sharded) {  // no shard knows whom the others name
    for (auto& preset : pipeline.presets) {
      preset.ranking_scope = RankingScope::kPeers;
    }
  }
  pipeline.thresholds = settings.thresholds;
  pipeline.addresses = settings.addresses;
  pipeline.timed_masks = settings.timed_masks;
  pipeline.masked = settings.masked;
  pipeline.masked.insert(pipeline.masked.end(), settings.masks_of_file.begin(),
                         settings.masks_of_file.end());
  if (!settings.profiles.plan.model.profiles.empty()) {  // it has been read
    auto& plan = pipeline.profiles.emplace(settings.profiles.plan);
    // What a live diagnosis wants unless told otherwise; a replay has other defaults.
    plan.wait = settings.profiles.wait.value_or(false);
    plan.events = settings.profiles.events.value_or(false);
  }
  if (settings.store) {
    // A store is read many steps at once, of which the diagnosis has seen none.
    pipeline.limits.future += (kMaxSteps + 2) * settings.store->step;
  }
  return pipeline;
}

}  // namespace

DiagnosisPlan MakePlan(const DiagnoserSettings& settings, std::vector<Target> targets,
                       std::span<const PeerGroupRule> known) {
  DiagnosisPlan plan;
  plan.lateness = ChooseLateness(settings, targets);
  plan.all_groups = ChooseGroups(settings, targets, known);
  plan.pipeline = MakePipelineConfig(settings);
  plan.pipeline.groups = WithKinds(SelectGroups(settings.shard, plan.all_groups));
  plan.targets =
      settings.shard.count > 1 ? SelectTargets(plan.pipeline.groups, targets) : std::move(targets);
  return plan;
}

}  // namespace limpet
