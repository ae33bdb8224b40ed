#include "diagnoser/sources/named_text.h"

#include <fmt/format.h>

#include "exporter/common/text.h"

namespace limpet {
namespace {

// Where the labels of a sample begin: behind its name.
std::size_t EndOfName(std::string_view line) {
  return std::min(line.find_first_of("{ \t"), line.size());
}

bool BeginsWithName(std::string_view line) {
  const char c = line.front();
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}

// A page that was scraped just now has none, and is no recording.
bool HasTime(std::string_view line) {
  const auto brace = line.rfind('}');
  Fields fields(line.substr(brace == std::string_view::npos ? EndOfName(line) : brace + 1));
  return !fields.Next().empty() && !fields.Next().empty();
}

}  // namespace

bool LacksNode(std::string_view text) {
  Lines lines(text);
  while (const auto line = lines.Next()) {
    if (!line->empty() && line->front() != '#') {
      return BeginsWithName(*line) && HasTime(*line) &&
             line->find("{instance=\"") == std::string_view::npos &&
             line->find(",instance=\"") == std::string_view::npos;
    }
  }
  return false;
}

std::string NodeOfFile(std::string_view path) {
  const auto slash = path.rfind('/');
  const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return std::string(name.substr(0, name.find('.')));
}

// Pages of one node are mostly kept in one file, and a page does not say its node.
NamedText::NamedText(InputNotes& notes) : notes_(notes) {
  std::string node;
  for (const char c : NodeOfFile(notes.Path())) {
    node.append(c == '"' || c == '\\' ? 1 : 0, '\\').append(1, c);
  }
  label_ = fmt::format("instance=\"{}\"", node);
}

void NamedText::AddLine(std::string_view line, std::string& out) const {
  // An end mark may stand at the end of each page of several in one file.
  if (line.starts_with('#') || Trim(line).empty()) {
    if (!line.starts_with("# EOF")) {
      out.append(line).append("\n");
    }
    return;
  }
  const auto name = EndOfName(line);
  out.append(line.substr(0, name)).append("{").append(label_);
  if (name == line.size() || line[name] != '{') {
    out.append("}").append(line.substr(name));
  } else {
    const auto labels = line.substr(name + 1);
    out.append(Trim(labels).starts_with('}') ? "" : ",").append(labels);
  }
  out.append("\n");
}

Result<std::string> NamedText::Feed(std::string_view plain) {
  std::string out;
  while (true) {
    const auto newline = plain.find('\n');
    const auto part = plain.substr(0, newline);
    if (rest_.size() + part.size() > kMaxLine) {
      return Error{ErrorCode::kTooLarge, "expected lines of at most 1 MiB",
                   fmt::format("{}:{}", notes_.Path(), line_ + 1)};
    }
    rest_.append(part);
    if (newline == std::string_view::npos) {
      return out;
    }
    plain.remove_prefix(newline + 1);
    ++line_;
    AddLine(rest_, out);
    rest_.clear();
  }
}

// A last line without its newline may lack digits.
Result<std::string> NamedText::Finish() { return std::string(); }

}  // namespace limpet
