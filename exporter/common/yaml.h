// yaml.h: configuration files: a tree with line numbers, and readers that name what is wrong.
//
// Refused while parsing: anchors and aliases (a 300-byte file of them walks 50 million nodes),
// duplicate keys, more than one document, nesting over 32, more than `max_bytes`.
// Every problem reads "exporter.yml:12: sampling.interval: expected a duration such as 1s, got
// \"fast\""; all problems of a file are reported, not only the first.
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/result.h"
#include "exporter/common/time.h"

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

// What a person writes is never longer.
inline constexpr std::size_t kMaxBytes = std::size_t{4} << 20U;

// `file` is the name used in messages.
[[nodiscard]] Result<Node> Parse(std::string_view text, const std::string& file,
                                 std::size_t max_bytes = kMaxBytes);

// The problems found in one file, in the order found.
struct Problems {
  std::string file;
  std::vector<std::string> texts;

  void Add(int line, std::string_view key, std::string_view text);
  [[nodiscard]] bool empty() const { return texts.empty(); }
  [[nodiscard]] std::string Joined() const;  // one a line
};

// Reads the keys of one map. Each getter notes the key as known; an absent key gives nullopt (or
// an empty list), a wrong value gives the same and adds a problem. Call RefuseUnknown at the end.
// The node and the problems must outlive the reader.
class MapReader {
 public:
  // A `node` that is absent or null reads as an empty map; another kind is a problem.
  MapReader(const Node* node, std::string path, Problems& problems);

  [[nodiscard]] std::optional<std::string> Text(std::string_view key);
  [[nodiscard]] std::optional<std::string> OneOf(std::string_view key,
                                                 const std::vector<std::string>& choices);
  [[nodiscard]] std::optional<bool> Bool(std::string_view key);
  [[nodiscard]] std::optional<std::int64_t> Integer(std::string_view key, std::int64_t least,
                                                    std::int64_t most);
  [[nodiscard]] std::optional<double> Number(std::string_view key,
                                             double least = std::numeric_limits<double>::lowest(),
                                             double most = std::numeric_limits<double>::max());
  // "1s", "500ms", "5m", "1h30m", "2d"; at least `least`.
  [[nodiscard]] std::optional<Duration> Time(std::string_view key, Duration least);
  // A regular expression that compiles (whole-string match, Boost.Regex Perl syntax).
  [[nodiscard]] std::optional<std::string> Regex(std::string_view key);
  [[nodiscard]] std::vector<std::string> Texts(std::string_view key);
  [[nodiscard]] std::vector<std::int64_t> Integers(std::string_view key, std::int64_t least,
                                                   std::int64_t most);
  // Free-form text map, such as labels.
  [[nodiscard]] std::map<std::string, std::string> TextMap(std::string_view key);
  // As TextMap, for regular expressions.
  [[nodiscard]] std::map<std::string, std::string> RegexMap(std::string_view key);
  // Free-form number map, such as one floor a metric.
  [[nodiscard]] std::map<std::string, double> NumberMap(std::string_view key);
  [[nodiscard]] MapReader Map(std::string_view key);
  [[nodiscard]] std::vector<MapReader> Maps(std::string_view key);

  [[nodiscard]] bool Has(std::string_view key) const;
  [[nodiscard]] int Line() const { return node_ == nullptr ? 0 : node_->line; }
  [[nodiscard]] const std::string& Path() const { return path_; }
  // A problem of a key's value that only the caller can see.
  void Refuse(std::string_view key, std::string_view text);
  // One problem per key that no getter asked for, with the keys that exist.
  void RefuseUnknown();

 private:
  const Node* Get(std::string_view key);
  const Node* Scalar(std::string_view key, std::string_view expected);
  std::optional<std::string> CheckedRegex(const Node& node, std::string_view key);
  void Expected(const Node& node, std::string_view key, std::string_view expected);
  [[nodiscard]] std::string Full(std::string_view key) const;

  const Node* node_;
  std::string path_;
  Problems* problems_;
  std::vector<std::string> known_;
};

// "1s", "500ms", "1h30m" → duration; nullopt when it is not one.
[[nodiscard]] std::optional<Duration> ParseDuration(std::string_view text);

}  // namespace limpet::yaml
