// answers.h: one answer made of those that several diagnosers give to the same question.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/publish/api_json.h"

namespace limpet {

// The answer of one of them, names qualified; null when it did not.
struct MemberAnswer {
  std::string member;
  ApiJson json;
  std::size_t nodes = 0;  // that it is known to watch
};

// /api/v1/judged. Nodes of a diagnoser that does not answer are not judged, one at least.
[[nodiscard]] ApiJson JoinJudged(const std::vector<MemberAnswer>& answers);
// /api/v1/heat: on the steps of the latest of them.
[[nodiscard]] ApiJson JoinHeat(const std::vector<MemberAnswer>& answers);
// /api/v1/groups, /api/v1/top, /api/v1/incidents: their lists one behind the other; of several
// objects the keys of all, of several other values the first.
[[nodiscard]] ApiJson JoinLists(const std::vector<MemberAnswer>& answers);

}  // namespace limpet
