#include "diagnoser/publish/events.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <type_traits>

namespace limpet {
namespace {

// Writes one JSON value after the other; a comma goes between whatever follows on the same level.
class JsonWriter {
 public:
  JsonWriter& Open(char bracket) {
    Comma();
    text_ += bracket;
    fresh_ = true;
    return *this;
  }
  JsonWriter& Close(char bracket) {
    text_ += bracket;
    fresh_ = false;
    return *this;
  }
  JsonWriter& Key(std::string_view key) {
    Value(key);
    text_ += ':';
    fresh_ = true;
    return *this;
  }
  JsonWriter& Value(std::string_view text);
  JsonWriter& Value(const char* text) { return Value(std::string_view(text)); }
  JsonWriter& Value(const std::string& text) { return Value(std::string_view(text)); }
  JsonWriter& Value(bool value) { return Raw(value ? "true" : "false"); }
  JsonWriter& Value(double value);
  JsonWriter& Value(std::size_t value) { return Raw(std::to_string(value)); }
  JsonWriter& Value(std::uint32_t value) { return Raw(std::to_string(value)); }
  JsonWriter& Value(UnixTime at);
  template <class T>
  JsonWriter& Value(std::optional<T> value) {
    return value ? Value(*value) : Raw("null");
  }
  template <class T>
  JsonWriter& Field(std::string_view key, const T& value) {
    return Key(key).Value(value);
  }

  [[nodiscard]] std::string Take() { return std::move(text_); }

 private:
  void Comma() {
    if (!fresh_) {
      text_ += ',';
    }
    fresh_ = false;
  }
  JsonWriter& Raw(std::string_view text) {
    Comma();
    text_ += text;
    return *this;
  }

  std::string text_;
  bool fresh_ = true;
};

JsonWriter& JsonWriter::Value(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  Comma();
  text_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (byte < 0x20) {
      text_ += "\\u00";
      text_ += kHex[byte >> 4U];
      text_ += kHex[byte & 0xfU];
    } else {
      text_ += c;
    }
  }
  text_ += '"';
  return *this;
}

// JSON has no word for a number that is not finite; none should get here.
JsonWriter& JsonWriter::Value(double value) {
  if (!std::isfinite(value)) {
    return Raw("null");
  }
  char buffer[32];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value).ptr;
  return Raw({std::begin(buffer), static_cast<std::size_t>(end - std::begin(buffer))});
}

// Exact: whole seconds, and the digits of the rest when there is one.
JsonWriter& JsonWriter::Value(UnixTime at) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(at);
  auto text = std::to_string(whole.time_since_epoch().count());
  const auto rest = (at - whole).count();
  if (rest != 0) {
    auto digits = std::to_string(1'000'000'000 + rest);
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits.substr(1);
  }
  return Raw(text);
}

void Write(JsonWriter& json, const ComponentWindow& one) {
  json.Open('{').Field("component", one.component).Field("s", one.s);
  json.Field("threshold", one.threshold).Field("window_anomalous", one.window_anomalous);
  json.Field("flagged", one.flagged).Field("direction", Name(one.direction));
  json.Field("accumulator", one.accumulator).Field("degree", one.degree);
  if (one.s_is_bound) {
    json.Field("bound", true);
  }
  if (one.effect) {
    json.Field("effect", one.effect).Field("z", one.z).Field("window_degree", one.window_degree);
  }
  json.Close('}');
}

void Write(JsonWriter& json, const WindowEvent& event) {
  json.Field("type", "window").Field("end", event.end).Field("preset", event.preset);
  json.Field("group", event.group).Field("metric", event.metric).Field("n", event.n);
  if (event.domain) {
    json.Field("domain", *event.domain);
  }
  json.Field("undetermined", event.undetermined);
  json.Field("threshold_trained", event.threshold_trained);
  json.Field("lo", event.lo).Field("hi", event.hi).Field("bins", event.bins);
  json.Key("components").Open('[');
  for (const auto& one : event.components) {
    Write(json, one);
  }
  json.Close(']');
}

// `flagged` repeats `anomalous`: in one second there is no filter between them.
void Write(JsonWriter& json, const CwndEvent& event) {
  json.Field("type", "cwnd").Field("end", event.end).Field("group", event.group);
  json.Field("metric", event.metric).Field("n", event.n).Field("f", event.f);
  json.Field("threshold_trained", event.threshold_trained).Field("median", event.median);
  json.Key("components").Open('[');
  for (const auto& one : event.components) {
    json.Open('{').Field("component", one.component).Field("avg", one.average);
    json.Field("log", one.log).Field("anomalous", one.anomalous).Field("flagged", one.anomalous);
    json.Close('}');
  }
  json.Close(']');
}

void Write(JsonWriter& json, const ProfileEvent& event) {
  json.Field("type", "profile").Field("end", event.end).Field("threshold", event.threshold);
  json.Key("components").Open('[');
  for (const auto& one : event.components) {
    json.Open('{').Field("component", one.component).Field("label", one.label);
    json.Key("distances").Open('{');
    for (const auto& [peer, distance] : one.distances) {
      json.Field(peer, distance);
    }
    json.Close('}').Field("alarm", one.alarm).Field("indicted", one.indicted).Close('}');
  }
  json.Close(']');
}

template <class T>
void WriteList(JsonWriter& json, std::string_view key, const std::vector<T>& values) {
  json.Key(key).Open('[');
  for (const auto& value : values) {
    json.Value(value);
  }
  json.Close(']');
}

void Write(JsonWriter& json, const HostEvent& event) {
  json.Field("type", "host").Field("end", event.end).Key("components").Open('[');
  for (const auto& [name, sample] : event.hosts) {
    json.Open('{').Field("component", name).Key("samples").Open('{');
    for (std::size_t i = 0; i < kHostMetrics; ++i) {
      json.Field(HostMetrics()[i].name, sample[i]);
    }
    json.Close('}').Close('}');
  }
  json.Close(']');
}

void WriteMore(JsonWriter& json, const Evidence& one) {
  json.Field("threshold_origin", Name(one.threshold_origin)).Field("effect", one.effect);
  json.Field("mean", one.mean).Field("peer_median", one.peer_median).Field("peers", one.peers);
  json.Key("far");
  if (one.far) {
    json.Value(*one.far);
  } else {
    json.Value(std::optional<double>());
  }
  WriteList(json, "far_peers", one.far_peers);
  WriteList(json, "near_peers", one.near_peers);
  WriteList(json, "windows", one.windows);
  json.Field("accumulator", one.accumulator).Field("episodes", one.episodes);
}

void Write(JsonWriter& json, const VerdictEvent& event) {
  json.Field("type", "verdict").Field("end", event.end).Field("preset", event.preset);
  json.Field("node", event.node).Field("cause", Name(event.cause)).Field("degree", event.degree);
  json.Key("luns").Open('{');
  for (const auto& [lun, kind] : event.luns) {
    json.Field(lun, Name(kind));
  }
  json.Close('}').Key("evidence").Open('[');
  for (const auto& one : event.evidence) {
    json.Open('{').Field("component", one.component).Field("group", one.group);
    json.Field("metric", one.metric).Field("degree", one.degree);
    if (one.s) {
      json.Field("s", one.s);
    }
    json.Field("threshold", one.threshold).Field("direction", Name(one.direction));
    WriteMore(json, one);
    json.Close('}');
  }
  json.Close(']').Field("rank", event.rank).Field("secondary", event.secondary);
}

void Write(JsonWriter& json, const StormEvent& event) {
  json.Field("type", "storm").Field("end", event.end).Field("preset", event.preset);
  json.Field("group", event.group).Field("metric", event.metric).Field("n", event.n);
  json.Field("flagged", event.flagged);
  WriteList(json, "components", event.components);
}

void Write(JsonWriter& json, const BimodalityEvent::Kind& kind) {
  json.Open('{').Field("n", kind.n).Field("median", kind.median);
  WriteList(json, "components", kind.components);
  WriteList(json, "values", kind.values);
  json.Close('}');
}

void Write(JsonWriter& json, const BimodalityEvent& event) {
  json.Field("type", "doctor").Field("end", event.end).Field("preset", event.preset);
  json.Field("group", event.group).Field("metric", event.metric);
  json.Field("separation", event.separation).Field("label", event.label);
  json.Field("agreement", event.agreement).Key("low");
  Write(json, event.low);
  json.Key("high");
  Write(json, event.high);
}

void Write(JsonWriter& json, const SummaryEvent& event) {
  json.Field("type", "summary").Field("preset", event.preset);
  json.Field("windows", event.windows).Field("verdicts", event.verdicts);
  json.Key("hourly").Open('[');
  for (const auto& row : event.hourly) {
    json.Value(row);
  }
  json.Close(']');
}

}  // namespace

std::string ToJsonLine(const Event& event) {
  JsonWriter json;
  json.Open('{');
  std::visit([&](const auto& one) { Write(json, one); }, event);
  json.Close('}');
  return json.Take() + '\n';
}

}  // namespace limpet
