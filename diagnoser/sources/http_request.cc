#include "diagnoser/sources/http_request.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <string>
#include <string_view>

#include "exporter/common/exposition/negotiate.h"

namespace limpet {
namespace {

namespace http = boost::beast::http;

std::string Base64(std::string_view text) {
  std::string out((text.size() + 2) / 3 * 4 + 1, '\0');  // and a final NUL
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                  reinterpret_cast<const unsigned char*>(text.data()),
                  static_cast<int>(text.size()));
  out.pop_back();
  return out;
}

}  // namespace

http::request<http::string_body> MakeRequest(const Endpoint& endpoint, Duration timeout) {
  http::request<http::string_body> request(http::verb::get, endpoint.path, 11);
  // RFC 9110 §7.2 wants an IPv6 address in brackets; the port is there even when it is the usual
  // one, because reverse proxies are configured by it.
  const bool is_ipv6 = endpoint.host.find(':') != std::string::npos;
  request.set(http::field::host, (is_ipv6 ? "[" + endpoint.host + "]" : endpoint.host) + ":" +
                                     std::to_string(endpoint.port));
  request.set(http::field::user_agent, "Limpet/" LIMPET_VERSION);
  request.set(http::field::accept,
              endpoint.accept.empty() ? std::string(kAcceptBoth) : endpoint.accept);
  // On a local network the time to compress and decompress costs more than the bytes.
  request.set(http::field::accept_encoding, endpoint.compressed ? "gzip" : "identity");
  request.set("X-Prometheus-Scrape-Timeout-Seconds", fmt::format("{}", ToSeconds(timeout)));
  if (!endpoint.basic_auth.username.empty()) {
    request.set(http::field::authorization, "Basic " + Base64(endpoint.basic_auth.username + ":" +
                                                              endpoint.basic_auth.password));
  } else if (!endpoint.authorization.empty()) {
    request.set(http::field::authorization, endpoint.authorization);
  }
  // Last, so that the configuration may replace any of ours.
  for (const auto& [name, value] : endpoint.headers) {
    request.set(name, value);
  }
  return request;
}

http::request<http::string_body> MakeUpload(const Endpoint& endpoint, Duration timeout,
                                            const Upload& upload) {
  auto request = MakeRequest(endpoint, timeout);
  request.method_string(upload.method);
  request.erase("X-Prometheus-Scrape-Timeout-Seconds");
  request.set(http::field::content_type, upload.content_type);
  request.body() = upload.body;
  request.prepare_payload();
  return request;
}

}  // namespace limpet
