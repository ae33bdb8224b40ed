#include "diagnoser/commands/act.h"

#include <unistd.h>

#include <chrono>

#include "diagnoser/commands/act_program.h"
#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/state_history.h"
#include "diagnoser/config/config.h"
#include "diagnoser/publish/incident_export.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kRound = 1s;
// An order that nobody carried out, because this program did not run, is about a time long past.
constexpr Duration kTooOld = 10min;
// A server whose return failed stays out of service: it is tried again so often, and so long.
constexpr Duration kReturnPause = 10min;
constexpr Duration kReturnTries = 24h;
constexpr Duration kLookForFailed = 1min;

// Whether a program took the server out in this incident and none has returned it since. A dry run,
// and an order that was refused here, took nothing out, though the diagnoser counts them.
Result<bool> IsOut(const Act& act, const IncidentStore& store) {
  const auto acts = store.ActsOf(act.incident);
  if (!acts) {
    return acts.error();
  }
  bool out = false;
  for (const auto& one : *acts) {
    const bool ran = one.state == "done" || one.state == "failed" || one.state == "running";
    if (one.step == ActStep::kBegin || one.step == ActStep::kConfirm) {
      out = out || ran;
    } else if (one.step == ActStep::kEnd && one.state == "done") {
      out = false;
    }
  }
  return out;
}

// Why it is not run; empty: it is.
Result<std::string> Objection(const Act& act, const IncidentStore& store,
                              const ActionSettings& settings, UnixTime now) {
  if (settings.mode != ActionMode::kArmed) {
    return std::string("actions are not armed");
  }
  if (::access(settings.stop_file.c_str(), F_OK) == 0) {
    return settings.stop_file + " is there";
  }
  if (act.step != ActStep::kEnd && now - act.at > kTooOld) {
    return std::string("it was ordered more than 10 minutes ago");
  }
  if (!settings.programs.contains(std::string(Name(act.step)))) {
    return std::string("no program is configured");
  }
  if (act.step == ActStep::kEnd) {
    const auto out = IsOut(act, store);
    if (!out) {
      return out.error();
    }
    return std::string(*out ? "" : "no program took the server out");
  }
  return std::string();
}

// What is known of the incident by now, with all answers, about the component that the act is
// about.
std::string InputOf(const Act& act, const IncidentStore& store) {
  auto record = store.Find(act.incident);
  const auto answers = store.AnswersTo(act.incident);
  if (!record || !*record || !answers) {
    return act.document + "\n";
  }
  (*record)->document = act.document;
  return IncidentJsonLine(**record, *answers);
}

}  // namespace

void ActOptions::Bind(Flags& flags) {
  BindConfigFile(flags, config_file);
  BindStateFolder(flags, state_folder);
  flags.Add(once, "--once", "do what is ordered now, then end");
}

Result<std::vector<Act>> ActRunner::Due(const IncidentStore& store) {
  auto due = store.OrderedActs();
  if (!due || clock_.Steady() < look_at_) {
    return due;
  }
  look_at_ = clock_.Steady() + kLookForFailed;
  const auto failed = store.FailedReturns(clock_.Now() - kReturnTries);
  if (!failed) {
    return failed.error();
  }
  for (const auto& act : *failed) {
    // At the start it is not known when it was tried last.
    const auto& tried = tried_.try_emplace(act.number, clock_.Steady()).first->second;
    if (clock_.Steady() - tried >= kReturnPause) {
      due->push_back(act);
    }
  }
  return due;
}

Result<void> ActRunner::Run(const Act& act, IncidentStore& store) {
  const auto why_not = Objection(act, store, settings_, clock_.Now());
  if (!why_not) {
    return why_not.error();
  }
  auto said = *why_not;
  auto state = std::string("refused");
  if (said.empty()) {
    // Before it runs: a crash of ours in between must not run it twice.
    if (auto begun = store.FinishAct(act.number, "running", ""); !begun) {
      return begun.error();
    }
    const auto& command = settings_.programs.at(std::string(Name(act.step)));
    const auto result = RunActProgram(command, InputOf(act, store), settings_.timeout);
    state = result.ok ? "done" : "failed";
    said = result.text;
    tried_[act.number] = clock_.Steady();
    ++run_;
  } else if (act.state == "failed") {
    return {};  // it may be tried again when nothing speaks against it
  }
  log_(state == "done" ? LogLevel::kInfo : LogLevel::kWarning,
       act.node + ": " + std::string(Name(act.step)) + " of incident " + act.incident + ": " +
           state + (said.empty() ? "" : ": " + said));
  return store.FinishAct(act.number, state, said);
}

Result<std::size_t> ActRunner::RunDue(IncidentStore& store) {
  const auto due = Due(store);
  if (!due) {
    return due.error();
  }
  run_ = 0;
  for (const auto& act : *due) {
    if (const auto done = Run(act, store); !done) {
      return done.error();
    }
  }
  return run_;
}

// The configuration is read once: what is armed changes with a restart that somebody makes, not
// with the next round.
int RunAct(const ActOptions& options, Signals& signals) {
  const auto config = LoadDiagnoserConfig(options.config_file, "");
  if (!config) {
    return RefuseConfig(config.error(), options.config_file);
  }
  const auto settings = config->incidents.actions;
  if (settings.mode != ActionMode::kArmed) {
    return Fail("act: expected actions: {mode: armed} in " + options.config_file, kExitUsage);
  }
  const RealClock clock;
  const auto log = StderrLog(config->log_level);
  ActRunner runner(settings, clock, log);
  std::string told;
  do {
    // Opened each time: the diagnoser may set a file aside, or begin one.
    auto store = OpenStateHistory(options.state_folder, Database::Access::kReadWrite);
    const auto done = store ? runner.RunDue(*store) : Result<std::size_t>(store.error());
    const auto problem = done ? std::string() : done.error().Text();
    if (!problem.empty() && problem != told) {
      log(LogLevel::kError, problem);
    }
    told = problem;
  } while (!options.once && signals.Wait(kRound) != Wake::kStop);
  return kExitOk;
}

}  // namespace limpet
