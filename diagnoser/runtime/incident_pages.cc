#include "diagnoser/runtime/incident_pages.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "diagnoser/publish/api_json.h"
#include "diagnoser/publish/incident_document.h"
#include "diagnoser/runtime/live_pages.h"
#include "exporter/common/instants.h"
#include "exporter/common/text.h"
#include "exporter/common/web/target.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kIncidents = "/api/v1/incidents/";
constexpr std::string_view kAnswer = "/answer";
constexpr std::uint64_t kUsualLimit = 1000;
constexpr std::uint64_t kMaxLimit = 10'000;
constexpr Duration kLongestAnswer = 24h * 366;

web::Response Json(std::string text, int status = 200) {
  auto response = web::Text(status, std::move(text));
  response.content_type = "application/json";
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

web::Response Busy() {
  auto response = ErrorResponse(503, "unavailable", "the history is busy or its disk is slow");
  response.headers.emplace_back("Retry-After", "5");
  return response;
}

web::Response Unreadable(const Error& error) {
  return ErrorResponse(503, "unavailable", "the history cannot be read: " + error.message);
}

// Told once; without an answer that the history is busy, whatever becomes of the question.
class Pending {
 public:
  explicit Pending(web::Reply reply) : reply_(std::move(reply)) {}
  ~Pending() { Tell(Busy()); }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  void Tell(web::Response response) {
    if (const auto reply = std::exchange(reply_, nullptr)) {
      reply(std::move(response));
    }
  }

 private:
  web::Reply reply_;
};

// The answer of `job`, which runs on a thread of the keeper.
enum class Access : std::uint8_t { kReads, kWrites };
using Answering = std::function<web::Response(IncidentStore&, std::optional<Error>&)>;
web::Response Later(IncidentKeeper& keeper, Access access, Answering job) {
  web::Response response;
  response.later = [&keeper, access, job = std::move(job)](web::Reply reply) {
    const IncidentKeeper::Job answer =
        [job, pending = std::make_shared<Pending>(std::move(reply))](IncidentStore& store) {
          std::optional<Error> problem;
          pending->Tell(job(store, problem));
          return problem;
        };
    (void)(access == Access::kReads ? keeper.Read(answer) : keeper.Ask(answer));
  };
  return response;
}

// Milliseconds are enough, and what no clock shows is refused before it is converted.
std::optional<UnixTime> Seconds(std::string_view query, std::string_view key, UnixTime absent) {
  const auto text = web::QueryValue(query, key);
  if (!text) {
    return absent;
  }
  const auto seconds = ParseDouble(*text);
  return seconds ? InstantFromSeconds(*seconds) : std::nullopt;
}

web::Response NotFound() {
  return ErrorResponse(404, "not_found",
                       "no incident of that id is kept: /api/v1/incidents lists them");
}

// Without documents: a thousand of them would be megabytes.
web::Response List(IncidentKeeper& keeper, const web::Request& request) {
  const auto from = Seconds(request.query, "from", kEarliestInstant);
  const auto to = Seconds(request.query, "to", kLatestInstant);
  const auto limit = web::QueryValue(request.query, "limit");
  const auto number = limit ? ParseU64(*limit) : kUsualLimit;
  const auto before = web::QueryValue(request.query, "before").value_or("");
  if (!before.empty() && !IsIncidentId(before)) {
    return NotFound();
  }
  if (!from || !to || !number || *number == 0) {
    return ErrorResponse(
        400, "bad_request",
        "expected from and to: Unix seconds; limit: a number over 0; node: a name; before: an id");
  }
  const IncidentStore::Query query{.from = *from,
                                   .to = *to,
                                   .node = web::QueryValue(request.query, "node").value_or(""),
                                   .before = before,
                                   .limit = static_cast<std::size_t>(std::min(*number, kMaxLimit)),
                                   .documents = false};
  return Later(
      keeper, Access::kReads, [query](IncidentStore& store, std::optional<Error>& problem) {
        const auto records = store.List(query);
        if (!records) {
          problem = records.error();
          return Unreadable(records.error());
        }
        // Dropped by its age between two parts: it is not known what came before it.
        if (records->empty() && !query.before.empty()) {
          const auto known = store.Find(query.before);
          if (!known || !*known) {
            return NotFound();
          }
        }
        auto list = ApiJson::array();
        for (const auto& record : *records) {
          list.push_back(IncidentRow(record));
        }
        // Full: older ones may be missing, which come before the first of these.
        return Json(PrintApiJson(
            {{"complete", records->size() < query.limit}, {"incidents", std::move(list)}}));
      });
}

web::Response One(IncidentKeeper& keeper, const std::string& id) {
  if (!IsIncidentId(id)) {
    return NotFound();
  }
  return Later(keeper, Access::kReads, [id](IncidentStore& store, std::optional<Error>& problem) {
    const auto record = store.Find(id);
    const auto answers = store.AnswersTo(id);
    const auto acts = store.ActsOf(id);
    if (!record || !answers || !acts) {
      problem = !record ? record.error() : !answers ? answers.error() : acts.error();
      return Unreadable(*problem);
    }
    if (!*record) {
      return NotFound();
    }
    auto json = IncidentToJson(**record, *answers);
    json["acts"] = ApiJson::array();
    for (const auto& act : *acts) {
      json["acts"].push_back(ActToJson(act));
    }
    return Json(PrintApiJson(json));
  });
}

// Empty: it may be taken.
std::optional<web::Response> Refusal(const web::Request& request) {
  if (request.method != "POST") {
    auto response = ErrorResponse(405, "method_not_allowed", "expected POST");
    response.headers.emplace_back("Allow", "POST");
    return response;
  }
  if (!request.is_authenticated) {
    return ErrorResponse(403, "forbidden",
                         "answers are taken over HTTP only where --web.config.file asks for "
                         "passwords or client certificates; on the diagnoser's own machine: "
                         "limpet-diagnoser answer");
  }
  // A form of another site can send no JSON, and its script not without asking first.
  if (!request.content_type.starts_with("application/json")) {
    return ErrorResponse(415, "unsupported", "expected Content-Type: application/json");
  }
  const auto slashes = request.origin.find("://");
  const bool same = request.origin.empty() || (slashes != std::string::npos &&
                                               request.origin.substr(slashes + 3) == request.host);
  const auto& site = request.fetch_site;
  if (!same || !(site.empty() || site == "same-origin" || site == "none")) {
    return ErrorResponse(403, "forbidden", "the request comes from the page of another site");
  }
  return std::nullopt;
}

// Who may, then what: nobody learns of ids who may not answer.
web::Response Answer(IncidentKeeper& keeper, const web::Request& request, std::string_view id,
                     UnixTime now) {
  if (auto refusal = Refusal(request)) {
    return *std::move(refusal);
  }
  if (!IsIncidentId(id)) {
    return NotFound();
  }
  const auto answer = ParseAnswer(id, request.body, request.user, now);
  if (!answer) {
    return ErrorResponse(400, "bad_request", answer.error().message);
  }
  return Later(keeper, Access::kWrites,
               [answer = *answer](IncidentStore& store, std::optional<Error>& problem) {
                 const auto added = store.Add(answer);
                 if (added) {
                   return Json(PrintApiJson(AnswerToJson(answer)));
                 }
                 if (added.error().code == ErrorCode::kNotFound) {
                   return NotFound();
                 }
                 problem = added.error();
                 return Unreadable(added.error());
               });
}

}  // namespace

Result<std::optional<UnixTime>> ParseUntil(std::string_view text, UnixTime now) {
  if (text.empty()) {
    return std::optional<UnixTime>();
  }
  const auto refused = Error{ErrorCode::kInvalid,
                             "until: expected a duration such as 2h, or Unix seconds in the "
                             "future, a year ahead at most, got \"" +
                                 CleanText(text, 40) + "\"",
                             ""};
  std::optional<UnixTime> until;
  if (const auto seconds = ParseDouble(text)) {
    until = InstantFromSeconds(*seconds);
  } else if (const auto duration = yaml::ParseDuration(text)) {
    until = *duration <= kLongestAnswer ? std::optional(now + *duration) : std::nullopt;
  }
  if (!until || *until <= now || *until - now > kLongestAnswer) {
    return refused;
  }
  return until;
}

Result<void> CheckAnswer(const IncidentAnswer& answer) {
  // Without an end a server would be left out of every comparison for good.
  if (answer.kind == AnswerKind::kMaintenance && !answer.until) {
    return Error{ErrorCode::kInvalid,
                 "maintenance wants until, such as 2h: the server is not "
                 "judged before",
                 ""};
  }
  return {};
}

Result<IncidentAnswer> ParseAnswer(std::string_view incident, std::string_view body,
                                   const std::string& user, UnixTime now) {
  // Deeper than the few keys that there are: refused before it costs anything.
  constexpr int kDepth = 2;
  const auto json = nlohmann::json::parse(
      body,
      [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) { return depth < kDepth; },
      false);
  const auto text = [&](const char* key) -> std::optional<std::string> {
    const auto value = json.find(key);
    if (value == json.end() || value->is_null()) {
      return "";
    }
    return value->is_string()   ? std::optional(value->get<std::string>())
           : value->is_number() ? std::optional(value->dump())
                                : std::nullopt;
  };
  const auto refused = [](const std::string& message) {
    return Error{ErrorCode::kInvalid, message, ""};
  };
  if (!json.is_object()) {
    return refused(R"(expected an object such as {"as": "fixed", "note": "new disk"})");
  }
  const auto kind = ParseAnswerKind(text("as").value_or(""));
  const auto note = text("note");
  const auto by = text("by");
  const auto until_text = text("until");
  if (!kind || !note || !by || !until_text) {
    return refused(
        "expected as: fixed, false-alarm, known, maintenance or scrub; note, by and until: texts");
  }
  const auto until = ParseUntil(*until_text, now);
  if (!until) {
    return until.error();
  }
  IncidentAnswer answer{.incident = std::string(incident),
                        .at = now,
                        .kind = *kind,
                        .until = *until,
                        .note = CleanText(*note, IncidentAnswer::kMaxNote),
                        .by = CleanText(by->empty() ? user : *by, IncidentAnswer::kMaxName)};
  // Who says to be somebody else is still known by the name of the password.
  if (!user.empty() && answer.by != user) {
    answer.by = CleanText(user + " for " + answer.by, IncidentAnswer::kMaxName);
  }
  const auto good = CheckAnswer(answer);
  return good ? Result<IncidentAnswer>(std::move(answer)) : good.error();
}

void AddIncidentPages(web::Router& router, IncidentKeeper& keeper, const Clock& clock) {
  router.Add("/api/v1/incidents",
             [&keeper](const web::Request& request) { return List(keeper, request); });
  router.Add("/api/v1/precision", [&keeper](const web::Request&) {
    return Json(PrecisionJson(keeper.Book()->precision));
  });
  router.AddPrefix(std::string(kIncidents), [&keeper, &clock](const web::Request& request) {
    auto id = std::string_view(request.path).substr(kIncidents.size());
    if (id.ends_with(kAnswer)) {
      id.remove_suffix(kAnswer.size());
      return Answer(keeper, request, id, clock.Now());
    }
    return One(keeper, std::string(id));
  });
}

}  // namespace limpet
