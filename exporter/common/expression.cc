#include "exporter/common/expression.h"

#include <boost/regex.hpp>
#include <stdexcept>
#include <utility>

namespace limpet {
namespace {

// Takes the white space off the end that an expression with (?x) may hold anywhere.
std::string_view Trimmed(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\n\v\f\r");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Boost 1.74 never ends reading "a*+(?#b)c": behind a repeat that gives nothing back it looks for
// another past the comment, and only a few characters let it stop.
bool HasCommentBehindRepeat(std::string_view text) {
  constexpr std::string_view kComment = "(?#";
  constexpr std::string_view kRepeats = "*+?}";
  for (auto at = text.find(kComment); at != std::string_view::npos;
       at = text.find(kComment, at + 1)) {
    auto before = Trimmed(text.substr(0, at));
    if (before.ends_with('+')) {
      before = Trimmed(before.substr(0, before.size() - 1));
      if (!before.empty() && kRepeats.find(before.back()) != std::string_view::npos) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

struct Expression::Compiled {
  boost::regex regex;
};

Expression::Expression(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

Result<Expression> Expression::Compile(std::string_view text) {
  if (HasCommentBehindRepeat(text)) {
    return Error{ErrorCode::kInvalid, "a comment cannot follow a repeat that ends in +", {}};
  }
  try {
    return Expression(std::make_shared<const Compiled>(
        Compiled{boost::regex(text.begin(), text.end(), boost::regex::perl)}));
  } catch (const std::runtime_error& why) {
    return Error{ErrorCode::kInvalid, why.what(), {}};
  }
}

bool Expression::Matches(std::string_view text) const {
  try {
    return boost::regex_match(text.begin(), text.end(), compiled_->regex);
  } catch (const std::runtime_error&) {
    return false;
  }
}

bool Expression::Finds(std::string_view text) const {
  try {
    return boost::regex_search(text.begin(), text.end(), compiled_->regex);
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace limpet
