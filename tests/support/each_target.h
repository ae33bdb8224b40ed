// each_target.h: runs a test once with every instruction set that this processor has.
#pragma once

#include <cstdint>

#include "hwy/highway.h"

namespace limpet::testing {

// `test(name)` is called with each set in turn; then the best one is chosen again.
template <class Test>
void ForEachTarget(const Test& test) {
  const auto choose = [](std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  };
  choose(0);
  std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS;
  while (left != 0) {
    const std::int64_t one = left & -left;
    left &= left - 1;
    choose(one);
    test(hwy::TargetName(one));
  }
  choose(0);
}

}  // namespace limpet::testing
