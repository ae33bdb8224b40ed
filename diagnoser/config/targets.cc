#include "diagnoser/config/targets.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

#include "diagnoser/sources/address.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr std::uint16_t kDefaultPort = 9836;
constexpr std::size_t kMinBody = 1024;
constexpr std::size_t kMaxBody = std::size_t{1} << 30U;

// Everything about scraping that both `scrape` and a target may say.
struct Settings {
  Endpoint endpoint;
  Duration interval = 1s;
  std::optional<Duration> timeout;
};

// "64MiB", "500KiB", "1GB", or plain bytes.
std::optional<std::size_t> ParseBytes(std::string_view text) {
  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto amount = ParseU64(text.substr(0, digits));
  const auto unit = text.substr(digits);
  const std::uint64_t factor = unit.empty() || unit == "B"      ? 1
                               : unit == "KB"                   ? 1000
                               : unit == "KiB" || unit == "kiB" ? 1024
                               : unit == "MB"                   ? 1000 * 1000
                               : unit == "MiB"                  ? 1024 * 1024
                               : unit == "GB"                   ? 1000 * 1000 * 1000
                               : unit == "GiB"                  ? 1024 * 1024 * 1024
                                                                : 0;
  if (!amount || factor == 0 || *amount > kMaxBody / factor) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(*amount * factor);
}

bool IsHeaderText(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return (c >= ' ' && c < 0x7f) || c == '\t'; });
}

void ReadBasicAuth(yaml::MapReader& from, const ReadTextFile& read_file, BasicAuth& auth) {
  if (!from.Has("basic_auth")) {
    (void)from.Map("basic_auth");  // known, though absent
    return;
  }
  auto section = from.Map("basic_auth");
  const auto username = section.Text("username");
  const auto password = section.Text("password");
  const auto file = section.Text("password_file");
  section.RefuseUnknown();
  if (!username || username->empty()) {
    section.Refuse("username", "expected a name");
    return;
  }
  if (password && file) {
    section.Refuse("password_file", "expected either password or password_file, not both");
    return;
  }
  auth = {.username = *username, .password = password.value_or("")};
  if (file) {
    auto content = read_file(*file);
    if (!content) {
      section.Refuse("password_file", "cannot read the password: " + content.error().Text());
      return;
    }
    auth.password = Trim(*content);
  }
}

void ReadTls(yaml::MapReader& from, TlsClient& tls) {
  auto section = from.Map("tls_config");
  tls.ca_file = section.Text("ca_file").value_or(tls.ca_file);
  tls.cert_file = section.Text("cert_file").value_or(tls.cert_file);
  tls.key_file = section.Text("key_file").value_or(tls.key_file);
  tls.server_name = section.Text("server_name").value_or(tls.server_name);
  tls.insecure_skip_verify =
      section.Bool("insecure_skip_verify").value_or(tls.insecure_skip_verify);
  section.RefuseUnknown();
  if (tls.cert_file.empty() != tls.key_file.empty()) {
    section.Refuse(tls.cert_file.empty() ? "cert_file" : "key_file",
                   "expected cert_file and key_file together");
  }
}

// "Bearer TOKEN", as Prometheus' authorization has it.
void ReadAuthorization(yaml::MapReader& from, const ReadTextFile& read_file, Endpoint& endpoint) {
  if (!from.Has("authorization")) {
    (void)from.Map("authorization");
    return;
  }
  auto section = from.Map("authorization");
  const auto type = section.Text("type").value_or("Bearer");
  auto credentials = section.Text("credentials");
  const auto file = section.Text("credentials_file");
  section.RefuseUnknown();
  if (credentials && file) {
    section.Refuse("credentials_file", "expected credentials or credentials_file, not both");
    return;
  }
  if (file) {
    const auto content = read_file(*file);
    if (!content) {
      section.Refuse("credentials_file", "cannot read the credentials: " + content.error().Text());
      return;
    }
    credentials = Trim(*content);
  }
  if (!credentials || credentials->empty()) {
    section.Refuse("credentials", "expected credentials or credentials_file");
    return;
  }
  // A line break in it would let the credentials add header fields of their own.
  if (!IsHeaderText(type) || !IsHeaderText(*credentials)) {
    section.Refuse("credentials", "expected one line of printable characters");
    return;
  }
  // A target with a password of its own does not send the token of all the others.
  if (from.Has("basic_auth")) {
    from.Refuse("authorization", "expected either authorization or basic_auth, not both");
  }
  // In place of what the defaults of all targets say.
  endpoint.basic_auth = {};
  endpoint.authorization = type + " " + *credentials;
}

void ReadHeaders(yaml::MapReader& from, Endpoint& endpoint) {
  for (const auto& [name, value] : from.TextMap("headers")) {
    // Names are tokens (RFC 9110); values may not break the line.
    const bool is_token =
        !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
          return std::isalnum(c) != 0 || c == '-' || c == '_';
        });
    if (!is_token || !IsHeaderText(value)) {
      from.Refuse("headers." + name, "expected a header such as X-Scope-OrgID: tenant");
    } else {
      endpoint.headers[name] = value;
    }
  }
}

// Reads over `defaults` what `from` says. Every key is asked for even when it cannot matter, so
// that RefuseUnknown knows it.
Settings ReadSettings(yaml::MapReader& from, const ReadTextFile& read_file, Settings defaults) {
  auto settings = std::move(defaults);
  settings.interval = from.Time("interval", 100ms).value_or(settings.interval);
  if (const auto timeout = from.Time("timeout", 10ms)) {
    settings.timeout = timeout;
  }
  // An answer that comes after the next request would be of the wrong second.
  if (settings.timeout && *settings.timeout > settings.interval) {
    from.Refuse(from.Has("timeout") ? "timeout" : "interval",
                "expected a timeout of at most the interval");
  }
  if (const auto scheme = from.OneOf("scheme", {"http", "https"})) {
    settings.endpoint.https = *scheme == "https";
  }
  if (const auto path = from.Text("metrics_path")) {
    if (!path->starts_with('/') || path->find_first_of(" \r\n\t") != std::string::npos) {
      from.Refuse("metrics_path", "expected a path such as /metrics, got \"" + *path + "\"");
    } else {
      settings.endpoint.path = *path;
    }
  }
  ReadAccess(from, read_file, settings.endpoint);
  return settings;
}

// The list that an entry names instead of addresses; empty when it is wrong.
std::optional<SdSource> ReadList(yaml::MapReader& entry, const ReadTextFile& read_file) {
  SdSource source;
  if (entry.Has("file_sd")) {
    auto section = entry.Map("file_sd");
    source.files = section.Texts("files");
    source.refresh = section.Time("refresh_interval", 100ms).value_or(5s);
    section.RefuseUnknown();
    if (source.files.empty()) {
      section.Refuse("files", "expected files such as [/etc/limpet/targets/*.json]");
      return std::nullopt;
    }
    for (const auto& file : source.files) {
      if (!FindListFormat(file)) {
        section.Refuse("files",
                       "expected names that end in .json, .yml or .yaml, got \"" + file + "\"");
      }
      source.name += (source.name.empty() ? "" : ",") + file;
    }
    return source;
  }
  auto section = entry.Map("http_sd");
  source.name = section.Text("url").value_or("");
  auto endpoint = ParseResourceUrl(source.name);
  source.refresh = section.Time("refresh_interval", 1s).value_or(1min);
  source.timeout = section.Time("timeout", 10ms).value_or(std::min<Duration>(10s, source.refresh));
  if (endpoint) {
    endpoint->path = endpoint->path.empty() ? "/" : endpoint->path;
    endpoint->accept = "application/json";
    // Lists are small; the bound keeps a wrong URL from filling the memory.
    endpoint->max_body = kMaxListBytes;
    ReadAccess(section, read_file, *endpoint);
    source.http = *endpoint;
  } else {
    // Its other problems are told all the same.
    Endpoint ignored;
    ReadAccess(section, read_file, ignored);
    section.Refuse("url", endpoint.error().message);
  }
  section.RefuseUnknown();
  if (source.timeout > source.refresh) {
    section.Refuse("timeout", "expected at most the refresh_interval");
  }
  return source.http ? std::optional(source) : std::nullopt;
}

void ReadListEntry(yaml::MapReader& entry, const ReadTextFile& read_file, const Settings& defaults,
                   TargetSections& sections) {
  auto source = ReadList(entry, read_file);
  if (entry.Has("file_sd")) {
    (void)entry.Map("http_sd");
    if (entry.Has("http_sd")) {
      entry.Refuse("http_sd", "expected either file_sd or http_sd; make an entry for each");
    }
  } else {
    (void)entry.Map("file_sd");
  }
  Target target;
  target.role = entry.Text("role").value_or("server");
  target.labels = entry.TextMap("labels");
  for (const auto* key : {"address", "addresses", "node"}) {
    (void)(key == std::string_view("addresses") ? (void)entry.Texts(key) : (void)entry.Text(key));
    if (entry.Has(key)) {
      entry.Refuse(key, "an entry with a list has none: the list says them");
    }
  }
  const auto settings = ReadSettings(entry, read_file, defaults);
  entry.RefuseUnknown();
  if (!source) {
    return;
  }
  target.endpoint = settings.endpoint;
  target.interval = settings.interval;
  target.timeout = settings.timeout.value_or(settings.interval * 9 / 10);
  source->base = {.target = std::move(target), .own_timeout = settings.timeout.has_value()};
  // The name is what metrics and messages tell lists apart by.
  for (const auto& other : sections.discovery) {
    if (other.name == source->name) {
      entry.Refuse(source->http ? "http_sd" : "file_sd", source->name + " is named twice");
      return;
    }
  }
  sections.discovery.push_back(std::move(*source));
}

void ReadEntry(yaml::MapReader& entry, const ReadTextFile& read_file, const Settings& defaults,
               std::map<std::string, int>& lines, std::vector<Target>& targets) {
  auto addresses = entry.Texts("addresses");
  const auto address = entry.Text("address");
  const auto node = entry.Text("node");
  const auto role = entry.Text("role").value_or("server");
  const auto labels = entry.TextMap("labels");
  const auto settings = ReadSettings(entry, read_file, defaults);
  (void)entry.Map("file_sd");  // absent, but listed among the known keys
  (void)entry.Map("http_sd");
  entry.RefuseUnknown();
  const auto* key = address ? "address" : "addresses";
  if (address) {
    if (!addresses.empty()) {
      entry.Refuse("addresses", "expected either address or addresses, not both");
    }
    addresses = {*address};
  }
  if (addresses.empty()) {
    entry.Refuse("address", "expected an address such as io01:9836, or a list of addresses");
  }
  if (node && addresses.size() > 1) {
    entry.Refuse("node", "a name fits one address only; make an entry for each");
    return;
  }
  for (const auto& text : addresses) {
    const auto parsed = ParseAddress(text, kDefaultPort);
    if (!parsed) {
      entry.Refuse(key, parsed.error().message);
      continue;
    }
    Target target{.node = node.value_or(parsed->host),
                  .role = role,
                  .labels = labels,
                  .endpoint = settings.endpoint,
                  .interval = settings.interval,
                  .timeout = settings.timeout.value_or(settings.interval * 9 / 10)};
    target.endpoint.host = parsed->host;
    target.endpoint.port = parsed->port;
    // "node/device" is how components are named everywhere.
    if (target.node.empty() || target.node.find('/') != std::string::npos) {
      entry.Refuse("node", "expected a name without '/', got \"" + target.node + "\"");
    } else if (const auto [first, is_new] = lines.emplace(target.node, entry.Line()); !is_new) {
      entry.Refuse(node ? "node" : key, "node " + target.node + " is already a target in line " +
                                            std::to_string(first->second) +
                                            "; give each a node name of its own");
    } else if (targets.size() >= kMaxTargets) {
      entry.Refuse(key, "more than " + std::to_string(kMaxTargets) + " targets");
      return;
    } else {
      targets.push_back(std::move(target));
    }
  }
}

}  // namespace

void ReadAccess(yaml::MapReader& from, const ReadTextFile& read_file, Endpoint& endpoint) {
  endpoint.compressed = from.Bool("enable_compression").value_or(endpoint.compressed);
  if (const auto limit = from.Text("body_size_limit")) {
    const auto bytes = ParseBytes(*limit);
    if (!bytes || *bytes < kMinBody) {
      from.Refuse("body_size_limit",
                  "expected a size from 1KiB to 1GiB such as 64MiB, got \"" + *limit + "\"");
    } else {
      endpoint.max_body = *bytes;
    }
  }
  if (from.Has("basic_auth")) {
    endpoint.authorization.clear();
  }
  ReadBasicAuth(from, read_file, endpoint.basic_auth);
  ReadAuthorization(from, read_file, endpoint);
  ReadHeaders(from, endpoint);
  ReadTls(from, endpoint.tls);
}

TargetSections ReadTargets(yaml::MapReader& top, const ReadTextFile& read_file) {
  auto scrape = top.Map("scrape");
  const auto defaults = ReadSettings(scrape, read_file, {});
  scrape.RefuseUnknown();
  TargetSections sections;
  std::map<std::string, int> lines;  // where each node was first seen
  for (auto& entry : top.Maps("targets")) {
    if (entry.Has("file_sd") || entry.Has("http_sd")) {
      ReadListEntry(entry, read_file, defaults, sections);
    } else {
      ReadEntry(entry, read_file, defaults, lines, sections.targets);
    }
  }
  return sections;
}

}  // namespace limpet
