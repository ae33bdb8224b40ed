#include "diagnoser/sources/http_problem.h"

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/http/error.hpp>
#include <string>

namespace limpet {

namespace asio = boost::asio;
namespace http = boost::beast::http;

std::string_view Describe(Stage stage) {
  switch (stage) {
    case Stage::kResolving:
      return "looking up its name";
    case Stage::kConnecting:
      return "connecting";
    case Stage::kHandshake:
      return "in the TLS handshake";
    case Stage::kSending:
      return "sending the request";
    case Stage::kHeader:
      return "waiting for an answer";
    case Stage::kBody:
      return "reading the page";
  }
  return "";
}

FetchProblem ExplainBreak(boost::system::error_code code, Stage stage, bool untouched,
                          std::size_t max_body) {
  if (code == http::error::body_limit) {
    return {FetchFailure::kTooLarge,
            "the page is over " + std::to_string(max_body) + " bytes (body_size_limit)"};
  }
  // Closing without a word is how a busy or restarting server refuses; it is no protocol error.
  if (stage == Stage::kSending || (untouched && code == http::error::end_of_stream)) {
    return {FetchFailure::kConnect, "closed the connection without an answer"};
  }
  if (code == http::error::partial_message || code == asio::error::connection_reset ||
      code == asio::ssl::error::stream_truncated) {
    return {FetchFailure::kProtocol, "closed the connection in the middle of its answer"};
  }
  return {FetchFailure::kProtocol,
          "expected an HTTP answer; " + std::string(Describe(stage)) + ": " + code.message()};
}

}  // namespace limpet
