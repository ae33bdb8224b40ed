#include "exporter/common/web/web_config.h"

#include <algorithm>
#include <array>

#include "exporter/common/regular_file.h"
#include "exporter/common/web/password.h"
#include "exporter/common/yaml.h"

namespace limpet::web {
namespace {

template <class T>
struct Named {
  std::string_view name;
  T value;
};

constexpr std::array kVersions = {
    Named<TlsVersion>{"TLS10", TlsVersion::kTls10},
    Named<TlsVersion>{"TLS11", TlsVersion::kTls11},
    Named<TlsVersion>{"TLS12", TlsVersion::kTls12},
    Named<TlsVersion>{"TLS13", TlsVersion::kTls13},
};

constexpr std::array kClientAuths = {
    Named<ClientAuth>{"NoClientCert", ClientAuth::kNone},
    Named<ClientAuth>{"RequestClientCert", ClientAuth::kRequest},
    Named<ClientAuth>{"RequireClientCert", ClientAuth::kRequireAny},
    Named<ClientAuth>{"RequireAnyClientCert", ClientAuth::kRequireAny},
    Named<ClientAuth>{"VerifyClientCertIfGiven", ClientAuth::kVerifyIfGiven},
    Named<ClientAuth>{"RequireAndVerifyClientCert", ClientAuth::kRequireAndVerify},
};

constexpr std::array kCurves = {
    Named<std::string_view>{"CurveP256", "P-256"},
    Named<std::string_view>{"CurveP384", "P-384"},
    Named<std::string_view>{"CurveP521", "P-521"},
    Named<std::string_view>{"X25519", "X25519"},
};

template <class T, std::size_t N>
std::optional<T> Lookup(const std::array<Named<T>, N>& table, std::string_view name) {
  for (const auto& row : table) {
    if (row.name == name) {
      return row.value;
    }
  }
  return std::nullopt;
}

template <class T, std::size_t N>
T Choice(yaml::MapReader& map, std::string_view key, const std::array<Named<T>, N>& table,
         T otherwise) {
  std::vector<std::string> names;
  names.reserve(N);
  for (const auto& row : table) {
    names.emplace_back(row.name);
  }
  const auto name = map.OneOf(key, names);
  return name ? Lookup(table, *name).value_or(otherwise) : otherwise;
}

// Relative to the file, as Prometheus' programs read it, not to the working directory.
std::string Beside(const std::string& config, const std::string& file) {
  const auto slash = config.rfind('/');
  return file.empty() || file.starts_with('/') || slash == std::string::npos
             ? file
             : config.substr(0, slash + 1) + file;
}

TlsConfig ReadTls(yaml::MapReader map, const std::string& path) {
  TlsConfig tls;
  const auto file = [&](std::string_view key) { return Beside(path, map.Text(key).value_or("")); };
  tls.cert_file = file("cert_file");
  tls.key_file = file("key_file");
  for (const std::string_view key : {"cert_file", "key_file"}) {
    if (!map.Has(key)) {
      map.Refuse(key, "is missing; TLS needs a certificate and its key, both PEM files");
    }
  }
  tls.client_ca_file = file("client_ca_file");
  tls.client_auth = Choice(map, "client_auth_type", kClientAuths, ClientAuth::kNone);
  const bool is_verified = tls.client_auth == ClientAuth::kVerifyIfGiven ||
                           tls.client_auth == ClientAuth::kRequireAndVerify;
  if (is_verified && tls.client_ca_file.empty()) {
    map.Refuse("client_auth_type", "needs client_ca_file, to verify client certificates against");
  }
  if (!is_verified && !tls.client_ca_file.empty()) {
    map.Refuse("client_ca_file",
               "is used by no client_auth_type but VerifyClientCertIfGiven and "
               "RequireAndVerifyClientCert; set one of them");
  }
  tls.client_allowed_sans = map.Texts("client_allowed_sans");
  if (!tls.client_allowed_sans.empty() && tls.client_auth != ClientAuth::kRequireAny &&
      tls.client_auth != ClientAuth::kRequireAndVerify) {
    map.Refuse("client_allowed_sans",
               "needs client_auth_type RequireAnyClientCert or RequireAndVerifyClientCert: others "
               "let clients without a certificate in");
  }
  tls.min_version = Choice(map, "min_version", kVersions, TlsVersion::kTls12);
  tls.max_version = Choice(map, "max_version", kVersions, TlsVersion::kTls13);
  if (tls.min_version > tls.max_version) {
    map.Refuse("min_version", "is above max_version, so no client could connect");
  }
  for (auto& suite : map.Texts("cipher_suites")) {
    // Go's older names of two suites lack the hash that the registry's have.
    tls.cipher_suites.push_back(suite.ends_with("CHACHA20_POLY1305") ? suite + "_SHA256" : suite);
  }
  for (const auto& curve : map.Texts("curve_preferences")) {
    if (const auto group = Lookup(kCurves, curve)) {
      tls.curve_preferences.emplace_back(*group);
    } else {
      map.Refuse("curve_preferences",
                 "expected CurveP256, CurveP384, CurveP521 or X25519, got \"" + curve + "\"");
    }
  }
  tls.prefer_server_cipher_suites = map.Bool("prefer_server_cipher_suites").value_or(true);
  map.RefuseUnknown();
  return tls;
}

// Only these, as in the toolkit: the others are ours to set, or would say something untrue.
std::vector<std::pair<std::string, std::string>> ReadHeaders(yaml::MapReader map) {
  std::vector<std::pair<std::string, std::string>> headers;
  const auto add = [&](std::string_view name, const std::optional<std::string>& value) {
    if (value && !value->empty()) {
      headers.emplace_back(name, *value);
    }
  };
  for (const std::string_view name :
       {"Strict-Transport-Security", "X-XSS-Protection", "Content-Security-Policy"}) {
    const auto value = map.Text(name);
    if (value && std::any_of(value->begin(), value->end(),
                             [](unsigned char c) { return c < ' ' || c == 0x7f; })) {
      map.Refuse(name, "expected one line of text");
    }
    add(name, value);
  }
  add("X-Content-Type-Options", map.OneOf("X-Content-Type-Options", {"", "nosniff"}));
  add("X-Frame-Options", map.OneOf("X-Frame-Options", {"", "deny", "sameorigin"}));
  map.RefuseUnknown();
  return headers;
}

std::map<std::string, std::string> ReadUsers(yaml::MapReader& root) {
  // Every step doubles the time of a check: 43 ms at 10, 2.8 s at 16.
  constexpr int kMaxCost = 16;
  auto users = root.TextMap("basic_auth_users");
  auto map = root.Map("basic_auth_users");
  for (const auto& [user, hash] : users) {
    const auto cost = BcryptCost(hash);
    if (user.find(':') != std::string::npos) {
      map.Refuse(user, "a user's name cannot have a colon: clients send name:password");
    }
    if (!cost) {
      map.Refuse(user, "expected a bcrypt hash such as htpasswd -nBC 10 " + user + " prints");
    } else if (*cost > kMaxCost) {
      map.Refuse(user, "its bcrypt cost " + std::to_string(*cost) +
                           " would take over 3 s to check; expected one from 4 to 16");
    }
  }
  return users;
}

}  // namespace

bool RequiresAuthentication(const std::optional<WebConfig>& config) {
  return config && (!config->users.empty() ||
                    (config->tls && config->tls->client_auth == ClientAuth::kRequireAndVerify));
}

Result<WebConfig> ParseWebConfig(std::string_view text, const std::string& path) {
  const auto tree = yaml::Parse(text, path);
  if (!tree) {
    return tree.error();
  }
  yaml::Problems problems{path, {}};
  yaml::MapReader root(&*tree, "", problems);
  WebConfig config;
  const auto* tls = tree->Find("tls_server_config");
  auto tls_map = root.Map("tls_server_config");
  if (tls != nullptr && !tls->items.empty()) {
    config.tls = ReadTls(std::move(tls_map), path);
  }
  auto http = root.Map("http_server_config");
  // HTTP/2 is optional for every client, and none of ours is served: a scrape is one request.
  static_cast<void>(http.Bool("http2"));
  config.headers = ReadHeaders(http.Map("headers"));
  http.RefuseUnknown();
  config.users = ReadUsers(root);
  root.RefuseUnknown();
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  return config;
}

Result<WebConfig> LoadWebConfig(const std::string& path) {
  const auto text = ReadRegularFile(path);
  if (!text) {
    return Error{text.error().code, text.error().message + "; expected a web configuration file",
                 "--web.config.file " + path};
  }
  return ParseWebConfig(*text, path);
}

}  // namespace limpet::web
