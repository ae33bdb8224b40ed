// rules.h: which entities are compared with which: peer groups as rules over labels.
//
// An entity belongs to every group whose rule it satisfies. The labels a rule sees are those of the
// series, of the source (target labels), and for a disk those of its disk_info series.
// Threads: values; a compiled Rule may be used by several threads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/metrics/catalog.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

struct LabelMatcher {
  std::string name;
  std::string regex;    // whole value, Boost.Regex Perl syntax
  bool negate = false;  // satisfied when it does not match
  bool operator==(const LabelMatcher&) const = default;
};

struct PeerGroupRule {
  std::string name;
  GroupKind kind = GroupKind::kStorage;
  std::vector<std::string> roles;    // of the node; empty: any
  std::vector<LabelMatcher> labels;  // all must be satisfied; an absent label is ""
  std::string device;                // regex searched in the device or interface; empty: any
  std::vector<std::uint16_t> ports;  // cwnd: the file system's ports on the servers
  // A duration over 0 (storage and network): components first seen less than this ago are no
  // members yet. They are those of a group with the same rule and `recent_of`, this one's name: see
  // RecentRule.
  Duration recent{};
  std::string recent_of;
  // Storage: each component is compared with those of its own node alone, as if every node were a
  // group of this name.
  bool per_node = false;
  // Storage: its disks are told apart by what they are (disk_kinds.h). Those of most servers' data
  // are its own; each further kind has a group `kind_of` this one, with the name NAME-SUFFIX.
  bool by_kind = false;
  std::string kind_of = {};
  std::string suffix = {};
  bool operator==(const PeerGroupRule&) const = default;
};

// The names that the groups of further kinds of disks are called after their group's name.
inline constexpr std::array<std::string_view, 11> kKindSuffixes = {
    "system", "quiet", "nvme", "flash", "rotating", "md", "dm", "2", "3", "4", "5"};
// The same groups, and at the end those that the kinds of disks of some may need. Most stay empty.
[[nodiscard]] std::vector<PeerGroupRule> WithKinds(std::vector<PeerGroupRule> groups);
// The group "NAME-recent" of a rule with `recent`.
[[nodiscard]] PeerGroupRule RecentRule(const PeerGroupRule& rule);

using LabelMap = std::map<std::string, std::string, std::less<>>;

// A rule with its expressions compiled.
class Rule {
 public:
  // An error names the group and the expression that does not compile.
  [[nodiscard]] static Result<Rule> Compile(const PeerGroupRule& rule);

  [[nodiscard]] const PeerGroupRule& Source() const { return source_; }
  // Returns whether a node of `role` with these labels belongs to the group, whatever the device.
  [[nodiscard]] bool TakesNode(std::string_view role, const LabelMap& labels) const;
  [[nodiscard]] bool TakesDevice(std::string_view device) const;
  [[nodiscard]] bool TakesPort(std::string_view port) const;

 private:
  struct Compiled;
  PeerGroupRule source_;
  std::shared_ptr<const Compiled> compiled_;  // immutable
};

}  // namespace limpet
