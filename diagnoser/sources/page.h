// page.h: is an HTTP answer a metrics page, and in which format? What the fetcher asks for and how
// it reads what comes.
//
// Threads: pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "diagnoser/sources/fetcher.h"

namespace limpet {

struct Answer {
  unsigned status = 0;
  std::string_view content_type;
  std::string_view content_encoding;
  std::string_view location;  // of a redirect
  std::string_view accept;    // the media type that was asked for; empty: a metrics page
  std::string body;           // as sent
};

struct FetchProblem {
  FetchFailure failure;
  std::string text;
};

struct DecodedPage {
  std::string body;
  Format format;
};

// Redirects are not followed: the error names the place to put into the configuration.
[[nodiscard]] std::variant<DecodedPage, FetchProblem> ReadAnswer(Answer answer,
                                                                 std::size_t max_body);

}  // namespace limpet
