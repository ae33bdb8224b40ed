// target.h: where pages are fetched from, as plain values.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "exporter/common/time.h"

namespace limpet {

struct BasicAuth {
  std::string username;
  std::string password;
  bool operator==(const BasicAuth&) const = default;
};

// Names and meaning as in Prometheus' tls_config.
struct TlsClient {
  std::string ca_file;    // empty: the system's authorities
  std::string cert_file;  // our own certificate, with key_file, when the target wants one
  std::string key_file;
  std::string server_name;  // expected in the certificate; empty: the host of the address
  bool insecure_skip_verify = false;
  bool operator==(const TlsClient&) const = default;
};

// Everything needed to ask one server for its page.
struct Endpoint {
  std::string host;  // a name, an IPv4 address, or an IPv6 address without brackets
  std::uint16_t port = 9836;
  bool https = false;
  std::string path = "/metrics";  // with the query, if any
  std::string accept;             // the media type wanted; empty: a metrics page in either format
  BasicAuth basic_auth;           // an empty username: none is sent
  std::string authorization;  // the whole header, "Bearer …"; empty: none; not with basic_auth
  std::map<std::string, std::string> headers;  // further ones, such as X-Scope-OrgID
  TlsClient tls;
  bool compressed = false;  // ask for gzip: fewer bytes, more work on both sides
  std::size_t max_body = std::size_t{64} << 20U;  // bytes, of the body as sent and of it decoded
  bool operator==(const Endpoint&) const = default;
};

// One node of the cluster.
struct Target {
  std::string node;  // unique; the name used in everything that is said about it
  std::string role;  // "server", "client", …: what peer groups are made by
  std::map<std::string, std::string> labels;
  Endpoint endpoint;
  Duration interval = std::chrono::seconds(1);
  Duration timeout = std::chrono::milliseconds(900);  // for the whole request; at most interval
  bool operator==(const Target&) const = default;
};

// "http://[::1]:9836/metrics", for messages.
[[nodiscard]] std::string FormatUrl(const Endpoint& endpoint);

}  // namespace limpet
