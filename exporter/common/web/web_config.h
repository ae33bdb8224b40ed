// web_config.h: the file of --web.config.file, in the format of the Prometheus exporter toolkit.
//
//   tls_server_config:
//     cert_file: server.crt          # relative to this file
//     key_file: server.key
//     client_ca_file: ca.crt         # with client_auth_type: RequireAndVerifyClientCert
//   basic_auth_users:
//     prometheus: $2y$10$...         # bcrypt: htpasswd -nBC 10 prometheus
//
// Errors:  every problem as "web.yml:3: tls_server_config.cert_file: …", joined by newlines.
//          An unknown key is a problem: a mistyped one must not leave a server open.
// Threads: values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/result.h"

namespace limpet::web {

enum class TlsVersion { kTls10, kTls11, kTls12, kTls13 };

// Names and meaning are those of Go's crypto/tls, which the format took them from.
enum class ClientAuth {
  kNone,
  kRequest,           // asked for; neither needed nor checked
  kRequireAny,        // needed, not checked
  kVerifyIfGiven,     // not needed; checked when there
  kRequireAndVerify,  // needed and checked against client_ca_file
};

struct TlsConfig {
  std::string cert_file;  // PEM, with the chain
  std::string key_file;
  std::string client_ca_file;  // empty: none
  ClientAuth client_auth = ClientAuth::kNone;
  std::vector<std::string> client_allowed_sans;  // empty: any
  TlsVersion min_version = TlsVersion::kTls12;
  TlsVersion max_version = TlsVersion::kTls13;
  std::vector<std::string> cipher_suites;      // IANA names, for TLS up to 1.2; empty: OpenSSL's
  std::vector<std::string> curve_preferences;  // OpenSSL group names; empty: OpenSSL's
  bool prefer_server_cipher_suites = true;
};

struct WebConfig {
  std::optional<TlsConfig> tls;
  std::map<std::string, std::string> users;  // name → bcrypt hash; empty: no password asked
  std::vector<std::pair<std::string, std::string>> headers;  // on every response
};

// Returns whether nobody is answered who has not shown a password or a certificate that is checked.
[[nodiscard]] bool RequiresAuthentication(const std::optional<WebConfig>& config);

// `path` names the file in messages and is where relative file names start.
[[nodiscard]] Result<WebConfig> ParseWebConfig(std::string_view text, const std::string& path);

// Reads and parses; whether the files it names can be used is seen by Server::Start.
[[nodiscard]] Result<WebConfig> LoadWebConfig(const std::string& path);

}  // namespace limpet::web
