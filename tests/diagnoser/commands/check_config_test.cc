#include "diagnoser/commands/check_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exporter/common/command_line.h"
#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/temp_folder.h"

namespace limpet::check_config_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunWith;

TEST(CheckConfig, SummarisesTheConfiguration) {
  const testing::TempFolder folder;
  const auto file = folder.Write("d.yml",
                                 "targets:\n"
                                 "  - {address: 'io01:9836', role: server}\n"
                                 "  - {address: 'io02:9836', role: server}\n"
                                 "peer_groups: [{name: disks, kind: storage}]\n");
  const auto outcome = RunWith({"check-config", "--config", file});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_EQ(
      outcome.out,
      file +
          ": ok\ntargets: 2\npeer groups: disks\npresets: default, default/fast, default/middle\n"
          "default: what reaches 1.25 times its peers is named after 112 s, at most 3 min\n"
          "default/fast: what reaches 1.75 times its peers is named after 22 s, at most 32 s\n"
          "default/middle: what reaches 1.5 times its peers is named after 36 s, at most 56 s\n"
          "readings: more than 5 s apart they leave a gap (max_gap); a late or lost one does not\n"
          "windows: judged 2 s after their end (lateness), the longest interval and a second for "
          "the answer\n\n"
          "peer group  kind     members  who\n"
          "disks       storage        2  io01, io02\n"
          "warning: peer_groups: disks has members of 2 servers (io01, io02): nobody can be told "
          "from "
          "fewer than 3 servers; add servers that hold parts of the same files, or compare the "
          "disks "
          "of one with each other: per: node\n");
  EXPECT_EQ(RunWith({"check-config", "--config", file, "--strict"}).code, kExitFailed);
}

TEST(CheckConfig, SaysWhatThePageOfALargeFleetLeavesOut) {
  const testing::TempFolder folder;
  std::string text = "targets: [{addresses: [";
  for (int node = 0; node < 60; ++node) {
    text += "io" + std::to_string(node) + ", ";
  }
  text += "io60]}]\n";
  const auto reduced = RunWith({"check-config", "--config", folder.Write("d.yml", text)});
  EXPECT_THAT(reduced.out, HasSubstr("note: of more than 5000 components and metrics"));
  const auto whole = RunWith(
      {"check-config", "--config", folder.Write("e.yml", text + "publish: {detail: all}\n")});
  EXPECT_THAT(whole.out, Not(HasSubstr("components and metrics")));
}

TEST(CheckConfig, AsksTheTargets) {
  const testing::TempFolder folder;
  // Nobody listens on port 1.
  const auto file = folder.Write("d.yml", "targets: [{address: '127.0.0.1:1', node: io01}]\n");
  const auto outcome = RunWith({"check-config", "--config", file, "--ask"});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("misses io01: no readings\n"));
  EXPECT_THAT(outcome.out, HasSubstr("warning: targets: io01: http://127.0.0.1:1/metrics: "));
}

TEST(CheckConfig, AsksTheStore) {
  const testing::TempFolder folder;
  const auto file = folder.Write(
      "d.yml", "source: prometheus\nprometheus: {url: \"http://127.0.0.1:1\", step: 15s}\n");
  const auto silent = RunWith({"check-config", "--config", file, "--strict"});
  EXPECT_EQ(silent.code, kExitOk) << silent.out;
  EXPECT_THAT(silent.out, HasSubstr("readings: more than 37.5 s apart they leave a gap"));
  EXPECT_THAT(silent.out, HasSubstr("beyond their end, 15 s behind the clock (lag)\n"));
  const auto asked = RunWith({"check-config", "--config", file, "--ask", "--strict"});
  EXPECT_EQ(asked.code, kExitFailed);
  EXPECT_THAT(asked.out, HasSubstr("warning: prometheus.url: http://127.0.0.1:1: "));
}

TEST(CheckConfig, LooksAtWhatServeIsGiven) {
  const testing::TempFolder folder;
  const auto file = folder.Write("d.yml", "targets: [{addresses: [a, b, c]}]\n");
  const auto wrong = folder.Write("web.yml", "basic_auth_users: [a]\n");
  EXPECT_EQ(RunWith({"check-config", "--config", file, "--web.config.file", wrong}).code,
            kExitUsage);
  const auto outcome = RunWith({"check-config", "--config", file, "--state-dir", "/no/such"});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("warning: --state-dir: there is no folder /no/such"));
}

TEST(CheckConfig, PrintsTheResolvedSettings) {
  const testing::TempFolder folder;
  const auto file =
      folder.Write("d.yml", "targets: [{addresses: [a, b, c]}]\npresets: [{rho: 5, scales: []}]\n");
  const auto outcome = RunWith({"check-config", "--config", file, "--resolved"});
  EXPECT_THAT(outcome.out, HasSubstr("\nlateness: 2s\npreset: {name: default, step: 1s, "));
  EXPECT_THAT(outcome.out, HasSubstr(", rho: 5, "));
}

TEST(CheckConfig, SaysWhichEntriesOfAListAreRefused) {
  const testing::TempFolder folder;
  const auto list = folder.Write("fleet.json", "[{\"targets\": [\"io01:9100\", \"io 02\"]}]");
  const auto file = folder.Write("d.yml", "targets: [{file_sd: {files: [\"" + list +
                                              "\"]}}, {http_sd: {url: \"http://x/\"}}]\n");
  const auto outcome = RunWith({"check-config", "--config", file});
  EXPECT_EQ(outcome.code, kExitFailed) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 targets, 1 refused\n"));
  EXPECT_THAT(outcome.out, HasSubstr("http_sd http://x/: asked by serve\n"));
  EXPECT_THAT(outcome.out, HasSubstr("refused: " + list + ": [0].targets[1]: expected"));
}

}  // namespace
}  // namespace limpet::check_config_test
