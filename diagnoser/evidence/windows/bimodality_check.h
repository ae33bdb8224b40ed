// bimodality_check.h: at the end of a day: was a peer group two kinds of components (bimodality.h)?
//
// Threads: pure.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/evidence/windows/day_means.h"
#include "diagnoser/mapping/members.h"
#include "diagnoser/metrics/catalog.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

struct CheckedGroup {
  const std::string* name = nullptr;
  GroupKind kind = GroupKind::kStorage;
  const GroupMembers* members = nullptr;
  const Directory* directory = nullptr;  // tells what the members' labels are
};

// One event a metric that has two kinds, by metric. `end`: of the first window of the next day.
[[nodiscard]] std::vector<BimodalityEvent> CheckBimodality(UnixTime end, const CheckedGroup& group,
                                                           const DayMeans& day,
                                                           const PresetSettings& preset);

}  // namespace limpet
