// find_named.h: the preset, group or metric of a name.
//
// Threads: pure.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace limpet {

// Returns nullptr where there is none of the name.
template <class Named>
[[nodiscard]] const Named* FindNamed(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Named::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace limpet
