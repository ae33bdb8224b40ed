// property.h: properties that RapidCheck looks for a counterexample to: 200 cases each, and as many
// as RC_PARAMS says in the long form (RC_PARAMS=max_success=10000 build/dev/tests/collectors_test).
//
//   RC_GTEST_PROP(Sums, DoNotDependOnTheOrder, (const std::vector<int>& numbers)) { RC_ASSERT(…); }
// A failure prints the smallest case found and the seed, which RC_PARAMS=seed=… repeats.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <cstdlib>

namespace limpet::testing {

// For what draws a case of its own by a generator of the standard library.
inline rc::Gen<std::uint32_t> AnySeed() {
  return rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>()));
}

// RapidCheck reads the variable when the first property runs.
inline const bool kHasCaseCount = ::setenv("RC_PARAMS", "max_success=200", 0) == 0;

}  // namespace limpet::testing
