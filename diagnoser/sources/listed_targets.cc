#include "diagnoser/sources/listed_targets.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "diagnoser/sources/address.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

using Labels = std::map<std::string, std::string>;

constexpr std::string_view kParameter = "__param_";

std::optional<std::string> Find(const Labels& labels, const std::string& name) {
  const auto found = labels.find(name);
  return found == labels.end() || found->second.empty() ? std::nullopt
                                                        : std::optional(found->second);
}

bool IsPath(std::string_view path) {
  return path.starts_with('/') && std::all_of(path.begin(), path.end(), [](unsigned char c) {
           return c > ' ' && c < 0x7f && c != '#';
         });
}

// The name without a port, when there is one behind it.
std::string RemovePort(const std::string& instance) {
  const auto parsed = ParseAddress(instance, 1);
  return parsed ? parsed->host : instance;
}

// Interval and timeout as labels; the text is what is wrong with them.
std::string ReadTimes(const Labels& labels, const TargetTemplate& base, Target& target) {
  bool own_timeout = base.own_timeout;
  if (const auto text = Find(labels, "__scrape_interval__")) {
    const auto interval = yaml::ParseDuration(*text);
    if (!interval || *interval < std::chrono::milliseconds(100) ||
        *interval > base.longest_interval) {
      return "__scrape_interval__: expected a time from 100ms to " +
             std::to_string(base.longest_interval / std::chrono::milliseconds(1)) +
             "ms, which the presets allow, got \"" + text->substr(0, 80) + "\"";
    }
    target.interval = *interval;
    // A timeout for longer intervals says nothing about this one.
    own_timeout = own_timeout && target.timeout <= *interval;
  }
  if (const auto text = Find(labels, "__scrape_timeout__")) {
    const auto timeout = yaml::ParseDuration(*text);
    if (!timeout || *timeout < std::chrono::milliseconds(10)) {
      return "__scrape_timeout__: expected a time such as 10s, got \"" + text->substr(0, 80) + "\"";
    }
    // One request at a time: a longer one would delay the next.
    target.timeout = std::min(*timeout, target.interval);
    own_timeout = true;
  }
  if (!own_timeout) {
    target.timeout = target.interval * 9 / 10;
  }
  return {};
}

// What all targets of a group share; the text is what is wrong.
std::string ReadShared(const Labels& labels, const TargetTemplate& base, Target& target) {
  if (const auto scheme = Find(labels, "__scheme__")) {
    if (*scheme != "http" && *scheme != "https") {
      return "__scheme__: expected http or https, got \"" + scheme->substr(0, 80) + "\"";
    }
    target.endpoint.https = *scheme == "https";
  }
  if (const auto path = Find(labels, "__metrics_path__")) {
    if (!IsPath(*path)) {
      return "__metrics_path__: expected a path such as /metrics, got \"" + path->substr(0, 80) +
             "\"";
    }
    target.endpoint.path = *path;
  }
  for (const auto& [name, value] : labels) {
    if (name.starts_with(kParameter)) {
      target.endpoint.path += target.endpoint.path.find('?') == std::string::npos ? '?' : '&';
      target.endpoint.path +=
          UrlEncoded(std::string_view(name).substr(kParameter.size())) + "=" + UrlEncoded(value);
    } else if (!name.starts_with("__") || name.starts_with("__meta_")) {
      // Prometheus drops __meta_ after relabelling; we have none, and racks and zones stand there.
      if (name != "node" && name != "role") {
        target.labels[name] = value;
      }
    }
  }
  target.role = Find(labels, "role").value_or(target.role);
  return ReadTimes(labels, base, target);
}

}  // namespace

TargetList MakeTargets(TargetGroups groups, const TargetTemplate& base) {
  TargetList list{.targets = {}, .problems = std::move(groups.problems)};
  for (const auto& group : groups.groups) {
    Target shared = base.target;
    if (const auto problem = ReadShared(group.labels, base, shared); !problem.empty()) {
      list.problems.push_back(group.where + ".labels." + problem);
      continue;
    }
    const auto port = static_cast<std::uint16_t>(shared.endpoint.https ? 443 : 80);
    for (std::size_t i = 0; i < group.targets.size(); ++i) {
      const auto where = group.where + ".targets[" + std::to_string(i) + "]";
      // As in Prometheus, where __address__ is what is scraped, whatever was listed.
      const auto text = Find(group.labels, "__address__").value_or(group.targets[i]);
      const auto address = ParseAddress(text, port);
      if (!address) {
        list.problems.push_back(where + ": " + address.error().message);
        continue;
      }
      const auto instance = Find(group.labels, "instance");
      auto target = shared;
      target.endpoint.host = address->host;
      target.endpoint.port = address->port;
      target.node =
          Find(group.labels, "node").value_or(instance ? RemovePort(*instance) : address->host);
      if (!IsNodeName(target.node)) {
        list.problems.push_back(where + ": expected a node name without spaces and '/', got \"" +
                                target.node.substr(0, 80) + "\"");
        continue;
      }
      list.targets.push_back(std::move(target));
    }
  }
  return list;
}

}  // namespace limpet
