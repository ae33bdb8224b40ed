#include "diagnoser/sources/http_response.h"

#include <string>
#include <utility>
#include <variant>

#include "diagnoser/sources/page.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

namespace http = boost::beast::http;

constexpr std::size_t kMaxReason = 2048;  // of a refusal, for people
// A server that wants to be left alone for a day or more is misconfigured: our own pauses are
// better.
constexpr std::uint64_t kMaxRetryAfter = 86'400;

}  // namespace

FetchResult ReadResponse(http::response<http::string_body> message, const Endpoint& endpoint) {
  // Copies: the body is moved out of the message while these are still needed.
  const auto field = [&](http::field name) {
    const auto value = message[name];
    return std::string(value.data(), value.size());
  };
  const auto content_type = field(http::field::content_type);
  const auto content_encoding = field(http::field::content_encoding);
  const auto location = field(http::field::location);
  const auto status = message.result_int();
  const auto retry_after = ParseU64(field(http::field::retry_after));
  const bool wants_reason = !endpoint.accept.empty() && status != 200;
  auto reason = wants_reason ? message.body().substr(0, kMaxReason) : std::string();
  auto page = ReadAnswer({.status = status,
                          .content_type = content_type,
                          .content_encoding = content_encoding,
                          .location = location,
                          .accept = endpoint.accept,
                          .body = std::move(message.body())},
                         endpoint.max_body);
  FetchResult result;
  result.status = status;
  if (auto* problem = std::get_if<FetchProblem>(&page)) {
    result.failure = problem->failure;
    result.error = std::move(problem->text);
    result.body = std::move(reason);
    if (retry_after && *retry_after < kMaxRetryAfter) {
      result.retry_after = std::chrono::seconds(*retry_after);
    }
    return result;
  }
  auto& decoded = std::get<DecodedPage>(page);
  result.body = std::move(decoded.body);
  result.format = decoded.format;
  return result;
}

// What a receiver says beside its status is for people who look for a mistake.
FetchResult ReadReceipt(const http::response<http::string_body>& message) {
  FetchResult result;
  result.status = message.result_int();
  result.body = message.body().substr(0, kMaxReason);
  if (result.status >= 200 && result.status < 300) {
    return result;
  }
  result.failure = FetchFailure::kStatus;
  const auto location = message[http::field::location];
  result.error = "expected a status of 200 to 299, got " + std::to_string(result.status);
  if (!location.empty()) {
    result.error += ", to " + std::string(location.data(), location.size()) +
                    ": redirects are not followed, name that URL instead";
  }
  const auto retry_after = message[http::field::retry_after];
  const auto seconds = ParseU64({retry_after.data(), retry_after.size()});
  if (seconds && *seconds < kMaxRetryAfter) {
    result.retry_after = std::chrono::seconds(*seconds);
  }
  return result;
}

}  // namespace limpet
