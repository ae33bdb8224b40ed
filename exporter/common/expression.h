// expression.h: an operator's regular expression, in Perl's syntax. Boost's, since the standard
// library's recurses once a character and a long text ends it.
//
// Threads: a value; const functions may be called by any number at a time.
#pragma once

#include <memory>
#include <string_view>

#include "exporter/common/result.h"

namespace limpet {

class Expression {
 public:
  // kInvalid with the reason alone, such as "Unmatched [ …"; comments, "(?#…)", are refused.
  [[nodiscard]] static Result<Expression> Compile(std::string_view text);

  // Returns whether it matches all of `text`, or a part of it. One that needs too many steps for a
  // text does not match.
  [[nodiscard]] bool Matches(std::string_view text) const;
  [[nodiscard]] bool Finds(std::string_view text) const;

 private:
  struct Compiled;
  explicit Expression(std::shared_ptr<const Compiled> compiled);

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace limpet
