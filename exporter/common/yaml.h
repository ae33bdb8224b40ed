// yaml.h: readers of configuration files that name what is wrong.
//
// Every problem reads "exporter.yml:12: sampling.interval: expected a duration such as 1s, got
// \"fast\""; all problems of a file are reported, not only the first.
// Threads: values.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/time.h"
#include "exporter/common/yaml_tree.h"

namespace limpet::yaml {

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
  [[nodiscard]] std::optional<std::int64_t> Integer(std::string_view key, std::int64_t min,
                                                    std::int64_t max);
  [[nodiscard]] std::optional<double> Number(std::string_view key,
                                             double min = std::numeric_limits<double>::lowest(),
                                             double max = std::numeric_limits<double>::max());
  // "1s", "500ms", "5m", "1h30m", "2d"; at least `min`.
  [[nodiscard]] std::optional<Duration> Time(std::string_view key, Duration min);
  // A regular expression that compiles (whole-string match, Boost.Regex Perl syntax).
  [[nodiscard]] std::optional<std::string> Regex(std::string_view key);
  [[nodiscard]] std::vector<std::string> Texts(std::string_view key);
  // A list whose items are texts or maps.
  struct TextsAndMaps {
    std::vector<std::string> texts;
    std::vector<MapReader> maps;
  };
  [[nodiscard]] TextsAndMaps TextsOrMaps(std::string_view key);
  // Free-form text map, such as labels.
  [[nodiscard]] std::map<std::string, std::string> TextMap(std::string_view key);
  // Reads as TextMap does, for regular expressions.
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
