// command_line.h: command lines of the programs: subcommands whose flags are bound to the members
// of a struct, --help and --version.
//
//   struct TopOptions {
//     std::string metric = "await";
//     void Bind(Flags& flags) { flags.Add(metric, "--metric", "METRIC", "whose accumulators"); }
//   };
//   const Program program{"limpet-example", "An example.",
//                         {MakeSubcommand<TopOptions>("top", "list the worst", RunTop)}, "top"};
//
// A flag is read through the member it is bound to, so a misspelt one does not compile. Names are
// as Prometheus' programs have them ("--web.listen-address"). CLI11 does the parsing; it is
// included by command_line.cc alone, as it takes seconds to compile. Threads: use from main only.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace limpet {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;  // wrong flags, or a configuration that cannot be used

// The flags of one subcommand. What they are bound to must outlive the parsing; the value it has
// when it is bound is the default that --help shows. In a placeholder, FILE and DIR mean that
// completion offers files and folders.
class Flags {
 public:
  explicit Flags(CLI::App& app) : app_(app) {}

  void Add(std::string& value, const char* name, const char* placeholder, const char* help);
  // Absent unless given; `default_value` is what --help says is used then.
  void Add(std::optional<std::string>& value, const char* name, const char* placeholder,
           const char* help, const char* default_value = "");
  // A switch, which takes no value.
  void Add(bool& on, const char* name, const char* help);
  // A whole number from `min` to `max`.
  void AddNumber(std::uint64_t& value, const char* name, const char* placeholder, const char* help,
                 std::uint64_t min, std::uint64_t max);
  // Absent unless given; `default_value` is what --help says is used then.
  void AddNumber(std::optional<std::uint64_t>& value, const char* name, const char* placeholder,
                 const char* help, std::uint64_t min, std::uint64_t max, const char* default_value);
  // A finite decimal number.
  void AddNumber(double& value, const char* name, const char* placeholder, const char* help);
  // One of `choices`, which are the placeholder as well: "jsonl|text".
  void AddChoice(std::string& value, const char* name, std::initializer_list<const char*> choices,
                 const char* help);
  void AddChoice(std::optional<std::string>& value, const char* name,
                 std::initializer_list<const char*> choices, const char* help,
                 const char* default_value = "");
  // The arguments that are no flags; without a call none are accepted.
  void AddInputs(std::vector<std::string>& values, const char* name, const char* help);

 private:
  CLI::App& app_;
};

struct Subcommand {
  std::string name;  // "serve"
  std::string help;
  std::function<void(Flags&)> bind;
  std::function<int()> run;  // the exit code; after parsing
};

// A subcommand whose options are a struct with a member Bind(Flags&) and whose work is
// `run(const Options&)`, which returns the exit code.
template <class Options, class Run>
[[nodiscard]] Subcommand MakeSubcommand(const char* name, const char* help, Run run) {
  const auto options = std::make_shared<Options>();
  return {.name = name,
          .help = help,
          .bind = [options](Flags& flags) { options->Bind(flags); },
          .run = [options, run = std::move(run)] { return run(std::as_const(*options)); }};
}

struct Program {
  std::string name;
  std::string description;
  std::vector<Subcommand> commands;
  std::string default_command;  // used when the first argument is not a command
};

// Nothing to run: print `text` (to stdout when code is 0, else stderr) and exit with `code`.
struct Exit {
  int code = kExitOk;  // kExitOk for --help and --version, kExitUsage for wrong use
  std::string text;
};

// The chosen subcommand's name, its options filled in; or what to print instead.
[[nodiscard]] std::variant<std::string, Exit> ParseCommandLine(const Program& program, int argc,
                                                               const char* const* argv);

// Parses, then runs the chosen subcommand or prints. Returns the exit code.
[[nodiscard]] int RunProgram(const Program& program, int argc, const char* const* argv);

}  // namespace limpet
