#include "exporter/common/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
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
    const bool quoted = tag == "!";  // yaml-cpp's mark of a quoted scalar
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
    // yaml-cpp recurses: a file of brackets would overflow the stack.
    if (levels_.size() >= kMaxDepth) {
      throw Refused(mark.line + 1, "nested deeper than 32 levels");
    }
    levels_.push_back({Node{.kind = kind, .line = mark.line + 1}, std::nullopt, {}});
  }

  // A finished list or map is a value of the level above.
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
    // In a map, keys and values arrive alternately.
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
