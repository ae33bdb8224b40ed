#include "exporter/common/yaml.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <sstream>
#include <utility>

#include "exporter/common/closest.h"
#include "exporter/common/expression.h"
#include "exporter/common/text.h"

namespace limpet::yaml {
namespace {

// What stands there instead, for "expected …, got …"; long texts would hide the rest of the line.
std::string Describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull:
      return "nothing";
    case Node::Kind::kScalar:
      return '"' + node.scalar.substr(0, 80) + '"';
    case Node::Kind::kList:
      return "a list";
    case Node::Kind::kMap:
      return "a map";
  }
  return "";
}

}  // namespace

// A line of 0 is a problem of the file as a whole.
void Problems::Add(int line, std::string_view key, std::string_view text) {
  std::string problem = file;
  if (line > 0) {
    problem += ":" + std::to_string(line);
  }
  problem.append(": ");
  if (!key.empty()) {
    problem.append(key).append(": ");
  }
  texts.push_back(problem.append(text));
}

std::string Problems::Joined() const {
  std::string joined;
  for (const auto& text : texts) {
    if (!joined.empty()) {
      joined += '\n';
    }
    joined += text;
  }
  return joined;
}

// A section that is there but empty ("disk:") is a person who commented its keys out: no mistake.
MapReader::MapReader(const Node* node, std::string path, Problems& problems)
    : node_(node), path_(std::move(path)), problems_(&problems) {
  if (node_ != nullptr && node_->kind != Node::Kind::kMap) {
    if (node_->kind != Node::Kind::kNull) {
      // "address:io01" is a plain text to YAML.
      const auto colon = node_->scalar.find(':');
      problems_->Add(node_->line, path_,
                     "expected a map (key: value), got " + Describe(*node_) +
                         (colon == std::string::npos ? "" : "; a space belongs behind the colon"));
    }
    node_ = nullptr;
  }
}

std::string MapReader::Full(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

// Asking is what makes a key known, so that a reader and its list of keys cannot differ.
const Node* MapReader::Get(std::string_view key) {
  known_.emplace_back(key);
  const Node* found = node_ == nullptr ? nullptr : node_->Find(key);
  return found == nullptr || found->kind == Node::Kind::kNull ? nullptr : found;
}

bool MapReader::Has(std::string_view key) const {
  return node_ != nullptr && node_->Find(key) != nullptr;
}

void MapReader::Expected(const Node& node, std::string_view key, std::string_view expected) {
  problems_->Add(node.line, Full(key),
                 "expected " + std::string(expected) + ", got " + Describe(node));
}

const Node* MapReader::Scalar(std::string_view key, std::string_view expected) {
  const Node* node = Get(key);
  if (node != nullptr && node->kind != Node::Kind::kScalar) {
    Expected(*node, key, expected);
    return nullptr;
  }
  return node;
}

std::optional<std::string> MapReader::Text(std::string_view key) {
  const Node* node = Scalar(key, "a text");
  return node == nullptr ? std::nullopt : std::optional(node->scalar);
}

std::optional<std::string> MapReader::OneOf(std::string_view key,
                                            const std::vector<std::string>& choices) {
  std::string expected = choices.size() == 1 ? "" : "one of ";
  for (const auto& choice : choices) {
    expected += (&choice == choices.data() ? "" : " ") + choice;
  }
  const Node* node = Scalar(key, expected);
  if (node == nullptr) {
    return std::nullopt;
  }
  if (std::find(choices.begin(), choices.end(), node->scalar) == choices.end()) {
    problems_->Add(
        node->line, Full(key),
        "expected " + expected + ", got " + Describe(*node) + DidYouMean(node->scalar, choices));
    return std::nullopt;
  }
  return node->scalar;
}

// Not yes, no, on and off: YAML 1.1 takes them for booleans, 1.2 for texts, people for either.
std::optional<bool> MapReader::Bool(std::string_view key) {
  const Node* node = Scalar(key, "true or false");
  if (node == nullptr) {
    return std::nullopt;
  }
  if (node->scalar != "true" && node->scalar != "false") {
    Expected(*node, key, "true or false");
    return std::nullopt;
  }
  return node->scalar == "true";
}

std::optional<std::int64_t> MapReader::Integer(std::string_view key, std::int64_t min,
                                               std::int64_t max) {
  const auto expected = "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
  const Node* node = Scalar(key, expected);
  if (node == nullptr) {
    return std::nullopt;
  }
  const auto value = ParseI64(node->scalar);
  if (!value || *value < min || *value > max) {
    Expected(*node, key, expected);
    return std::nullopt;
  }
  return value;
}

std::optional<double> MapReader::Number(std::string_view key, double min, double max) {
  std::ostringstream expected;
  expected << "a number";
  if (min > std::numeric_limits<double>::lowest()) {
    expected << " of at least " << min;
  }
  if (max < std::numeric_limits<double>::max()) {
    expected << " and at most " << max;
  }
  const Node* node = Scalar(key, expected.str());
  if (node == nullptr) {
    return std::nullopt;
  }
  const auto value = ParseDouble(node->scalar);
  if (!value || !(*value >= min && *value <= max)) {  // NaN fails too
    Expected(*node, key, expected.str());
    return std::nullopt;
  }
  return value;
}

std::optional<Duration> MapReader::Time(std::string_view key, Duration min) {
  constexpr std::string_view kExpected = "a duration such as 1s or 500ms";
  const Node* node = Scalar(key, kExpected);
  if (node == nullptr) {
    return std::nullopt;
  }
  const auto value = ParseDuration(node->scalar);
  if (!value) {
    // "15" would be seconds to some and milliseconds to others.
    const auto unit = ParseDouble(node->scalar) ? "; the unit is missing: s, ms, m, h or d" : "";
    problems_->Add(node->line, Full(key),
                   "expected " + std::string(kExpected) + ", got " + Describe(*node) + unit);
    return std::nullopt;
  }
  if (*value < min) {
    std::ostringstream text;
    text << "a duration of at least " << ToSeconds(min) << "s";
    Expected(*node, key, text.str());
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> MapReader::CheckedRegex(const Node& node, std::string_view key) {
  // Compiled here only to report mistakes with their line; who uses it compiles it again.
  const auto compiled = Expression::Compile(node.scalar);
  if (!compiled) {
    problems_->Add(
        node.line, Full(key),
        "expected a regular expression, got " + Describe(node) + ": " + compiled.error().message);
    return std::nullopt;
  }
  return node.scalar;
}

std::optional<std::string> MapReader::Regex(std::string_view key) {
  const Node* node = Scalar(key, "a regular expression");
  return node == nullptr ? std::nullopt : CheckedRegex(*node, key);
}

std::vector<std::string> MapReader::Texts(std::string_view key) {
  std::vector<std::string> texts;
  const Node* node = Get(key);
  if (node == nullptr) {
    return texts;
  }
  if (node->kind != Node::Kind::kList) {
    Expected(*node, key, "a list of texts");
    return texts;
  }
  for (const auto& item : node->items) {
    if (item.kind != Node::Kind::kScalar) {
      Expected(item, key, "a list of texts");
    } else {
      texts.push_back(item.scalar);
    }
  }
  return texts;
}

MapReader::TextsAndMaps MapReader::TextsOrMaps(std::string_view key) {
  TextsAndMaps found;
  const Node* node = Get(key);
  if (node == nullptr) {
    return found;
  }
  if (node->kind != Node::Kind::kList) {
    Expected(*node, key, "a list of texts or maps");
    return found;
  }
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const auto& item = node->items[i];
    if (item.kind == Node::Kind::kScalar) {
      found.texts.push_back(item.scalar);
    } else if (item.kind == Node::Kind::kMap) {
      found.maps.emplace_back(&item, Full(key) + "[" + std::to_string(i) + "]", *problems_);
    } else {
      Expected(item, key, "a list of texts or maps");
    }
  }
  return found;
}

std::map<std::string, std::string> MapReader::TextMap(std::string_view key) {
  std::map<std::string, std::string> texts;
  const Node* node = Get(key);
  if (node == nullptr) {
    return texts;
  }
  if (node->kind != Node::Kind::kMap) {
    Expected(*node, key, "a map of texts");
    return texts;
  }
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    if (node->items[i].kind != Node::Kind::kScalar) {
      Expected(node->items[i], std::string(key) + "." + node->keys[i], "a text");
    } else {
      texts[node->keys[i]] = node->items[i].scalar;
    }
  }
  return texts;
}

std::map<std::string, std::string> MapReader::RegexMap(std::string_view key) {
  auto texts = TextMap(key);  // marks the key as known and reports what is not a text
  const Node* node = node_ == nullptr ? nullptr : node_->Find(key);
  if (node == nullptr) {
    return texts;
  }
  for (auto text = texts.begin(); text != texts.end();) {
    const auto full = std::string(key) + "." + text->first;
    text = CheckedRegex(*node->Find(text->first), full) ? std::next(text) : texts.erase(text);
  }
  return texts;
}

// Floors and thresholds by metric; a negative one would flag everything.
std::map<std::string, double> MapReader::NumberMap(std::string_view key) {
  std::map<std::string, double> numbers;
  const Node* node = Get(key);
  if (node == nullptr) {
    return numbers;
  }
  if (node->kind != Node::Kind::kMap) {
    Expected(*node, key, "a map of numbers");
    return numbers;
  }
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const auto value = ParseDouble(node->items[i].scalar);
    if (!value || !(*value >= 0)) {
      Expected(node->items[i], std::string(key) + "." + node->keys[i], "a number of at least 0");
    } else {
      numbers[node->keys[i]] = *value;
    }
  }
  return numbers;
}

// An absent section reads as an empty one, so that every default has one place, the struct.
MapReader MapReader::Map(std::string_view key) { return {Get(key), Full(key), *problems_}; }

std::vector<MapReader> MapReader::Maps(std::string_view key) {
  std::vector<MapReader> readers;
  const Node* node = Get(key);
  if (node == nullptr) {
    return readers;
  }
  if (node->kind != Node::Kind::kList) {
    Expected(*node, key, "a list of maps");
    return readers;
  }
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    readers.emplace_back(&node->items[i], Full(key) + "[" + std::to_string(i) + "]", *problems_);
  }
  return readers;
}

void MapReader::Refuse(std::string_view key, std::string_view text) {
  const Node* node = node_ == nullptr ? nullptr : node_->Find(key);
  problems_->Add(node == nullptr ? Line() : node->line, Full(key), text);
}

void MapReader::RefuseUnknown() {
  if (node_ == nullptr) {
    return;
  }
  for (std::size_t i = 0; i < node_->keys.size(); ++i) {
    if (std::find(known_.begin(), known_.end(), node_->keys[i]) == known_.end()) {
      // Most are typing errors: with the list, nobody needs to look it up.
      const auto closest = Closest(node_->keys[i], known_);
      auto text = "unknown key" +
                  (closest ? "; did you mean " + *closest + "?" : std::string(";")) +
                  " expected one of";
      for (const auto& known : known_) {
        text += " " + known;
      }
      problems_->Add(node_->items[i].line, Full(node_->keys[i]), text);
    }
  }
}

std::optional<Duration> ParseDuration(std::string_view text) {
  if (text.empty()) {
    return std::nullopt;
  }
  // "1h30m" as Prometheus writes it; parts are added in whatever order they come.
  double seconds = 0;
  while (!text.empty()) {
    const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto amount = ParseDouble(text.substr(0, digits));
    text.remove_prefix(digits);
    const auto letters = std::min(text.find_first_of("0123456789."), text.size());
    const auto unit = text.substr(0, letters);
    text.remove_prefix(letters);
    const double factor = unit == "ms"  ? 1e-3
                          : unit == "s" ? 1
                          : unit == "m" ? 60
                          : unit == "h" ? 3600
                          : unit == "d" ? 86400
                                        : 0;
    if (!amount || factor == 0) {
      return std::nullopt;
    }
    seconds += *amount * factor;
  }
  // 30 years: what is longer is a mistake, and would not fit nanoseconds much longer.
  if (!(seconds <= 1e9)) {
    return std::nullopt;
  }
  return std::chrono::round<Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace limpet::yaml
