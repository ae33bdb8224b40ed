#include "diagnoser/intake/source_families.h"

namespace limpet {

std::uint32_t SourceFamilies::Add() {
  const auto source = static_cast<std::uint32_t>(parents_.size());
  parents_.push_back(source);
  return source;
}

std::uint32_t SourceFamilies::Of(std::uint32_t source) {
  while (parents_[source] != source) {
    parents_[source] = parents_[parents_[source]];
    source = parents_[source];
  }
  return source;
}

void SourceFamilies::Tell(std::uint32_t source, EntityKind kind, std::uint32_t entity) {
  auto& tellers = tellers_[Index(kind)];
  if (entity >= tellers.size()) {
    tellers.resize(entity + 1, kNobody);
  }
  if (tellers[entity] == kNobody) {
    tellers[entity] = source;
    return;
  }
  parents_[Of(source)] = Of(tellers[entity]);
}

void SourceFamilies::Clear() {
  parents_.clear();
  for (auto& tellers : tellers_) {
    tellers.clear();
  }
}

}  // namespace limpet
