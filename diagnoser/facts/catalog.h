// catalog.h: the table of facts: which series, when it is worth saying, the sentence, what to do.
//
// A fact never indicts: it is looked for where there is a verdict already, and only told if it
// concerns what the verdict is about.
// Sentences: {device} {detail} {value} {other} {span} {peers}, as find_facts.cc fills them in.
// Threads: constants.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "diagnoser/metrics/kinds.h"

namespace limpet {

enum class FactRule : std::uint8_t {
  kRise,         // a counter rose by `limit` or more over the last 10 to 20 minutes
  kRate,         // it rose by more than `limit` a second
  kIs,           // it is `limit` or more
  kIsZero,       // it is 0
  kBelow,        // it is less than `other` of the same device
  kShareBelow,   // it is less than `limit` of `other`
  kLower,        // it is less than 0.9 of most peers'
  kUnlikeValue,  // it is not 0, as most peers' is, or has become so while we watched
  kUnlikeLabel,  // `label` is not what most peers' is
  kRiseUnlike,   // a counter rose by more than twice what most peers' did and `limit`
  kUnit,         // bytes a second of a unit that its peers' units of the same name do not move
  kJob,          // bytes a second of the batch job that moves most
};

enum class FactScope : std::uint8_t {
  kNode,       // always told
  kDisk,       // told where the verdict is about this disk, or about no disk and not the network
  kInterface,  // told where the verdict is not about disks
};

struct FactRow {
  std::string_view name;
  FactScope scope = FactScope::kNode;
  FactSeries series{};
  FactRule rule{};
  double limit = 1;
  FactSeries other{};
  std::string_view label = {};    // what `detail` says; of kUnlikeLabel what is compared
  std::string_view only = {};     // values of `only_of` that count, separated by blanks; empty: all
  std::string_view only_of = {};  // a label; empty: `label`
  std::string_view unit = {};     // "bytes", "bits", "transfers", "share": how {value} is printed
  std::string_view sentence = {};
  std::string_view next = {};
};

// Returns rows in the order in which they are told: errors, states, then what is unlike the peers'.
[[nodiscard]] std::span<const FactRow> FactRows();

}  // namespace limpet
