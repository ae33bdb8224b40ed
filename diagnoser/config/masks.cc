#include "diagnoser/config/masks.h"

#include <algorithm>

#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::size_t kLongestName = 512;

// Empty when the line is right.
std::string FindProblem(std::string_view name) {
  if (name.size() > kLongestName) {
    return "a name of more than " + std::to_string(kLongestName) + " bytes";
  }
  // A blank in it is most likely a remark without its #: refused, or the mask would name nobody.
  if (std::any_of(name.begin(), name.end(),
                  [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; })) {
    return "expected one node or node/device a line, got \"" + std::string(name) +
           "\"; comments begin with #";
  }
  const auto slash = name.find('/');
  if (slash == 0 || (slash != std::string_view::npos && slash + 1 == name.size())) {
    return "expected node or node/device, got \"" + std::string(name) + "\"";
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> ParseMasks(std::string_view text, const std::string& file) {
  std::vector<std::string> masks;
  Lines lines(text);
  std::size_t number = 0;
  while (const auto line = lines.Next()) {
    ++number;
    // Everything behind a # goes first: a comment may hold anything.
    const auto name = Trim(line->substr(0, line->find('#')));
    if (name.empty()) {
      continue;
    }
    auto problem = FindProblem(name);
    if (problem.empty() && masks.size() == kMaxMasks) {
      problem = "more than " + std::to_string(kMaxMasks) + " entries";
    }
    if (!problem.empty()) {
      return Error{ErrorCode::kInvalid, std::move(problem), file + ":" + std::to_string(number)};
    }
    masks.emplace_back(name);
  }
  return masks;
}

}  // namespace limpet
