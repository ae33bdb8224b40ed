#include "diagnoser/sources/http_problem.h"

#include <openssl/x509_vfy.h>

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/http/error.hpp>
#include <string>

namespace limpet {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

// A server that expects TLS answers a plain request with an alert, or not at all.
constexpr const char* kMaybeTls = "; does it want TLS (scheme: https)?";
constexpr const char* kNoTls = "; it does not speak TLS on this port (scheme: http?)";

}  // namespace

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
                          std::size_t max_body, bool https) {
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
    return {FetchFailure::kProtocol,
            std::string("closed the connection in the middle of its answer") +
                (stage == Stage::kHeader && !https ? kMaybeTls : "")};
  }
  return {FetchFailure::kProtocol, "expected an HTTP answer; " + std::string(Describe(stage)) +
                                       ": " + code.message() + (https ? "" : kMaybeTls)};
}

std::string ExplainHandshake(boost::system::error_code code, int verified,
                             const std::string& named) {
  switch (verified) {
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return "its certificate is self-signed and not trusted: copy it here and name it as "
             "tls_config.ca_file";
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return "its certificate is signed by an authority that is not trusted: name that one as "
             "tls_config.ca_file";
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return "its certificate has expired: renew it there, or correct the clock here";
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "its certificate is not valid yet: correct the clock here or there";
    case X509_V_ERR_HOSTNAME_MISMATCH:
      return "its certificate is for another name than " + named +
             ": use a name that is in it as address, or set tls_config.server_name";
    default:
      break;
  }
  const auto text = "TLS handshake failed: " + code.message();
  // What comes back is no TLS record, so its "version" is that of something else.
  return code.message() == "wrong version number" ? text + kNoTls : text;
}

}  // namespace limpet
