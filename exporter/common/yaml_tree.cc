#include "exporter/common/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace limpet::yaml {
namespace {

constexpr std::size_t kMaxDepth = 32;

struct Refused : std::runtime_error {
  Refused(int at, const std::string& text) : std::runtime_error(text), line(at) {}
  int line;
};

struct Extent {
  std::size_t nodes = 1;
  std::size_t depth = 1;
};

Extent Measure(const Node& node) {
  Extent extent;
  for (const auto& item : node.items) {
    const auto inner = Measure(item);
    extent.nodes += inner.nodes;
    extent.depth = std::max(extent.depth, inner.depth + 1);
  }
  return extent;
}

// Adds the keys of `source` that `map` does not have.
void Merge(const Node& source, Node& map) {
  if (source.kind != Node::Kind::kMap) {
    throw Refused(source.line, "<<: expected a map, or a list of maps");
  }
  for (std::size_t i = 0; i < source.keys.size(); ++i) {
    if (map.Find(source.keys[i]) == nullptr) {
      map.keys.push_back(source.keys[i]);
      map.items.push_back(source.items[i]);
    }
  }
}

// Replaces the merge key of a map by what it stands for; of several maps the first one counts.
void ApplyMergeKey(Node& map) {
  const auto found = std::find(map.keys.begin(), map.keys.end(), "<<");
  if (found == map.keys.end()) {
    return;
  }
  const auto at = found - map.keys.begin();
  const auto merged = std::move(map.items[static_cast<std::size_t>(at)]);
  map.keys.erase(found);
  map.items.erase(map.items.begin() + at);
  if (merged.kind != Node::Kind::kList) {
    Merge(merged, map);
    return;
  }
  for (const auto& source : merged.items) {
    Merge(source, map);
  }
}

// Builds our tree from yaml-cpp's events, so that aliases and duplicates never get far.
class Builder final : public YAML::EventHandler {
 public:
  Node root;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Add(Node{.kind = Node::Kind::kNull, .line = mark.line + 1}, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      throw Refused(mark.line + 1, "an alias (*name) stands inside of what it names");
    }
    Charge(found->second, mark);
    if (levels_.size() + Measure(found->second).depth > kMaxDepth) {
      throw Refused(mark.line + 1, kTooDeep);
    }
    Add(found->second, YAML::NullAnchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const bool quoted = tag == "!";  // yaml-cpp's mark of a quoted scalar
    const bool is_null = !quoted && (value.empty() || value == "~" || value == "null");
    Add(Node{.kind = is_null ? Node::Kind::kNull : Node::Kind::kScalar,
             .line = mark.line + 1,
             .quoted = quoted,
             .scalar = value},
        anchor);
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
  void OnMapEnd() override {
    ApplyMergeKey(levels_.back().node);
    Close();
  }

 private:
  static constexpr const char* kTooDeep = "nested deeper than 32 levels";

  struct Level {
    Node node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::optional<std::string> key;
    std::unordered_set<std::string> keys;  // a map of thresholds has tens of thousands
  };

  // Every copy counts, also that which is kept for later aliases.
  void Charge(const Node& node, const YAML::Mark& mark) {
    copied_ += Measure(node).nodes;
    if (copied_ > kMaxCopied) {
      throw Refused(mark.line + 1, "aliases (*name) add more than " + std::to_string(kMaxCopied) +
                                       " values to the file; write them out");
    }
  }

  void Open(const YAML::Mark& mark, YAML::anchor_t anchor, Node::Kind kind) {
    // yaml-cpp recurses: a file of brackets would overflow the stack.
    if (levels_.size() >= kMaxDepth) {
      throw Refused(mark.line + 1, kTooDeep);
    }
    levels_.push_back({Node{.kind = kind, .line = mark.line + 1}, anchor, std::nullopt, {}});
  }

  // A finished list or map is a value of the level above.
  void Close() {
    Node node = std::move(levels_.back().node);
    const auto anchor = levels_.back().anchor;
    levels_.pop_back();
    Add(std::move(node), anchor);
  }

  void Add(Node node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      YAML::Mark mark;
      mark.line = node.line - 1;
      Charge(node, mark);
      anchors_[anchor] = node;
    }
    if (levels_.empty()) {
      root = std::move(node);
      return;
    }
    // In a map, keys and values arrive alternately.
    auto& [parent, of_parent, key, keys] = levels_.back();
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
  std::map<YAML::anchor_t, Node> anchors_;  // those that are complete
  std::size_t copied_ = 0;
};

// The first line that is indented with a tab, from 1. yaml-cpp's own words for it ("illegal block
// entry") help nobody.
std::optional<std::size_t> FirstTab(std::string_view text) {
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    const auto indent = line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
    if (indent.find('\t') != std::string_view::npos && indent.size() < line.size()) {
      return number;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

// YAML has no control characters but tab and line ends; yaml-cpp reads on as if some were another
// character, or none, so a name would not be read as it stands.
std::optional<Error> FindControlCharacter(std::string_view text, const std::string& file) {
  std::size_t line = 1;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    line += c == '\n' ? 1 : 0;
    if ((byte < 0x20 && c != '\n' && c != '\t' && c != '\r') || byte == 0x7f) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("expected text, found the control character 0x{:02x}; remove it, or "
                               "write it in double quotes as \\x{:02x}",
                               byte, byte),
                   fmt::format("{}:{}", file, line)};
    }
  }
  return std::nullopt;
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
  if (auto problem = FindControlCharacter(text, file)) {
    return std::move(*problem);
  }
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    Builder builder;
    parser.HandleNextDocument(builder);
    // Silently reading the first of two would hide a file that was concatenated by mistake.
    Builder second;
    if (parser.HandleNextDocument(second)) {
      return Error{ErrorCode::kInvalid, "expected one document, found a second one", file};
    }
    return std::move(builder.root);
  } catch (const Refused& refused) {
    return Error{ErrorCode::kInvalid, refused.what(), file + ":" + std::to_string(refused.line)};
  } catch (const YAML::Exception& failed) {
    if (const auto line = FirstTab(text)) {
      return Error{ErrorCode::kInvalid, "not YAML: the line begins with a tab; indent with spaces",
                   file + ":" + std::to_string(*line)};
    }
    return Error{ErrorCode::kInvalid,
                 "not YAML: " + failed.msg +
                     "; check the indentation, brackets and quotes of this line and the one before",
                 file + ":" + std::to_string(failed.mark.line + 1)};
  }
}

}  // namespace limpet::yaml
