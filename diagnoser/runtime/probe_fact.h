// probe_fact.h: the sentence that a probe of a suspected disk and of its peers' gives.
//
//   30 reads of 4 KiB straight from the disk: io04/sdb 41 ms, io01/sdb 3.8 ms, io02/sdb 4.0 ms
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>

#include "diagnoser/sources/disk_prober.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

// The suspect's reading first. nullopt: it could not be had, so there is nothing to say.
[[nodiscard]] std::optional<Fact> MakeProbeFact(const ProbeReadings& readings);

// The suspect failed, or took at least twice as long as the slowest peer. nullopt: not known.
[[nodiscard]] std::optional<bool> IsSlow(const ProbeReadings& readings);

// "41 ms", "3.8 ms", "0.12 ms", "1.2 s".
[[nodiscard]] std::string PrintReadTime(double seconds);

}  // namespace limpet
