// flags.h: command lines of both programs, with subcommands, --help and --version.
//
// Names are as Prometheus' programs have them ("--web.listen-address"). CLI11 does the parsing.
// Threads: use from main only.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace limpet {

struct Flag {
  std::string name;         // "--web.listen-address"
  std::string placeholder;  // "ADDRESS"; empty: a switch that takes no value
  std::string help;
  std::string default_value;
};

struct Command {
  std::string name;  // "serve"
  std::string help;
  std::vector<Flag> flags;
  std::string inputs;  // name of the positional arguments, "INPUT…"; empty: none accepted
};

struct Program {
  std::string name;
  std::string description;
  std::vector<Command> commands;
  std::string default_command;  // used when the first argument is not a command
};

// What the user chose. A flag that was not given has its default value.
struct CommandLine {
  std::string command;
  std::vector<std::pair<std::string, std::string>> values;  // by flag name; switches "true"/""
  std::vector<std::string> given;                           // names of flags the user wrote
  std::vector<std::string> inputs;

  [[nodiscard]] const std::string& Value(const std::string& flag) const;
  [[nodiscard]] bool Given(const std::string& flag) const;
};

// Nothing to run: print `text` (to stdout when code is 0, else stderr) and exit with `code`.
struct Exit {
  int code = 0;  // 0 for --help and --version, 2 for wrong use
  std::string text;
};

[[nodiscard]] std::variant<CommandLine, Exit> ParseCommandLine(const Program& program, int argc,
                                                               const char* const* argv);

}  // namespace limpet
