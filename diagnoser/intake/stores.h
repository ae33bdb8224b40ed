// stores.h: which store takes the readings of a kind.
//
// Threads: one at a time.
#pragma once

#include <array>
#include <string_view>

#include "diagnoser/metrics/kinds.h"
#include "diagnoser/series/reading_store.h"

namespace limpet {

class Stores {
 public:
  // From now on; `store` must outlive this.
  void Put(EntityKind kind, ReadingStore& store) { stores_[Index(kind)] = &store; }
  // Returns nullptr for the kinds that the directory holds, and for those that nothing reads.
  [[nodiscard]] ReadingStore* Of(EntityKind kind) const { return stores_[Index(kind)]; }

  void ForgetNode(std::string_view node) {
    for (auto* const store : stores_) {
      if (store != nullptr) {
        store->Forget(node);
      }
    }
  }
  // See ReadingStore::Tidy.
  void Tidy(UnixTime before) {
    for (auto* const store : stores_) {
      if (store != nullptr) {
        store->Tidy(before);
      }
    }
  }

 private:
  std::array<ReadingStore*, kEntityKindRows.size()> stores_{};
};

}  // namespace limpet
