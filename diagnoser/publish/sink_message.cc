#include "diagnoser/publish/sink_message.h"

#include <chrono>
#include <span>

#include "diagnoser/publish/incident_document.h"

namespace limpet {
namespace {

using Json = ApiJson;

// From the document, which was made when the evidence was there.
std::string NextStep(const IncidentRecord& record) {
  const auto json = Json::parse(record.document, nullptr, false);
  return json.is_object() ? json.value("next_step", std::string()) : std::string();
}

// One line for people: which storage, what, and what has changed.
std::string Headline(const SinkMessage& message) {
  const auto& record = message.record;
  std::string text = record.cluster.empty() ? "" : "[" + record.cluster + "] ";
  text += record.text;
  if (message.change == "ended") {
    text += "; ended: " + record.ending;
  } else if (message.answer) {
    text += "; answered: " + std::string(Name(message.answer->kind));
    text += message.answer->by.empty() ? "" : " by " + message.answer->by;
    text += message.answer->note.empty() ? "" : " (" + message.answer->note + ")";
  }
  return text;
}

std::string LinkTo(const SinkMessage& message) {
  return message.url.empty() ? "" : message.url + "/api/v1/incidents/" + message.record.id;
}

Json Document(const SinkMessage& message) {
  return IncidentToJson(message.record, message.answer ? std::span(&*message.answer, 1)
                                                       : std::span<const IncidentAnswer>());
}

// A receiver that asks nothing of Limpet can take these: the envelope is CloudEvents'.
Json Webhook(const SinkMessage& message) {
  const auto milliseconds =
      std::chrono::floor<std::chrono::milliseconds>(message.at.time_since_epoch()).count();
  return {{"specversion", "1.0"},
          // The same at each attempt, so that a receiver can leave out what it has had.
          {"id", message.record.id + "-" + message.change + "-" + std::to_string(milliseconds)},
          {"source", "limpet/" + message.record.cluster},
          {"type", "limpet.verdict." + message.change},
          {"subject", message.record.node},
          {"time", IsoTime(message.at)},
          {"datacontenttype", "application/json"},
          {"data", Document(message)}};
}

// A note must not call a channel ("<!here>").
std::string EscapedForSlack(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    c == '<'   ? escaped += "&lt;"
    : c == '>' ? escaped += "&gt;"
    : c == '&' ? escaped += "&amp;"
               : escaped += c;
  }
  return escaped;
}

Json Slack(const SinkMessage& message) {
  auto text = EscapedForSlack(Headline(message));
  const auto next = message.change == "began" ? NextStep(message.record) : std::string();
  text += next.empty() ? "" : "\n" + EscapedForSlack(next);
  const auto link = LinkTo(message);
  text += link.empty() ? "" : "\n" + link;
  return {{"text", text}};
}

// An incident there is opened, acknowledged and resolved under our id.
Json PagerDuty(const SinkSettings& sink, const SinkMessage& message) {
  const auto& record = message.record;
  const auto* const action = message.change == "ended"      ? "resolve"
                             : message.change == "answered" ? "acknowledge"
                                                            : "trigger";
  constexpr std::size_t kMaxSummary = 1024;  // of the API
  Json json = {{"routing_key", sink.routing_key},
               {"event_action", action},
               {"dedup_key", record.id},
               {"payload",
                {{"summary", CleanText(Headline(message), kMaxSummary)},
                 {"source", record.node},
                 {"severity", "warning"},
                 {"timestamp", IsoTime(message.at)},
                 {"component", record.family},
                 {"group", record.cluster},
                 {"class", record.cause},
                 {"custom_details", {{"next_step", NextStep(record)}}}}}};
  if (const auto link = LinkTo(message); !link.empty()) {
    json["links"] = Json::array({{{"href", link}, {"text", "evidence"}}});
  }
  return json;
}

// Labels are what two diagnosers of the same targets say alike, so that Alertmanager keeps one.
Json Alertmanager(const SinkSettings& sink, const SinkMessage& message) {
  const auto& record = message.record;
  Json labels = {{"alertname", "LimpetVerdict"},
                 {"node", record.node},
                 {"family", record.family},
                 {"severity", "warning"}};
  if (!record.cluster.empty()) {
    labels["cluster"] = record.cluster;
  }
  for (const auto& [name, value] : sink.labels) {
    labels[name] = value;
  }
  const auto ends = message.change == "ended" ? message.at : message.at + kAlertLasts;
  Json alert = {{"labels", std::move(labels)},
                {"annotations",
                 {{"summary", Headline(message)},
                  {"description", NextStep(record)},
                  {"incident", record.id},
                  {"cause", record.cause}}},
                {"startsAt", IsoTime(std::min(record.named, message.at))},
                {"endsAt", IsoTime(ends)}};
  if (const auto link = LinkTo(message); !link.empty()) {
    alert["generatorURL"] = link;
  }
  return Json::array({std::move(alert)});
}

Json Attribute(const char* key, const std::string& value) {
  return {{"key", key}, {"value", {{"stringValue", value}}}};
}

// The data model of OpenTelemetry logs, with the semantic conventions' host.name; the whole
// document goes along as one attribute.
Json Otlp(const SinkMessage& message) {
  const auto& record = message.record;
  constexpr int kWarn = 13;  // of the logs data model
  constexpr int kInfo = 9;
  const bool begins = message.change == "began";
  Json log = {
      {"timeUnixNano", std::to_string(message.at.time_since_epoch().count())},
      {"severityNumber", begins ? kWarn : kInfo},
      {"severityText", begins ? "WARN" : "INFO"},
      {"body", {{"stringValue", Headline(message)}}},
      {"attributes",
       Json::array({Attribute("event.name", "limpet.verdict." + message.change),
                    Attribute("limpet.incident", record.id),
                    Attribute("limpet.cluster", record.cluster),
                    Attribute("limpet.cause", record.cause), Attribute("host.name", record.node),
                    Attribute("limpet.verdict", PrintOneLine(Document(message)))})}};
  const auto resource = Json::array({Attribute("service.name", "limpet-diagnoser"),
                                     Attribute("service.version", LIMPET_VERSION)});
  return {{"resourceLogs",
           Json::array(
               {{{"resource", {{"attributes", resource}}},
                 {"scopeLogs", Json::array({{{"scope", {{"name", "limpet"}}},
                                             {"logRecords", Json::array({std::move(log)})}}})}}})}};
}

// "disk-busy" is "DiskBusy" there.
std::string CamelCase(std::string_view words) {
  std::string text;
  bool begins = true;
  for (const char c : words) {
    if (c == '-') {
      begins = true;
      continue;
    }
    text += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = false;
  }
  return text;
}

constexpr std::size_t kMaxEventText = 1024;  // of the API

// Events about what has no namespace are in "default". The name is the same at each attempt.
Json KubernetesEvent(const SinkMessage& message) {
  const auto& record = message.record;
  const auto milliseconds =
      std::chrono::floor<std::chrono::milliseconds>(message.at.time_since_epoch()).count();
  return {
      {"apiVersion", "v1"},
      {"kind", "Event"},
      {"metadata",
       {{"name", "limpet-" + record.id + "-" + message.change + "-" + std::to_string(milliseconds)},
        {"namespace", "default"}}},
      // A node's own events carry its name as uid; kubectl describe looks for that.
      {"involvedObject",
       {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", record.node}, {"uid", record.node}}},
      {"reason", CamelCase(record.cause)},
      {"message", CleanText(Headline(message), kMaxEventText)},
      {"type", message.change == "began" ? "Warning" : "Normal"},
      {"source", {{"component", "limpet-diagnoser"}}},
      {"firstTimestamp", IsoTime(message.at)},
      {"lastTimestamp", IsoTime(message.at)},
      {"count", 1}};
}

// A strategic merge patch of the node's status: other conditions stay as they are.
Json KubernetesCondition(const SinkMessage& message) {
  const auto& record = message.record;
  return {{"metadata", {{"name", record.node}}},
          {"status",
           {{"conditions", Json::array({{{"type", "Limpet" + CamelCase(record.family)},
                                         {"status", message.change == "ended" ? "False" : "True"},
                                         {"reason", CamelCase(record.cause)},
                                         {"message", CleanText(Headline(message), kMaxEventText)},
                                         {"lastHeartbeatTime", IsoTime(message.at)},
                                         {"lastTransitionTime", IsoTime(message.at)}}})}}}};
}

// Facility daemon; a line of at most 1 KiB, which every receiver takes whole.
std::string SyslogLine(const SinkMessage& message) {
  constexpr int kDaemon = 3 * 8;
  constexpr int kWarning = 4;
  constexpr int kNotice = 5;
  constexpr std::size_t kMaxLine = 1000;
  const auto priority = kDaemon + (message.change == "began" ? kWarning : kNotice);
  return "<" + std::to_string(priority) + ">limpet-diagnoser: " +
         CleanText(
             "incident " + message.record.id + " " + message.change + ": " + Headline(message),
             kMaxLine);
}

}  // namespace

bool TakesAnswers(SinkKind kind) {
  return kind != SinkKind::kAlertmanager && kind != SinkKind::kKubernetesCondition;
}

std::string SinkBody(const SinkSettings& sink, const SinkMessage& message) {
  switch (sink.kind) {
    case SinkKind::kWebhook:
      return PrintOneLine(Webhook(message));
    case SinkKind::kSlack:
      return PrintOneLine(Slack(message));
    case SinkKind::kPagerDuty:
      return PrintOneLine(PagerDuty(sink, message));
    case SinkKind::kAlertmanager:
      return PrintOneLine(Alertmanager(sink, message));
    case SinkKind::kOtlp:
      return PrintOneLine(Otlp(message));
    case SinkKind::kKubernetesEvent:
      return PrintOneLine(KubernetesEvent(message));
    case SinkKind::kKubernetesCondition:
      return PrintOneLine(KubernetesCondition(message));
    case SinkKind::kSyslog:
      return SyslogLine(message);
  }
  return {};
}

std::string SinkContentType(SinkKind kind) {
  return kind == SinkKind::kWebhook               ? "application/cloudevents+json"
         : kind == SinkKind::kKubernetesCondition ? "application/strategic-merge-patch+json"
                                                  : "application/json";
}

}  // namespace limpet
