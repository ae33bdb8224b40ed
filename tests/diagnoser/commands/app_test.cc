#include "diagnoser/commands/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/temp_folder.h"

namespace limpet::app_test {
namespace {

using ::testing::HasSubstr;
using testing::RunWith;

TEST(DiagnoserProgram, HelpOfEveryCommandEndsWithZero) {
  const auto program = DiagnoserProgram();
  for (const auto& command : program.commands) {
    const auto help = RunWith({command.name, "--help"});
    EXPECT_EQ(help.code, kExitOk) << command.name;
    EXPECT_THAT(help.out, HasSubstr(command.help));
    EXPECT_EQ(help.err, "");
  }
}

TEST(DiagnoserProgram, WrongUseNamesTheFlagAndWhatWasExpected) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> wrong = {
      {{"serve", "--log.level", "loud"}, "--log.level: expected debug, info, warning or error"},
      {{"replay"}, "expected recordings to read"},
      {{"replay", "--prometheus", "http://x", "a.om"}, "either --prometheus or recordings"},
      {{"replay", "--format", "xml", "a.om"}, "--format: expected jsonl or text, got \"xml\""},
      {{"train", "a.om"}, "expected --output FILE"},
      {{"train", "--profiles", "--seed", "-1", "--output", "m", "a.om"},
       "--seed: expected a whole"},
      {{"top", "--limit", "0"}, "--limit: expected a whole number from 1 to 1000"},
      {{"top", "--metric", "colour"}, "--metric: expected a metric such as await"},
      {{"top", "--url", "localhost"}, "--url: expected a URL such as"},
      {{"top", "--username", "ann"}, "--username and --password-file together"},
      {{"top", "--url", "http://localhost", "a.om"}, "either --url or recordings"},
      {{"explain"}, "explain: expected the name of a node"},
      {{"explain", "io03", "--username", "ann"}, "--username and --password-file together"},
      {{"explain", "io03", "a.om", "--url", "http://localhost"}, "either --url or recordings"},
      {{"explane", "--help"}, "no command is called explane; did you mean explain?"},
      {{"suggest-config"}, "expected either --targets or --file-sd"},
      {{"suggest-config", "--targets", "http://io01"}, "--targets: expected an address such as"},
      {{"suggest-config", "--file-sd", "/no/list.json"},
       "--file-sd: /no/list.json: there is no such file"},
      {{"export"}, "export: expected recordings"},
      {{"export", "--job", "a\"b", "a.om"}, "--job: expected a name without quotes"},
      {{"convert"}, "convert: expected recordings"},
      {{"convert", "a.om"}, "--output-dir: expected a folder"},
      {{"convert", "--format", "xml", "a.om"}, "--format: expected columns or text"},
      {{"presets", "fast"},
       "presets: expected one of default, default-15s, bare, bare-15s, testbench, production"},
      {{"check-config", "--config", "/no/such.yml"}, "--config names the file to read"}};
  for (const auto& [arguments, text] : wrong) {
    const auto outcome = RunWith(arguments);
    EXPECT_EQ(outcome.code, kExitUsage) << text;
    EXPECT_THAT(outcome.err, HasSubstr(text));
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(Presets, AreConfigurationsThatAreTheirBase) {
  const auto printed = RunWith({"presets", "production"});
  EXPECT_EQ(printed.code, kExitOk);
  EXPECT_THAT(printed.out, HasSubstr("    window: "));
  const testing::TempFolder folder;
  const auto file = folder.Write("d.yml", printed.out);
  EXPECT_THAT(RunWith({"check-config", "--config", file}).out, HasSubstr("presets: production\n"));
}

}  // namespace
}  // namespace limpet::app_test
