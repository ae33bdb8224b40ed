#include "diagnoser/config/targets.h"

#include <map>
#include <optional>
#include <utility>

#include "diagnoser/sources/address.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr std::uint16_t kDefaultPort = 9836;
constexpr std::size_t kLeastBody = 1024;
constexpr std::size_t kMostBody = std::size_t{1} << 30U;

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
  if (!amount || factor == 0 || *amount > kMostBody / factor) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(*amount * factor);
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

// Reads over `defaults` what `from` says.
Settings ReadSettings(yaml::MapReader& from, const ReadTextFile& read_file, Settings defaults) {
  auto settings = std::move(defaults);
  settings.interval = from.Time("interval", 100ms).value_or(settings.interval);
  if (const auto timeout = from.Time("timeout", 10ms)) {
    settings.timeout = timeout;
  }
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
  settings.endpoint.compressed =
      from.Bool("enable_compression").value_or(settings.endpoint.compressed);
  if (const auto limit = from.Text("body_size_limit")) {
    const auto bytes = ParseBytes(*limit);
    if (!bytes || *bytes < kLeastBody) {
      from.Refuse("body_size_limit",
                  "expected a size from 1KiB to 1GiB such as 64MiB, got \"" + *limit + "\"");
    } else {
      settings.endpoint.max_body = *bytes;
    }
  }
  ReadBasicAuth(from, read_file, settings.endpoint.basic_auth);
  ReadTls(from, settings.endpoint.tls);
  return settings;
}

void ReadEntry(yaml::MapReader& entry, const ReadTextFile& read_file, const Settings& defaults,
               std::map<std::string, int>& lines, std::vector<Target>& targets) {
  auto addresses = entry.Texts("addresses");
  const auto address = entry.Text("address");
  const auto node = entry.Text("node");
  const auto role = entry.Text("role").value_or("server");
  const auto labels = entry.TextMap("labels");
  const auto settings = ReadSettings(entry, read_file, defaults);
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

std::vector<Target> ReadTargets(yaml::MapReader& top, const ReadTextFile& read_file) {
  auto scrape = top.Map("scrape");
  const auto defaults = ReadSettings(scrape, read_file, {});
  scrape.RefuseUnknown();
  std::vector<Target> targets;
  std::map<std::string, int> lines;  // where each node was first seen
  for (auto& entry : top.Maps("targets")) {
    ReadEntry(entry, read_file, defaults, lines, targets);
  }
  return targets;
}

}  // namespace limpet
