// review.h: a configuration that can be used may still not do what its author meant: who is
// compared with whom, and what looks like a slip.
//
// Without answers of the targets members are their nodes, as far as roles and labels of the targets
// tell; with them, the disks, nodes and connections that the running diagnoser would compare.
// Threads: pure, but for `exists`.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "diagnoser/config/config.h"
#include "diagnoser/mapping/directory.h"

namespace limpet {

struct GroupReview {
  std::string name;
  std::string kind;                  // "storage", …
  std::vector<std::string> members;  // by name; "node", or "node/device" when it was asked
  std::vector<std::string> misses;   // texts: "io03: no readings", "io04: no congestion windows"
};

struct ConfigReview {
  std::vector<GroupReview> groups;
  std::vector<std::string> kinds;  // of disks, when it was asked: "server-disks: 12 disks in …"
  std::vector<std::string> warnings;  // each names the key or target, and what to do
};

// What the targets have answered: a page each, or why not.
struct Answers {
  Directory directory;                        // of the configuration's groups, in their order
  std::map<std::string, std::string> errors;  // by node
  std::set<std::string> names = {};           // of all series; at most kMaxNames
  static constexpr std::size_t kMaxNames = 20'000;
};

using FileExists = std::function<bool(const std::string&)>;

// `answers` may be null: nobody was asked.
[[nodiscard]] ConfigReview ReviewConfig(const DiagnoserConfig& config, const FileExists& exists,
                                        const Answers* answers);

// The table of the groups, at most `named` members by name; ends with a newline.
[[nodiscard]] std::string GroupTable(const std::vector<GroupReview>& groups, std::size_t named);

}  // namespace limpet
