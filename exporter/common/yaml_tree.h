// yaml_tree.h: the text of a configuration file as a tree with line numbers.
//
// Aliases (*name) stand for a copy of what their anchor (&name) marks; a merge key (<<) adds the
// keys that a map does not have itself.
// Refused: aliases that add more than kMaxCopied values (a 300-byte file can ask for 50 million) or
// stand inside their own anchor, duplicate keys, more than one document, nesting over 32, more than
// `max_bytes`.
// Threads: values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/result.h"

namespace limpet::yaml {

struct Node {
  enum class Kind { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  int line = 0;         // 1-based
  bool quoted = false;  // "15" in quotes is a text, not a number
  std::string scalar;
  std::vector<Node> items;        // of a list, or the values of a map in file order
  std::vector<std::string> keys;  // of a map, beside items

  [[nodiscard]] const Node* Find(std::string_view key) const;
};

// The most bytes of a file that a person writes.
inline constexpr std::size_t kMaxBytes = std::size_t{4} << 20U;
// Values that the aliases of one file may add to it.
inline constexpr std::size_t kMaxCopied = 100'000;

// `file` is the name used in messages.
[[nodiscard]] Result<Node> Parse(std::string_view text, const std::string& file,
                                 std::size_t max_bytes = kMaxBytes);

}  // namespace limpet::yaml
