#include "diagnoser/config/incidents.h"

#include <algorithm>

#include "diagnoser/config/byte_count.h"
#include "diagnoser/config/web_settings.h"
#include "diagnoser/incidents/acts.h"
#include "diagnoser/sources/address.h"
#include "diagnoser/verdict/causes.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kLeastBytes = std::int64_t{1} << 20;

struct SinkRow {
  const char* type;
  SinkKind kind;
  const char* path;  // where the URL has none
  const char* url;   // where there is no URL; null: it is wanted
};
// The service of the API in every cluster.
constexpr const char* kKubernetes = "https://kubernetes.default.svc";
constexpr SinkRow kSinks[] = {
    {"webhook", SinkKind::kWebhook, "/", nullptr},
    {"slack", SinkKind::kSlack, "/", nullptr},
    {"pagerduty", SinkKind::kPagerDuty, "/", "https://events.pagerduty.com/v2/enqueue"},
    {"alertmanager", SinkKind::kAlertmanager, "/api/v2/alerts", nullptr},
    {"otlp", SinkKind::kOtlp, "/v1/logs", nullptr},
    {"kubernetes-event", SinkKind::kKubernetesEvent, "/api/v1/namespaces/default/events",
     kKubernetes},
    {"kubernetes-condition", SinkKind::kKubernetesCondition, "/api/v1/nodes", kKubernetes},
    {"syslog", SinkKind::kSyslog, "/", nullptr},
};

// A URL without a path means the path that the receiver is known to have.
void ReadSinkEndpoint(yaml::MapReader& entry, const SinkRow& row, const ReadTextFile& read_file,
                      SinkSettings& sink) {
  const auto url = entry.Text("url").value_or(row.url == nullptr ? "" : row.url);
  const auto endpoint = ParseResourceUrl(url);
  if (endpoint) {
    sink.endpoint = *endpoint;
  } else {
    entry.Refuse("url", endpoint.error().message);
  }
  if (sink.endpoint.path.empty() || sink.endpoint.path == "/") {
    sink.endpoint.path = row.path;
  }
  sink.endpoint.accept = "*/*";
  ReadAccess(entry, read_file, sink.endpoint);
}

// PagerDuty's key of the service: a secret, so it has a file of its own.
void ReadRoutingKey(yaml::MapReader& entry, const ReadTextFile& read_file, SinkSettings& sink) {
  const auto file = entry.Text("routing_key_file");
  if (!file) {
    if (sink.kind == SinkKind::kPagerDuty) {
      entry.Refuse("routing_key_file", "expected the file with the integration key");
    }
    return;
  }
  const auto text = read_file(*file);
  sink.routing_key = text ? std::string(Trim(*text)) : "";
  if (!text) {
    entry.Refuse("routing_key_file", text.error().Text());
  }
}

SinkSettings ReadSink(yaml::MapReader& entry, const ReadTextFile& read_file) {
  SinkSettings sink;
  sink.name = entry.Text("name").value_or("");
  if (!IsNodeName(sink.name)) {
    entry.Refuse("name", "expected a name without spaces and slashes, such as duty");
  }
  const auto type = entry.OneOf("type", {"webhook", "slack", "pagerduty", "alertmanager", "otlp",
                                         "kubernetes-event", "kubernetes-condition", "syslog"});
  if (!type && !entry.Has("type")) {
    entry.Refuse("type", "expected how it is told, such as webhook, slack or syslog");
  }
  const auto* const row = std::ranges::find_if(
      kSinks, [&](const SinkRow& one) { return one.type == type.value_or("webhook"); });
  sink.kind = row->kind;
  if (sink.kind == SinkKind::kSyslog) {
    sink.socket = entry.Text("socket").value_or(sink.socket);
  } else {
    ReadSinkEndpoint(entry, *row, read_file, sink);
  }
  ReadRoutingKey(entry, read_file, sink);
  sink.labels = entry.TextMap("labels");
  sink.max_queue = entry.Integer("max_queue", 1, 1'000'000).value_or(sink.max_queue);
  entry.RefuseUnknown();
  return sink;
}

constexpr std::size_t kMaxWords = 64;  // of a command

void ReadPrograms(yaml::MapReader& section, ActionSettings& actions) {
  auto programs = section.Map("programs");
  for (const auto step : kActSteps) {
    const std::string name(Name(step));
    if (!programs.Has(name)) {
      continue;
    }
    auto command = programs.Texts(name);
    // No shell, no search path: what is run is what stands there.
    if (command.empty() || !command.front().starts_with('/') || command.size() > kMaxWords) {
      programs.Refuse(name, "expected a list: the program's absolute path, then its arguments");
    }
    actions.programs[name] = std::move(command);
  }
  programs.RefuseUnknown();
}

// A section that does not say how is a dry run: nothing is done by accident.
ActionSettings ReadActions(yaml::MapReader& top) {
  auto section = top.Map("actions");
  ActionSettings actions;
  const auto mode = section.OneOf("mode", {"off", "dry-run", "armed"});
  actions.mode = !top.Has("actions") || mode == "off" ? ActionMode::kOff
                 : mode == "armed"                    ? ActionMode::kArmed
                                                      : ActionMode::kDryRun;
  for (auto& cause : section.Texts("causes")) {
    const bool known = std::ranges::any_of(CauseRows(), [&](const CauseRow& row) {
      return row.cause != Cause::kNone && cause == row.name;
    });
    if (!known) {
      section.Refuse("causes", "expected causes such as disk-busy, got \"" + cause + "\"");
    }
    actions.causes.insert(std::move(cause));
  }
  ReadPrograms(section, actions);
  actions.max_at_once =
      static_cast<std::size_t>(section.Integer("max_at_once", 1, 1000).value_or(1));
  actions.max_per_day =
      static_cast<std::size_t>(section.Integer("max_per_day", 1, 1000).value_or(3));
  actions.quorum = section.Number("quorum", 0.5, 1).value_or(actions.quorum);
  actions.hold_down = section.Time("hold_down", 1min).value_or(actions.hold_down);
  actions.confirm_after = section.Time("confirm_after", 0s).value_or(actions.confirm_after);
  actions.trial = section.Time("trial", 1min).value_or(actions.trial);
  actions.timeout = section.Time("timeout", 1s).value_or(actions.timeout);
  actions.stop_file = section.Text("stop_file").value_or(actions.stop_file);
  section.RefuseUnknown();
  if (actions.mode != ActionMode::kOff && (actions.causes.empty() || actions.programs.empty())) {
    section.Refuse(actions.causes.empty() ? "causes" : "programs",
                   "expected some: nothing would ever be done");
  }
  return actions;
}

}  // namespace

IncidentSettings ReadIncidents(yaml::MapReader& top, const ReadTextFile& read_file) {
  IncidentSettings settings;
  settings.cluster = top.Text("cluster").value_or("");
  if (!settings.cluster.empty() && !IsNodeName(settings.cluster)) {
    top.Refuse("cluster", "expected a name without spaces and slashes, such as scratch, got \"" +
                              settings.cluster + "\"");
  }
  auto section = top.Map("incidents");
  settings.url = ReadAddress(section, "url");
  settings.max_age = section.Time("max_age", 1h).value_or(settings.max_age);
  if (const auto text = section.Text("max_bytes")) {
    const auto bytes = ParseByteCount(*text);
    if (!bytes || static_cast<std::int64_t>(*bytes) < kLeastBytes) {
      section.Refuse("max_bytes", "expected at least 1MiB, such as 1GiB, got \"" + *text + "\"");
    } else {
      settings.max_bytes = static_cast<std::int64_t>(*bytes);
    }
  }
  section.RefuseUnknown();
  for (auto& entry : top.Maps("sinks")) {
    auto sink = ReadSink(entry, read_file);
    if (std::ranges::any_of(settings.sinks,
                            [&](const SinkSettings& other) { return other.name == sink.name; })) {
      entry.Refuse("name", "two sinks are called " + sink.name);
    }
    settings.sinks.push_back(std::move(sink));
  }
  settings.actions = ReadActions(top);
  return settings;
}

}  // namespace limpet
