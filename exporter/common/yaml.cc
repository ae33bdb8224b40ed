#include "exporter/common/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <boost/regex.hpp>
#include <sstream>
#include <stdexcept>
#include <unordered_set>

#include "exporter/common/text.h"

namespace limpet::yaml {
namespace {

constexpr std::size_t kMaxDepth = 32;

struct Refused : std::runtime_error {
  Refused(int at, const std::string& text) : std::runtime_error(text), line(at) {}
  int line;
};

// Builds our tree from yaml-cpp's events, so that aliases and duplicates never get far.
class Builder final : public YAML::EventHandler {
 public:
  Node root;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    NoAnchor(mark, anchor);
    Add(Node{.kind = Node::Kind::kNull, .line = mark.line + 1});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused(mark.line + 1, "aliases (*name) are not accepted; write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    NoAnchor(mark, anchor);
    const bool quoted = tag == "!";
    const bool is_null = !quoted && (value.empty() || value == "~" || value == "null");
    Add(Node{.kind = is_null ? Node::Kind::kNull : Node::Kind::kScalar,
             .line = mark.line + 1,
             .quoted = quoted,
             .scalar = value});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(mark, anchor, Node::Kind::kList);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Open(mark, anchor, Node::Kind::kMap);
  }
  void OnMapEnd() override { Close(); }

 private:
  struct Level {
    Node node;
    std::optional<std::string> key;
    std::unordered_set<std::string> keys;  // a map of thresholds has tens of thousands
  };

  static void NoAnchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) {
      throw Refused(mark.line + 1, "anchors (&name) are not accepted; write the value out");
    }
  }

  void Open(const YAML::Mark& mark, YAML::anchor_t anchor, Node::Kind kind) {
    NoAnchor(mark, anchor);
    if (levels_.size() >= kMaxDepth) {
      throw Refused(mark.line + 1, "nested deeper than 32 levels");
    }
    levels_.push_back({Node{.kind = kind, .line = mark.line + 1}, std::nullopt, {}});
  }

  void Close() {
    Node node = std::move(levels_.back().node);
    levels_.pop_back();
    Add(std::move(node));
  }

  void Add(Node node) {
    if (levels_.empty()) {
      root = std::move(node);
      return;
    }
    auto& [parent, key, keys] = levels_.back();
    if (parent.kind == Node::Kind::kList) {
      parent.items.push_back(std::move(node));
    } else if (!key) {
      if (node.kind != Node::Kind::kScalar) {
        throw Refused(node.line, "expected a plain text as key");
      }
      if (!keys.insert(node.scalar).second) {
        throw Refused(node.line, node.scalar + ": key given twice");
      }
      key = std::move(node.scalar);
    } else {
      parent.keys.push_back(std::move(*key));
      parent.items.push_back(std::move(node));
      key.reset();
    }
  }

  std::vector<Level> levels_;
};

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

const Node* Node::Find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  if (found == keys.end()) {
    return nullptr;
  }
  return &items[static_cast<std::size_t>(found - keys.begin())];
}

Result<Node> Parse(std::string_view text, const std::string& file, std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    return Error{ErrorCode::kTooLarge,
                 "expected at most " + std::to_string(max_bytes >> 20U) + " MiB", file};
  }
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    Builder builder;
    parser.HandleNextDocument(builder);
    Builder second;
    if (parser.HandleNextDocument(second)) {
      return Error{ErrorCode::kInvalid, "expected one document, found a second one", file};
    }
    return std::move(builder.root);
  } catch (const Refused& refused) {
    return Error{ErrorCode::kInvalid, refused.what(), file + ":" + std::to_string(refused.line)};
  } catch (const YAML::Exception& failed) {
    return Error{ErrorCode::kInvalid, "not YAML: " + failed.msg,
                 file + ":" + std::to_string(failed.mark.line + 1)};
  }
}

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

MapReader::MapReader(const Node* node, std::string path, Problems& problems)
    : node_(node), path_(std::move(path)), problems_(&problems) {
  if (node_ != nullptr && node_->kind != Node::Kind::kMap) {
    if (node_->kind != Node::Kind::kNull) {
      problems_->Add(node_->line, path_, "expected a map (key: value), got " + Describe(*node_));
    }
    node_ = nullptr;
  }
}

std::string MapReader::Full(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

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
  std::string expected = "one of";
  for (const auto& choice : choices) {
    expected += " " + choice;
  }
  const Node* node = Scalar(key, expected);
  if (node == nullptr) {
    return std::nullopt;
  }
  if (std::find(choices.begin(), choices.end(), node->scalar) == choices.end()) {
    Expected(*node, key, expected);
    return std::nullopt;
  }
  return node->scalar;
}

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

std::optional<std::int64_t> MapReader::Integer(std::string_view key, std::int64_t least,
                                               std::int64_t most) {
  const auto expected =
      "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  const Node* node = Scalar(key, expected);
  if (node == nullptr) {
    return std::nullopt;
  }
  const auto value = ParseI64(node->scalar);
  if (!value || *value < least || *value > most) {
    Expected(*node, key, expected);
    return std::nullopt;
  }
  return value;
}

std::optional<double> MapReader::Number(std::string_view key, double least, double most) {
  std::ostringstream expected;
  expected << "a number";
  if (least > std::numeric_limits<double>::lowest()) {
    expected << " of at least " << least;
  }
  if (most < std::numeric_limits<double>::max()) {
    expected << " and at most " << most;
  }
  const Node* node = Scalar(key, expected.str());
  if (node == nullptr) {
    return std::nullopt;
  }
  const auto value = ParseDouble(node->scalar);
  if (!value || !(*value >= least && *value <= most)) {  // NaN fails too
    Expected(*node, key, expected.str());
    return std::nullopt;
  }
  return value;
}

std::optional<Duration> MapReader::Time(std::string_view key, Duration least) {
  constexpr std::string_view kExpected = "a duration such as 1s or 500ms";
  const Node* node = Scalar(key, kExpected);
  if (node == nullptr) {
    return std::nullopt;
  }
  const auto value = ParseDuration(node->scalar);
  if (!value) {
    Expected(*node, key, kExpected);
    return std::nullopt;
  }
  if (*value < least) {
    std::ostringstream text;
    text << "a duration of at least " << ToSeconds(least) << "s";
    Expected(*node, key, text.str());
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> MapReader::CheckedRegex(const Node& node, std::string_view key) {
  try {
    const boost::regex compiled(node.scalar, boost::regex::perl);
  } catch (const boost::regex_error& failed) {
    problems_->Add(node.line, Full(key),
                   "expected a regular expression, got " + Describe(node) + ": " + failed.what());
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

std::vector<std::int64_t> MapReader::Integers(std::string_view key, std::int64_t least,
                                              std::int64_t most) {
  std::vector<std::int64_t> numbers;
  const auto expected =
      "a list of whole numbers from " + std::to_string(least) + " to " + std::to_string(most);
  const Node* node = Get(key);
  if (node == nullptr) {
    return numbers;
  }
  if (node->kind != Node::Kind::kList) {
    Expected(*node, key, expected);
    return numbers;
  }
  for (const auto& item : node->items) {
    const auto value = ParseI64(item.scalar);
    if (!value || *value < least || *value > most) {
      Expected(item, key, expected);
    } else {
      numbers.push_back(*value);
    }
  }
  return numbers;
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
  auto texts = TextMap(key);
  const Node* node = node_ == nullptr ? nullptr : node_->Find(key);
  for (auto text = texts.begin(); text != texts.end();) {
    const auto full = std::string(key) + "." + text->first;
    text = CheckedRegex(*node->Find(text->first), full) ? std::next(text) : texts.erase(text);
  }
  return texts;
}

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
      std::string text = "unknown key; expected one of";
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
  if (!(seconds <= 1e9)) {
    return std::nullopt;
  }
  return std::chrono::round<Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace limpet::yaml
