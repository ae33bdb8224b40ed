#include "diagnoser/publish/events.h"

#include <optional>
#include <string_view>
#include <vector>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/json_lines.h"
#include "diagnoser/verdict/open_incidents.h"

namespace limpet {
namespace {

// Readers of older releases look for "group"; API and metrics call it peer_group. The old key goes
// with the next release.
void WriteGroup(JsonLine& json, const std::string& group) {
  json.Field("group", group).Field("peer_group", group);
}

// "metric" is the papers' name; API and metrics have the label. The old key becomes the label with
// the next release.
void WriteMetric(JsonLine& json, const std::string& metric) {
  json.Field("metric", metric).Field("metric_label", MetricLabel(metric));
}

void Write(JsonLine& json, const ComponentWindow& one) {
  json.OpenObject().Field("component", one.component).Field("s", one.s);
  json.Field("threshold", one.threshold).Field("window_anomalous", one.window_anomalous);
  json.Field("flagged", one.flagged).Field("direction", Name(one.direction));
  json.Field("accumulator", one.accumulator).Field("degree", one.degree);
  // Large groups alone have bounds; in all others `false` would only lengthen the files.
  if (one.s_is_bound) {
    json.Field("bound", true);
  }
  // The papers' distances have no effect size; their events keep the keys they always had.
  if (one.effect) {
    json.Field("effect", one.effect).Field("z", one.z).Field("window_degree", one.window_degree);
  }
  json.CloseObject();
}

void Write(JsonLine& json, const WindowEvent& event) {
  constexpr std::size_t kComponentBytes = 256;  // of most components; a longer one costs a copy
  json.Reserve((event.components.size() + 2) * kComponentBytes);
  json.Field("type", "window").Field("end", event.end).Field("preset", event.preset);
  WriteGroup(json, event.group);
  WriteMetric(json, event.metric);
  json.Field("n", event.n);
  // Only groups split by domain_size have domains; events of all others stay as they were.
  if (event.domain) {
    json.Field("domain", *event.domain);
  }
  json.Field("undetermined", event.undetermined);
  json.Field("threshold_trained", event.threshold_trained);
  json.Field("lo", event.lo).Field("hi", event.hi).Field("bins", event.bins);
  json.Key("components").OpenList();
  for (const auto& one : event.components) {
    Write(json, one);
  }
  json.CloseList();
}

// `flagged` repeats `anomalous`: in one second there is no filter between them.
void Write(JsonLine& json, const CwndEvent& event) {
  json.Field("type", "cwnd").Field("end", event.end);
  WriteGroup(json, event.group);
  WriteMetric(json, event.metric);
  json.Field("n", event.n).Field("f", event.f);
  json.Field("threshold_trained", event.threshold_trained).Field("median", event.median);
  json.Key("components").OpenList();
  for (const auto& one : event.components) {
    json.OpenObject().Field("component", one.component).Field("avg", one.average);
    json.Field("log", one.log).Field("anomalous", one.anomalous).Field("flagged", one.anomalous);
    json.CloseObject();
  }
  json.CloseList();
}

void Write(JsonLine& json, const ProfileEvent& event) {
  json.Field("type", "profile").Field("end", event.end).Field("threshold", event.threshold);
  json.Key("components").OpenList();
  for (const auto& one : event.components) {
    json.OpenObject().Field("component", one.component).Field("label", one.label);
    json.Key("distances").OpenObject();
    for (const auto& [peer, distance] : one.distances) {
      json.Field(peer, distance);
    }
    json.CloseObject().Field("alarm", one.alarm).Field("indicted", one.indicted).CloseObject();
  }
  json.CloseList();
}

void Write(JsonLine& json, const SyscallWindowEvent& event) {
  json.Field("type", "syscalls").Field("end", event.end).Field("role", event.role);
  WriteMetric(json, event.metric);
  json.Field("reference", event.reference);
  json.Key("components").OpenList();
  for (const auto& one : event.components) {
    json.OpenObject().Field("component", one.component).Field("mean", one.mean);
    json.Field("deviation", one.deviation).Field("threshold", one.threshold);
    json.Field("window_anomalous", one.anomalous).Field("flagged", one.flagged);
    json.Field("degree", one.degree).Field("direction", Name(one.direction)).CloseObject();
  }
  json.CloseList();
}

void Write(JsonLine& json, const SyscallSecondEvent& event) {
  json.Field("type", "syscall_second").Field("end", event.end).Key("samples").OpenList();
  for (const auto& one : event.samples) {
    json.OpenObject().Field("role", one.role).Field("metric", one.metric);
    json.Field("component", one.server).Field("value", one.value).CloseObject();
  }
  json.CloseList().Key("errors").OpenList();
  for (const auto& [role, error] : event.errors) {
    json.OpenObject().Field("role", role).Field("errno", error).CloseObject();
  }
  json.CloseList();
}

template <class T>
void WriteList(JsonLine& json, std::string_view key, const std::vector<T>& values) {
  json.Key(key).OpenList();
  for (const auto& value : values) {
    json.Value(value);
  }
  json.CloseList();
}

void Write(JsonLine& json, const HostEvent& event) {
  json.Field("type", "host").Field("end", event.end).Key("components").OpenList();
  for (const auto& [name, sample] : event.hosts) {
    json.OpenObject().Field("component", name).Key("samples").OpenObject();
    for (std::size_t i = 0; i < kHostMetrics; ++i) {
      json.Field(HostMetrics()[i].name, sample[i]);
    }
    json.CloseObject().CloseObject();
  }
  json.CloseList();
}

void Write(JsonLine& json, const DeviceTime& time) {
  json.Key("device_time").OpenObject().Field("mean", time.mean);
  json.Field("peer_median", time.peer_median).Field("slowdown", time.slowdown);
  json.Field("decides", time.decides).CloseObject();
}

// What explains a flag. Keys stay, as null, when there is nothing to say: readers index by them.
void WriteMore(JsonLine& json, const Evidence& one) {
  json.Field("threshold_origin", Name(one.threshold_origin)).Field("effect", one.effect);
  json.Field("mean", one.mean).Field("peer_median", one.peer_median);
  if (one.device_time) {
    Write(json, *one.device_time);
  }
  json.Field("peers", one.peers);
  json.Field("far", one.far);
  WriteList(json, "far_peers", one.far_peers);
  WriteList(json, "near_peers", one.near_peers);
  WriteList(json, "windows", one.windows);
  json.Field("accumulator", one.accumulator).Field("episodes", one.episodes);
}

void Write(JsonLine& json, const SyscallFact& fact) {
  json.Key("syscall").OpenObject().Field("call", fact.call).Field("class", fact.path);
  json.Field("errno", fact.error).Field("count", fact.count).Field("client", fact.client);
  json.Field("client_call", fact.client_call).Field("client_errno", fact.client_error);
  json.Field("open_seconds", fact.open).Field("last_call", fact.last_call);
  if (fact.last_at) {
    json.Field("last_call_at", *fact.last_at);
  }
  json.CloseObject();
}

void Write(JsonLine& json, const StorageReading& reading) {
  json.Key("storage").OpenObject().Field("text", reading.text).Field("unit", reading.unit);
  json.Field("quantile", reading.quantile).Field("value", reading.own);
  json.Field("peers_low", reading.peers_low).Field("peers_high", reading.peers_high);
  json.Field("requests", reading.requests).Field("disk", reading.disk).CloseObject();
}

void WriteFacts(JsonLine& json, const std::vector<Fact>& facts) {
  json.Key("facts").OpenList();
  for (const auto& fact : facts) {
    json.OpenObject().Field("fact", fact.fact).Field("device", fact.device);
    json.Field("detail", fact.detail).Field("text", fact.text).Field("next_step", fact.next);
    json.CloseObject();
  }
  json.CloseList();
}

void Write(JsonLine& json, const VerdictEvent& event) {
  json.Field("type", "verdict").Field("end", event.end).Field("preset", event.preset);
  json.Field("node", event.node).Field("cause", Name(event.cause));
  // Also in a replay: the same data begin at the same instants.
  json.Field("since", event.Since()).Field("named", event.Named()).Field("degree", event.degree);
  json.Key("luns").OpenObject();
  for (const auto& [lun, kind] : event.luns) {
    json.Field(lun, Name(kind));
  }
  json.CloseObject().Key("evidence").OpenList();
  for (const auto& one : event.evidence) {
    json.OpenObject().Field("component", one.component);
    WriteGroup(json, one.group);
    WriteMetric(json, one.metric);
    json.Field("degree", one.degree);
    if (one.s) {
      json.Field("s", one.s);
    }
    json.Field("threshold", one.threshold).Field("direction", Name(one.direction));
    // Presets without time scales keep the keys they always had.
    if (!one.scale.empty()) {
      json.Field("scale", one.scale);
    }
    WriteMore(json, one);
    if (one.syscall) {
      Write(json, *one.syscall);
    }
    if (one.storage) {
      Write(json, *one.storage);
    }
    json.CloseObject();
  }
  json.CloseList().Field("rank", event.rank).Field("secondary", event.secondary);
  if (!event.incident.empty()) {
    json.Field("incident", event.incident);
  }
  // Only presets that can tell say so.
  if (event.local) {
    json.Field("local", true);
  }
  if (!event.facts.empty()) {
    WriteFacts(json, event.facts);
  }
}

void Write(JsonLine& json, const StormEvent& event) {
  json.Field("type", "storm").Field("end", event.end).Field("preset", event.preset);
  WriteGroup(json, event.group);
  WriteMetric(json, event.metric);
  json.Field("n", event.n).Field("flagged", event.flagged);
  WriteList(json, "components", event.components);
  // Only when true: the lines of other storms stay what they were.
  if (event.half) {
    json.Field("half", true);
  }
  if (event.either_side) {
    json.Field("either_side", true);
  }
}

void Write(JsonLine& json, const UnknownEvent& event) {
  json.Field("type", "unknown").Field("end", event.end).Field("preset", event.preset);
  json.Field("node", event.node).Field("cause", Name(event.cause)).Field("judged", event.judged);
  json.Field("since", event.Since()).Field("named", event.Named());
  WriteGroup(json, event.group);
  json.Field("n", event.n).Field("reason", WhyUnknown(event));
}

void Write(JsonLine& json, const BimodalityEvent::Kind& kind) {
  json.OpenObject().Field("n", kind.n).Field("median", kind.median);
  WriteList(json, "components", kind.components);
  WriteList(json, "values", kind.values);
  json.CloseObject();
}

// The check was called "doctor" before; the type keeps that name for one release.
void Write(JsonLine& json, const BimodalityEvent& event) {
  json.Field("type", "doctor").Field("end", event.end).Field("preset", event.preset);
  WriteGroup(json, event.group);
  WriteMetric(json, event.metric);
  json.Field("separation", event.separation).Field("label", event.label);
  json.Field("agreement", event.agreement).Key("low");
  Write(json, event.low);
  json.Key("high");
  Write(json, event.high);
}

void Write(JsonLine& json, const SummaryEvent& event) {
  json.Field("type", "summary").Field("preset", event.preset);
  json.Field("windows", event.windows).Field("verdicts", event.verdicts);
  WriteList(json, "hourly", event.hourly);
}

}  // namespace

std::string ToJsonLine(const Event& event) {
  JsonLine json;
  std::visit([&](const auto& one) { Write(json, one); }, event);
  return json.Finish();
}

}  // namespace limpet
