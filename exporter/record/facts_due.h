// facts_due.h: in which seconds a recording has the facts.
//
// Facts are read once a minute and most stay as they are, so they are recorded when they were read
// anew, and at least every minute: the diagnoser takes what is silent for five minutes for gone.
// All of them together, for one that the others come without is gone, too.
// Threads: one.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exporter/common/exposition/sample.h"
#include "exporter/common/time.h"

namespace limpet {

class FactsDue {
 public:
  static constexpr Duration kEvery = std::chrono::minutes(1);

  // Returns whether facts are due in the next second. `begins_file`: whatever was recorded before
  // is in another file.
  [[nodiscard]] bool IsDue(std::span<const Family> families, UnixTime at, bool begins_file);

 private:
  // The samples of each family of facts that were recorded last: those that are as they were are
  // the same object (Keep).
  std::vector<std::shared_ptr<const Samples>> recorded_;
  std::optional<UnixTime> at_;
};

}  // namespace limpet
