#include "exporter/common/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <sstream>

#include "exporter/common/closest.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

std::string Expected(std::string_view what, std::string_view got) {
  return std::string("expected ").append(what).append(", got \"").append(got).append("\"");
}

// CLI11 by itself takes "-1", "0x10" and "1e3" and does not say which numbers it wants.
std::function<std::string(const std::string&)> WholeNumber(std::uint64_t min, std::uint64_t max) {
  return [=](const std::string& text) {
    const auto number = ParseU64(text);
    return number && *number >= min && *number <= max
               ? std::string()
               : Expected(
                     "a whole number from " + std::to_string(min) + " to " + std::to_string(max),
                     text);
  };
}

// "jsonl, text" with `last` before the last one: " or " reads as a sentence, "|" as a placeholder.
std::string Joined(const std::vector<std::string>& words, std::string_view between,
                   std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text.append(i == 0 ? "" : i + 1 == words.size() ? last : between).append(words[i]);
  }
  return text;
}

template <class Value>
CLI::Option* AddChecked(CLI::App& app, Value& value, const char* name,
                        std::initializer_list<const char*> choices, const char* help,
                        const std::string& unset) {
  const std::vector<std::string> words(choices.begin(), choices.end());
  return app.add_option(name, value, help)
      ->type_name(Joined(words, "|", "|"))
      ->check([words, unset](const std::string& text) {
        // A unit file that passes an empty variable means the default.
        const bool known =
            text == unset || std::find(words.begin(), words.end(), text) != words.end();
        return known ? std::string() : Expected(Joined(words, ", ", " or "), text);
      });
}

// CLI11 would print an empty default as "FILE=", which reads like a mistake.
void ShowDefault(CLI::Option& option, const std::string& value) {
  if (!value.empty()) {
    option.default_str(value);
  }
}

bool IsCommand(const Program& program, const std::string& text) {
  return std::any_of(program.commands.begin(), program.commands.end(),
                     [&](const Subcommand& command) { return command.name == text; });
}

// Without this its --help would be that of the default command.
Exit UnknownCommand(const Program& program, std::string_view word) {
  std::vector<std::string> names;
  std::string all;
  for (const auto& command : program.commands) {
    names.push_back(command.name);
    all += " " + command.name;
  }
  return {kExitUsage, program.name + ": no command is called " + Printable(word) +
                          DidYouMean(word, names) + "; expected one of" + all + "\n"};
}

// What to parse, without the program's name. Without the name of a command the default one is
// meant, but for the flags that the program itself answers.
std::vector<std::string> Arguments(const Program& program, int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool for_program =
      !arguments.empty() && (IsCommand(program, arguments[0]) || arguments[0] == "--help" ||
                             arguments[0] == "-h" || arguments[0] == "--version");
  if (!for_program && !program.default_command.empty()) {
    arguments.insert(arguments.begin(), program.default_command);
  }
  return arguments;
}

}  // namespace

void Flags::Add(std::string& value, const char* name, const char* placeholder, const char* help) {
  ShowDefault(*app_.add_option(name, value, help)->type_name(placeholder), value);
}

void Flags::Add(std::optional<std::string>& value, const char* name, const char* placeholder,
                const char* help, const char* default_value) {
  ShowDefault(*app_.add_option(name, value, help)->type_name(placeholder), default_value);
}

void Flags::Add(bool& on, const char* name, const char* help) { app_.add_flag(name, on, help); }

void Flags::AddNumber(std::uint64_t& value, const char* name, const char* placeholder,
                      const char* help, std::uint64_t min, std::uint64_t max) {
  app_.add_option(name, value, help)
      ->type_name(placeholder)
      ->check(WholeNumber(min, max))
      ->default_str(std::to_string(value));
}

void Flags::AddNumber(std::optional<std::uint64_t>& value, const char* name,
                      const char* placeholder, const char* help, std::uint64_t min,
                      std::uint64_t max, const char* default_value) {
  app_.add_option(name, value, help)
      ->type_name(placeholder)
      ->check(WholeNumber(min, max))
      ->default_str(default_value);
}

void Flags::AddNumber(double& value, const char* name, const char* placeholder, const char* help) {
  const auto check = [](const std::string& text) {
    const auto number = ParseDouble(text);
    return number && std::isfinite(*number) ? std::string() : Expected("a number", text);
  };
  app_.add_option(name, value, help)->type_name(placeholder)->check(check)->capture_default_str();
}

void Flags::AddChoice(std::string& value, const char* name,
                      std::initializer_list<const char*> choices, const char* help) {
  ShowDefault(*AddChecked(app_, value, name, choices, help, value), value);
}

void Flags::AddChoice(std::optional<std::string>& value, const char* name,
                      std::initializer_list<const char*> choices, const char* help,
                      const char* default_value) {
  ShowDefault(*AddChecked(app_, value, name, choices, help, default_value), default_value);
}

void Flags::AddInputs(std::vector<std::string>& values, const char* name, const char* help) {
  app_.add_option(name, values, help)->type_name("");
}

std::variant<std::string, Exit> ParseCommandLine(const Program& program, int argc,
                                                 const char* const* argv) {
  CLI::App app(program.description, program.name);
  app.set_help_flag("-h,--help", "show this help and exit");  // subcommands inherit it
  app.set_version_flag("--version", program.name + " " + LIMPET_VERSION,
                       "show the version and exit");
  app.require_subcommand(1);
  for (const auto& command : program.commands) {
    Flags flags(*app.add_subcommand(command.name, command.help));
    command.bind(flags);
  }
  if (argc > 1 && *argv[1] != '-' && !IsCommand(program, argv[1])) {
    return UnknownCommand(program, argv[1]);
  }
  auto arguments = Arguments(program, argc, argv);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& stopped) {
    std::ostringstream out;
    std::ostringstream err;
    const int code = app.exit(stopped, out, err);
    // CLI11 has a code of its own for every kind of mistake; scripts want to know "wrong use".
    return Exit{code == 0 ? kExitOk : kExitUsage, out.str() + err.str()};
  }
  return app.get_subcommands().front()->get_name();
}

int RunProgram(const Program& program, int argc, const char* const* argv) {
  const auto parsed = ParseCommandLine(program, argc, argv);
  if (const auto* exit = std::get_if<Exit>(&parsed)) {
    std::fputs(exit->text.c_str(), exit->code == kExitOk ? stdout : stderr);
    return exit->code;
  }
  const auto& name = std::get<std::string>(parsed);
  const auto chosen = std::find_if(program.commands.begin(), program.commands.end(),
                                   [&](const Subcommand& command) { return command.name == name; });
  return chosen->run();
}

}  // namespace limpet
