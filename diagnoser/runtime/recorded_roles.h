// recorded_roles.h: the roles that recordings tell of, from the beginning of each.
//
// Threads: one at a time; reads files.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace limpet {

// Empty when some series has no role, or none could be read: who is a client cannot be told then.
// Looks at the first MiB of text of each file, which in a recording is everybody's first seconds.
[[nodiscard]] std::set<std::string> FindRecordedRoles(const std::vector<std::string>& inputs);

}  // namespace limpet
