#include "exporter/common/expression.h"

#include <boost/regex.hpp>
#include <stdexcept>
#include <utility>

namespace limpet {

struct Expression::Compiled {
  boost::regex regex;
};

Expression::Expression(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

Result<Expression> Expression::Compile(std::string_view text) {
  // Boost 1.74 never ends reading "a*+(?#b)c": behind a repeat that gives nothing back it looks for
  // another past the comment, and only a few characters let it stop.
  if (text.find("(?#") != std::string_view::npos) {
    return Error{ErrorCode::kInvalid, "comments, \"(?#\", are not taken", {}};
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
