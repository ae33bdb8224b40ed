#include "exporter/common/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace limpet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Program Example() {
  return {.name = "limpet-example",
          .description = "An example",
          .commands = {{.name = "serve",
                        .help = "serve pages",
                        .flags = {{"--web.listen-address", "ADDRESS", "where to listen", ":9836"},
                                  {"--quiet", "", "say less", ""}},
                        .inputs = ""},
                       {.name = "replay", .help = "read files", .flags = {}, .inputs = "INPUT"}},
          .default_command = "serve"};
}

std::variant<CommandLine, Exit> Parsed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "limpet-example");
  return ParseCommandLine(Example(), static_cast<int>(arguments.size()), arguments.data());
}

TEST(ParseCommandLine, UsesTheDefaultCommandAndDefaultValues) {
  const auto line = std::get<CommandLine>(Parsed({}));
  EXPECT_EQ(line.command, "serve");
  EXPECT_EQ(line.Value("--web.listen-address"), ":9836");
  EXPECT_FALSE(line.Given("--web.listen-address"));
  EXPECT_EQ(line.Value("--quiet"), "");
}

TEST(ParseCommandLine, ReadsDottedFlagsBothWays) {
  EXPECT_EQ(
      std::get<CommandLine>(Parsed({"--web.listen-address", ":1"})).Value("--web.listen-address"),
      ":1");
  const auto line =
      std::get<CommandLine>(Parsed({"serve", "--web.listen-address=[::1]:2", "--quiet"}));
  EXPECT_EQ(line.Value("--web.listen-address"), "[::1]:2");
  EXPECT_EQ(line.Value("--quiet"), "true");
}

TEST(ParseCommandLine, CollectsInputs) {
  EXPECT_THAT(std::get<CommandLine>(Parsed({"replay", "a.om", "b.om"})).inputs,
              ElementsAre("a.om", "b.om"));
}

TEST(ParseCommandLine, ExitsWithTwoOnWrongUse) {
  EXPECT_EQ(std::get<Exit>(Parsed({"--no-such-flag"})).code, 2);
  EXPECT_EQ(std::get<Exit>(Parsed({"serve", "stray"})).code, 2);
}

TEST(ParseCommandLine, ExitsWithZeroOnHelpAndVersion) {
  const auto help = std::get<Exit>(Parsed({"--help"}));
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.text, HasSubstr("serve"));
  const auto version = std::get<Exit>(Parsed({"--version"}));
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.text, HasSubstr("limpet-example 0."));
}

}  // namespace
}  // namespace limpet
