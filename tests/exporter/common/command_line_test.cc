#include "exporter/common/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace limpet::command_line_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct ServeOptions {
  std::string address = ":9836";
  std::optional<std::string> folder;
  std::string format = "jsonl";
  std::uint64_t limit = 20;
  double share = 0.5;
  bool quiet = false;

  void Bind(Flags& flags) {
    flags.Add(address, "--web.listen-address", "ADDRESS", "where to listen");
    flags.Add(folder, "--state-dir", "DIR", "what to keep", "/var/lib");
    flags.AddChoice(format, "--format", {"jsonl", "text"}, "how to print");
    flags.AddNumber(limit, "--limit", "NUMBER", "how many", 1, 1000);
    flags.AddNumber(share, "--share", "F", "of what");
    flags.Add(quiet, "--quiet", "say less");
  }
};

struct ReplayOptions {
  std::vector<std::string> inputs;

  void Bind(Flags& flags) { flags.AddInputs(inputs, "INPUT", "files to read"); }
};

// What a program ran: one of its two subcommands, with what options.
struct Ran {
  int code = -1;
  std::optional<ServeOptions> serve;
  std::optional<ReplayOptions> replay;
};

Program Example(Ran& ran) {
  return {.name = "limpet-example",
          .description = "An example",
          .commands = {MakeSubcommand<ServeOptions>("serve", "serve pages",
                                                    [&ran](const ServeOptions& options) {
                                                      ran.serve = options;
                                                      return 7;
                                                    }),
                       MakeSubcommand<ReplayOptions>("replay", "read files",
                                                     [&ran](const ReplayOptions& options) {
                                                       ran.replay = options;
                                                       return kExitOk;
                                                     })},
          .default_command = "serve"};
}

Ran RunWith(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "limpet-example");
  Ran ran;
  ran.code = RunProgram(Example(ran), static_cast<int>(arguments.size()), arguments.data());
  return ran;
}

Exit Stopped(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "limpet-example");
  Ran ran;
  return std::get<Exit>(
      ParseCommandLine(Example(ran), static_cast<int>(arguments.size()), arguments.data()));
}

TEST(RunProgram, RunsTheDefaultCommandWithItsDefaults) {
  const auto ran = RunWith({});
  EXPECT_EQ(ran.code, 7);
  ASSERT_TRUE(ran.serve);
  EXPECT_FALSE(ran.replay);
  EXPECT_EQ(ran.serve->address, ":9836");
  EXPECT_EQ(ran.serve->folder, std::nullopt);
  EXPECT_EQ(ran.serve->limit, 20U);
  EXPECT_FALSE(ran.serve->quiet);
}

TEST(RunProgram, ReadsFlagsInAnyOrderAndBothNotations) {
  EXPECT_EQ(RunWith({"--web.listen-address", ":1"}).serve->address, ":1");
  const auto serve = RunWith({"serve", "--quiet", "--limit", "3", "--web.listen-address=[::1]:2",
                              "--format", "text", "--share", "0.25", "--state-dir", "/tmp"})
                         .serve;
  ASSERT_TRUE(serve);
  EXPECT_EQ(serve->address, "[::1]:2");
  EXPECT_EQ(serve->folder, "/tmp");
  EXPECT_EQ(serve->format, "text");
  EXPECT_EQ(serve->limit, 3U);
  EXPECT_EQ(serve->share, 0.25);
  EXPECT_TRUE(serve->quiet);
}

TEST(RunProgram, CollectsInputs) {
  const auto ran = RunWith({"replay", "a.om", "b.om"});
  ASSERT_TRUE(ran.replay);
  EXPECT_THAT(ran.replay->inputs, ElementsAre("a.om", "b.om"));
}

TEST(RunProgram, RunsNothingOnWrongUse) {
  for (const auto& wrong : std::vector<std::vector<const char*>>{{"--no-such-flag"},
                                                                 {"serve", "stray"},
                                                                 {"--limit"},
                                                                 {"--quiet=maybe"},
                                                                 {"replay", "-x"}}) {
    const auto ran = RunWith(wrong);
    EXPECT_EQ(ran.code, kExitUsage) << wrong[0];
    EXPECT_FALSE(ran.serve || ran.replay) << wrong[0];
  }
}

TEST(ParseCommandLine, SaysWhatWasExpected) {
  EXPECT_THAT(Stopped({"--limit", "0"}).text,
              HasSubstr("--limit: expected a whole number from 1 to 1000, got \"0\""));
  EXPECT_THAT(Stopped({"--limit", "0x10"}).text, HasSubstr("got \"0x10\""));
  EXPECT_THAT(Stopped({"--share", "half"}).text,
              HasSubstr("--share: expected a number, got \"half\""));
  EXPECT_THAT(Stopped({"--share", "nan"}).text, HasSubstr("got \"nan\""));
  EXPECT_THAT(Stopped({"--format", "xml"}).text,
              HasSubstr("--format: expected jsonl or text, got \"xml\""));
}

TEST(RunProgram, AnEmptyChoiceIsTheDefaultWhereThatIsEmpty) {
  struct Options {
    std::string level;
    void Bind(Flags& flags) { flags.AddChoice(level, "--level", {"info", "debug"}, "how much"); }
  };
  const Program program{
      .name = "limpet-example",
      .description = "",
      .commands = {MakeSubcommand<Options>(
          "any", "", [](const Options& options) { return options.level.empty() ? 7 : 8; })},
      .default_command = "any"};
  const char* const arguments[] = {"limpet-example", "--level", ""};
  EXPECT_EQ(RunProgram(program, 3, arguments), 7);
}

TEST(ParseCommandLine, ExitsWithZeroOnHelpAndVersion) {
  const auto help = Stopped({"--help"});
  EXPECT_EQ(help.code, kExitOk);
  EXPECT_THAT(help.text, HasSubstr("serve pages"));
  const auto version = Stopped({"--version"});
  EXPECT_EQ(version.code, kExitOk);
  EXPECT_THAT(version.text, HasSubstr("limpet-example " LIMPET_VERSION));
}

TEST(ParseCommandLine, HelpOfASubcommandShowsItsDefaults) {
  const auto help = Stopped({"serve", "--help"});
  EXPECT_EQ(help.code, kExitOk);
  EXPECT_THAT(help.text, HasSubstr("--web.listen-address ADDRESS=:9836"));
  EXPECT_THAT(help.text, HasSubstr("--state-dir DIR=/var/lib"));
  EXPECT_THAT(help.text, HasSubstr("--format jsonl|text=jsonl"));
  EXPECT_THAT(help.text, HasSubstr("--limit NUMBER=20"));
}

}  // namespace
}  // namespace limpet::command_line_test
