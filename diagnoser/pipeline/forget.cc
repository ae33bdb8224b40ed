// What is gone must not pile up: nodes, components and series leave the pipeline here.

#include <algorithm>
#include <chrono>

#include "diagnoser/pipeline/impl.h"

namespace limpet {
namespace {

constexpr Duration kTidyEvery = std::chrono::hours(1);

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
  cwnd.Forget(node);
  intake.ForgetNode(node);
}

void Pipeline::Impl::Forget(EntityKind kind, std::uint32_t entity) {
  directory.Forget(kind, entity);
  readings.Forget(kind, entity);
  if (hosts) {
    hosts->Forget(kind, entity);
  }
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
  // Nothing that a window may still ask for.
  Duration keep = kTidyEvery;
  for (const auto& preset : config.presets) {
    const auto samples = static_cast<Duration::rep>(preset.window + preset.smoothing);
    keep = std::max(keep, preset.MaxGap() + preset.step * samples);
  }
  for (const auto& row : DirectoryKinds()) {
    const auto entities = directory.Entities(row.kind);
    for (std::uint32_t i = 0; i < entities.size(); ++i) {
      const auto seen = row.shape != ReadingsShape::kHost ? readings.Last(row.kind, i)
                        : hosts                           ? hosts->Last(i)
                                                          : std::nullopt;
      if (entities[i].live && seen && now - *seen > keep) {
        Forget(row.kind, i);
      }
    }
  }
  // The caches may name entities that are gone; the next pages fill them again.
  intake.ForgetAll();
}

}  // namespace limpet
