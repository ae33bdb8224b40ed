// explain.h: evidence in plain words and units: "await of io04/sdb 2.7× its peers, +64 ms".
//
// Threads: pure.
#pragma once

#include <string>

#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/shared_parts.h"

namespace limpet {

[[nodiscard]] std::string Explain(const Evidence& evidence);

// Returns whether it compares with peers in numbers, unlike what system calls say.
[[nodiscard]] bool HasNumbers(const Evidence& evidence);
// The evidence that stands for the verdict where there is room for one: of those with numbers the
// one of the largest degree, otherwise the first; nullptr without any.
[[nodiscard]] const Evidence* FindLeading(const VerdictEvent& verdict);

// "io04: disk-busy (await of io04/sdb 2.7× its peers, +64 ms; …)", and after it, where there are
// any, the first facts: "; a RAID check is running on md0".
[[nodiscard]] std::string Explain(const VerdictEvent& verdict);

// "a RAID check is running on md0".
[[nodiscard]] std::string Explain(const Fact& fact);

// Returns what else stands behind it: "far from 9 of 9 peers; over its default threshold in 3
// windows; its 2nd time in a day, accumulator 14".
[[nodiscard]] std::string Background(const Evidence& evidence);

// "storm in io: await of 5 of 20 flagged at once (io01/sda, …): look for a common cause first".
[[nodiscard]] std::string Explain(const StormEvent& storm);
[[nodiscard]] std::string Explain(const UnknownEvent& unknown);
// "8 of the 8 members of enclosure e3 are flagged: look at it first".
[[nodiscard]] std::string Explain(const SharedPart& part);
// "peer group io is two kinds by await: …".
[[nodiscard]] std::string Explain(const BimodalityEvent& found);

// "45 s", "12 min", "3 h 5 min", "2 d 1 h".
[[nodiscard]] std::string ForPeople(Duration duration);

}  // namespace limpet
