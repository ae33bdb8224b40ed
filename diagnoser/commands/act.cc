#include "diagnoser/commands/act.h"

#include <unistd.h>

#include <chrono>

#include "diagnoser/commands/act_program.h"
#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/state_history.h"
#include "diagnoser/config/config.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kRound = 1s;
// An order that nobody carried out, because this program did not run, is about a time long past.
constexpr Duration kTooOld = 10min;

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

}  // namespace

void ActOptions::Bind(Flags& flags) {
  BindConfigFile(flags, config_file);
  BindStateFolder(flags, state_folder);
  flags.Add(once, "--once", "do what is ordered now, then end");
}

Result<std::size_t> RunOrdered(IncidentStore& store, const ActionSettings& settings,
                               const Clock& clock, const LogSink& log) {
  const auto ordered = store.OrderedActs();
  if (!ordered) {
    return ordered.error();
  }
  std::size_t run = 0;
  for (const auto& act : *ordered) {
    const auto why_not = Objection(act, store, settings, clock.Now());
    if (!why_not) {
      return why_not.error();
    }
    auto objection = *why_not;
    auto state = std::string("refused");
    if (objection.empty()) {
      // Before it runs: a crash of ours in between must not run it twice.
      if (auto begun = store.FinishAct(act.number, "running", ""); !begun) {
        return begun.error();
      }
      const auto& command = settings.programs.at(std::string(Name(act.step)));
      const auto result = RunActProgram(command, act.document + "\n", settings.timeout);
      state = result.ok ? "done" : "failed";
      objection = result.text;
      ++run;
    }
    log(state == "done" ? LogLevel::kInfo : LogLevel::kWarning,
        act.node + ": " + std::string(Name(act.step)) + " of incident " + act.incident + ": " +
            state + (objection.empty() ? "" : ": " + objection));
    if (auto finished = store.FinishAct(act.number, state, objection); !finished) {
      return finished.error();
    }
  }
  return run;
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
  std::string told;
  do {
    // Opened each time: the diagnoser may set a file aside, or begin one.
    auto store = OpenStateHistory(options.state_folder, Database::Access::kReadWrite);
    const auto done =
        store ? RunOrdered(*store, settings, clock, log) : Result<std::size_t>(store.error());
    const auto problem = done ? std::string() : done.error().Text();
    if (!problem.empty() && problem != told) {
      log(LogLevel::kError, problem);
    }
    told = problem;
  } while (!options.once && signals.Wait(kRound) != Wake::kStop);
  return kExitOk;
}

}  // namespace limpet
