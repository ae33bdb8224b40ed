#include "exporter/common/flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <memory>
#include <sstream>

namespace limpet {
namespace {

// CLI11 binds to variables; a deque keeps their addresses.
struct Bound {
  const Flag* flag;
  std::string value;
  bool on = false;
  CLI::Option* option = nullptr;
};

struct Sub {
  CLI::App* app;
  const Command* command;
  std::deque<Bound> flags;
  std::vector<std::string> inputs;
};

void AddFlag(Sub& sub, const Flag& flag) {
  auto& bound = sub.flags.emplace_back(Bound{.flag = &flag, .value = flag.default_value});
  if (flag.placeholder.empty()) {
    bound.option = sub.app->add_flag(flag.name, bound.on, flag.help);
    return;
  }
  bound.option =
      sub.app->add_option(flag.name, bound.value, flag.help)->type_name(flag.placeholder);
  if (!flag.default_value.empty()) {
    bound.option->default_str(flag.default_value);
  }
}

CommandLine ToCommandLine(const Sub& sub) {
  CommandLine line{.command = sub.command->name, .values = {}, .given = {}, .inputs = sub.inputs};
  for (const auto& bound : sub.flags) {
    const bool is_switch = bound.flag->placeholder.empty();
    line.values.emplace_back(bound.flag->name, is_switch ? (bound.on ? "true" : "") : bound.value);
    if (bound.option->count() > 0) {
      line.given.push_back(bound.flag->name);
    }
  }
  return line;
}

}  // namespace

const std::string& CommandLine::Value(const std::string& flag) const {
  static const std::string kNone;
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const auto& pair) { return pair.first == flag; });
  return found == values.end() ? kNone : found->second;
}

bool CommandLine::Given(const std::string& flag) const {
  return std::find(given.begin(), given.end(), flag) != given.end();
}

std::variant<CommandLine, Exit> ParseCommandLine(const Program& program, int argc,
                                                 const char* const* argv) {
  CLI::App app(program.description, program.name);
  app.set_version_flag("--version", program.name + " " + LIMPET_VERSION);
  app.require_subcommand(1);
  std::deque<Sub> subs;
  for (const auto& command : program.commands) {
    auto& sub = subs.emplace_back(Sub{.app = app.add_subcommand(command.name, command.help),
                                      .command = &command,
                                      .flags = {},
                                      .inputs = {}});
    for (const auto& flag : command.flags) {
      AddFlag(sub, flag);
    }
    if (!command.inputs.empty()) {
      sub.app->add_option(command.inputs, sub.inputs, "files to read");
    }
  }

  // CLI11 wants the arguments reversed. Without a command's name the default one is meant.
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto names_command = [&](const std::string& text) {
    return std::any_of(program.commands.begin(), program.commands.end(),
                       [&](const Command& command) { return command.name == text; });
  };
  const bool wants_program =
      !arguments.empty() && (names_command(arguments[0]) || arguments[0] == "--help" ||
                             arguments[0] == "-h" || arguments[0] == "--version");
  if (!wants_program && !program.default_command.empty()) {
    arguments.insert(arguments.begin(), program.default_command);
  }
  std::reverse(arguments.begin(), arguments.end());

  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& stopped) {
    std::ostringstream out;
    std::ostringstream err;
    const int code = app.exit(stopped, out, err);
    return Exit{code == 0 ? 0 : 2, out.str() + err.str()};
  }
  for (const auto& sub : subs) {
    if (sub.app->parsed()) {
      return ToCommandLine(sub);
    }
  }
  return Exit{2, app.help()};
}

}  // namespace limpet
