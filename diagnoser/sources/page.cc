#include "diagnoser/sources/page.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/negotiate.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

std::string_view Name(FetchFailure failure) {
  switch (failure) {
    case FetchFailure::kResolve:
      return "resolve";
    case FetchFailure::kConnect:
      return "connect";
    case FetchFailure::kTls:
      return "tls";
    case FetchFailure::kTimeout:
      return "timeout";
    case FetchFailure::kProtocol:
      return "protocol";
    case FetchFailure::kStatus:
      return "status";
    case FetchFailure::kContentType:
      return "content_type";
    case FetchFailure::kTooLarge:
      return "too_large";
    case FetchFailure::kEncoding:
      return "encoding";
    case FetchFailure::kPage:
      return "page";
    case FetchFailure::kAbsent:
      return "absent";
  }
  return "";
}

std::variant<DecodedPage, FetchProblem> ReadAnswer(Answer answer, std::size_t max_body) {
  if (answer.status >= 300 && answer.status < 400) {
    // Following one would send credentials wherever a target says.
    return FetchProblem{FetchFailure::kStatus,
                        "answers " + std::to_string(answer.status) + ", a redirect to \"" +
                            std::string(answer.location.substr(0, 200)) +
                            "\"; redirects are not followed: configure the final address"};
  }
  if (answer.status != 200) {
    const auto hint =
        answer.status == 401   ? "; check basic_auth"
        : answer.status == 403 ? "; check basic_auth and the addresses that it lets in"
        : answer.status == 400 && answer.accept.empty() ? "; does it want TLS (scheme: https)?"
        : answer.status == 404 && answer.accept.empty() ? "; check metrics_path"
                                                        : "";
    return FetchProblem{FetchFailure::kStatus,
                        "expected status 200, got " + std::to_string(answer.status) + hint};
  }
  // A missing type is read as text, as Prometheus 2 does.
  const auto type = Trim(answer.content_type);
  const auto format =
      type.empty() || !answer.accept.empty() ? Format::kText : ParseContentType(type);
  if (!answer.accept.empty() && Lower(Trim(type.substr(0, type.find(';')))) != answer.accept) {
    return FetchProblem{FetchFailure::kContentType, "expected " + std::string(answer.accept) +
                                                        ", got " + std::string(type.substr(0, 80))};
  }
  // HTML of a login page or another program: parsed, it would be a target without series.
  if (!format) {
    return FetchProblem{FetchFailure::kContentType, "expected a metrics page, got " +
                                                        std::string(type.substr(0, 80)) +
                                                        "; check the port and metrics_path"};
  }
  const auto encoding = Lower(Trim(answer.content_encoding));
  if (encoding.empty() || encoding == "identity") {
    return DecodedPage{std::move(answer.body), *format};
  }
  if (encoding != "gzip" && encoding != "x-gzip") {
    return FetchProblem{FetchFailure::kEncoding,
                        "expected Content-Encoding gzip or none, got " + encoding.substr(0, 80)};
  }
  // The bound is on what comes out: a page of zeros shrinks a thousandfold.
  auto decoded = Decode(Encoding::kGzip, answer.body, {.max_output = max_body});
  if (!decoded) {
    return FetchProblem{decoded.error().code == ErrorCode::kTooLarge ? FetchFailure::kTooLarge
                                                                     : FetchFailure::kEncoding,
                        decoded.error().message};
  }
  // Half a page reads well, but its missing series would look as if devices had gone.
  if (decoded->cut) {
    return FetchProblem{FetchFailure::kEncoding, "the end of the compressed page is missing"};
  }
  return DecodedPage{std::move(decoded->text), *format};
}

}  // namespace limpet
