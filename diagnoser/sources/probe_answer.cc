#include "diagnoser/sources/probe_answer.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

using Json = nlohmann::json;
using State = ProbeReading::State;

constexpr unsigned kUnauthorized = 401;
constexpr unsigned kNotFound = 404;
constexpr unsigned kTooManyRequests = 429;

// It ends up in logs, labels and pages.
std::string Bounded(std::string_view text) {
  constexpr std::size_t kMost = 300;
  return Printable(std::string(Trim(text.substr(0, kMost))));
}

ProbeReading None(ProbeReading reading, std::string why) {
  reading.state = State::kNone;
  reading.error = std::move(why);
  return reading;
}

std::string Explain(const FetchResult& result) {
  if (result.status == kUnauthorized) {
    return "its exporter wants a password: basic_auth of the target (401)";
  }
  if (result.status == kNotFound) {
    return "it has no /probe/disk: a limpet-exporter with probes is needed (404)";
  }
  return result.body.empty() ? Bounded(result.error)
                             : Bounded(result.body) + " (" + std::to_string(result.status) + ")";
}

// A number that is not negative; another is what no exporter of ours sends.
std::optional<double> Number(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) {
    return std::nullopt;
  }
  const auto value = found->get<double>();
  constexpr double kMost = 1e6;
  return std::isfinite(value) && value >= 0 && value <= kMost ? std::optional(value) : std::nullopt;
}

std::string Text(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<ProbeReading> ReadDone(const Json& json, ProbeReading reading) {
  const auto reads = Number(json, "reads");
  const auto median = Number(json, "median_seconds");
  if (!reads || *reads < 1 || !median) {
    return None(std::move(reading), "expected reads and median_seconds in its answer");
  }
  reading.state = State::kMeasured;
  reading.reads = static_cast<std::size_t>(*reads);
  reading.median = *median;
  return reading;
}

std::optional<ProbeReading> ReadState(const Json& json, ProbeReading reading) {
  const auto state = Text(json, "state");
  if (state == "running") {
    return std::nullopt;
  }
  if (state == "no_answer") {
    reading.state = State::kNoAnswer;
    reading.waited = std::chrono::milliseconds(
        static_cast<std::int64_t>(Number(json, "waited_seconds").value_or(0) * 1e3));
    return reading;
  }
  const auto age = Number(json, "age_seconds");
  if (age && *age > ToSeconds(kMaxProbeAge)) {
    return None(std::move(reading),
                "its last probe is older than the verdict, and it reads a disk "
                "once in probe.interval only");
  }
  if (state == "done") {
    return ReadDone(json, std::move(reading));
  }
  if (state == "failed") {
    const auto of_disk = json.find("disk_error");
    const bool is_of_disk = of_disk != json.end() && of_disk->is_boolean() && of_disk->get<bool>();
    reading.state = is_of_disk ? State::kDiskError : State::kNone;
    reading.error = Bounded(Text(json, "error"));
    return reading;
  }
  return None(std::move(reading), "expected a state such as done, got \"" + Bounded(state) + "\"");
}

}  // namespace

std::optional<ProbeReading> ReadProbeAnswer(const FetchResult& result, ProbeReading reading) {
  if (result.failure) {
    // Somebody else's disk is being read there: it takes a second or so.
    return result.status == kTooManyRequests
               ? std::nullopt
               : std::optional(None(std::move(reading), Explain(result)));
  }
  // Without exceptions: what is no JSON becomes a value that is no object.
  const auto json = Json::parse(result.body, nullptr, false);
  if (!json.is_object()) {
    return None(std::move(reading), "expected a JSON object as its answer");
  }
  return ReadState(json, std::move(reading));
}

}  // namespace limpet
