#include "diagnoser/commands/act_program.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace limpet::act_program_test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// The test's own scripts are run by a shell; the programs of actions are not.
ProgramResult Sh(const std::string& script, Duration timeout = 10s, const std::string& input = "") {
  return RunActProgram({"/bin/sh", "-c", script}, input, timeout);
}

TEST(ActProgram, GetsItsInputAndItsWordsAsTheyAre) {
  const auto result = RunActProgram({"/bin/cat", "-"}, "{\"node\":\"io03\"}", 10s);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.text, "{\"node\":\"io03\"}");
  EXPECT_EQ(RunActProgram({"/bin/echo", "$(id); rm -rf /"}, "", 10s).text, "$(id); rm -rf /\n");
}

TEST(ActProgram, AFailureIsSaid) {
  EXPECT_THAT(Sh("echo no such osd >&2; exit 3").text, HasSubstr("it ended with 3: no such osd"));
  EXPECT_THAT(Sh("kill -9 $$").text, HasSubstr("signal 9"));
  EXPECT_THAT(RunActProgram({"/none"}, "", 10s).text, HasSubstr("could not be started"));
}

TEST(ActProgram, OneThatHangsOrPrintsWithoutEndIsEnded) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(Sh("trap '' TERM; sleep 60", 1s).text, HasSubstr("took longer than 1 s"));
  EXPECT_THAT(Sh("yes").text, HasSubstr("more than 1 MiB"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

TEST(ActProgram, WhatItLeavesBehindInItsGroupIsEnded) {
  const auto result = Sh("sleep 60 & echo $!");
  EXPECT_TRUE(result.ok) << result.text;
  const auto pid = std::stoi(result.text);
  for (int i = 0; i < 100 && ::kill(pid, 0) == 0; ++i) {
    ::usleep(50'000);
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(stat, text);
    if (text.find(") Z") != std::string::npos) {
      return;  // dead, and nobody here to bury it
    }
  }
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST(ActProgram, OfOurEnvironmentItGetsTheCredentialsAlone) {
  ::setenv("CREDENTIALS_DIRECTORY", "/run/credentials/limpet-actions.service", 1);
  ::setenv("LIMPET_SECRET", "x", 1);
  EXPECT_EQ(RunActProgram({"/usr/bin/env"}, "", 10s).text,
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin\nLANG=C.UTF-8\n"
            "CREDENTIALS_DIRECTORY=/run/credentials/limpet-actions.service\n");
  ::unsetenv("CREDENTIALS_DIRECTORY");
  EXPECT_EQ(RunActProgram({"/usr/bin/env"}, "", 10s).text,
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin\nLANG=C.UTF-8\n");
}

TEST(ActProgram, AGigabyteIsNotKept) {
  const auto begin = std::chrono::steady_clock::now();
  const auto result = Sh("head -c 1000000000 /dev/zero");
  EXPECT_THAT(result.text, HasSubstr("more than 1 MiB"));
  EXPECT_LT(result.text.size(), 5 * kKeptOutput);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST(ActProgram, ForksThatKeepItsOutputOpenAreNotWaitedFor) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(Sh("setsid sleep 5 & setsid sh -c 'sleep 5 & sleep 5' & exit 0").ok);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
}

TEST(ActProgram, OneThatDoesNotReadIsNoTrouble) {
  EXPECT_TRUE(Sh("exit 0", 10s, std::string(1'000'000, 'x')).ok);
}

}  // namespace
}  // namespace limpet::act_program_test
