#include "diagnoser/commands/answer.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/state_history.h"
#include "diagnoser/runtime/incident_pages.h"

namespace limpet {
namespace {

std::string UserName() {
  const auto* const user = ::getpwuid(::getuid());  // NOLINT(concurrency-mt-unsafe): one thread
  return user == nullptr ? std::to_string(::getuid()) : user->pw_name;
}

int AnswerOverHttp(const AnswerOptions& options, const std::string& id) {
  const nlohmann::json body = {
      {"as", options.as}, {"until", options.until}, {"note", options.note}, {"by", options.by}};
  const auto answer =
      TellDiagnoser(options.diagnoser, "api/v1/incidents/" + id + "/answer",
                    body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  return answer ? PrintAll("answered\n", "answer")
                : Fail("answer: " + answer.error().Text(),
                       answer.error().code == ErrorCode::kInvalid ? kExitUsage : kExitFailed);
}

// The diagnoser notices within a second that another process has written.
int AnswerInFolder(const AnswerOptions& options, const IncidentAnswer& answer) {
  auto store = OpenStateHistory(options.state_folder, Database::Access::kReadWrite);
  if (!store) {
    return Fail("answer: " + store.error().Text(), kExitFailed);
  }
  if (const auto added = store->Add(answer); !added) {
    return Fail("answer: " + added.error().Text(), kExitFailed);
  }
  return PrintAll("answered\n", "answer");
}

}  // namespace

void AnswerOptions::Bind(Flags& flags) {
  flags.AddChoice(as, "--as", {"fixed", "false-alarm", "known", "maintenance", "scrub"},
                  "what it is; known keeps the page green, maintenance masks the node");
  flags.Add(until, "--until", "TIME", "how long that holds: 2h, or Unix seconds");
  flags.Add(note, "--note", "TEXT", "a word for those who read it later");
  flags.Add(by, "--by", "NAME", "who says so; by default who runs this");
  BindStateFolder(flags, state_folder);
  diagnoser.Bind(flags);
  flags.AddInputs(inputs, "ID", "the incident, as the API, events and sinks name it");
}

int RunAnswer(const AnswerOptions& options) {
  if (options.inputs.size() != 1 || !IsIncidentId(options.inputs.front())) {
    return Fail("answer: expected the id of one incident, 16 hexadecimal digits", kExitUsage);
  }
  const auto kind = ParseAnswerKind(options.as);
  if (!kind) {
    return Fail("answer: expected --as fixed, false-alarm, known, maintenance or scrub",
                kExitUsage);
  }
  if (const auto problem = options.diagnoser.Problem(); !problem.empty()) {
    return Fail("answer: " + problem, kExitUsage);
  }
  const auto now = RealClock().Now();
  const auto until = ParseUntil(options.until, now);
  if (!until) {
    return Fail("answer: --" + until.error().message, kExitUsage);
  }
  const IncidentAnswer answer{
      .incident = options.inputs.front(),
      .at = now,
      .kind = *kind,
      .until = *until,
      .note = CleanText(options.note, IncidentAnswer::kMaxNote),
      .by = CleanText(options.by.empty() ? UserName() : options.by, IncidentAnswer::kMaxName)};
  if (const auto good = CheckAnswer(answer); !good) {
    return Fail("answer: " + good.error().message, kExitUsage);
  }
  return options.diagnoser.url ? AnswerOverHttp(options, options.inputs.front())
                               : AnswerInFolder(options, answer);
}

}  // namespace limpet
