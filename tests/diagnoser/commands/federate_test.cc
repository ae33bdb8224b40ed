#include "diagnoser/commands/federate.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "exporter/common/command_line.h"
#include "tests/support/temp_folder.h"

namespace limpet::federate_test {
namespace {

class FederateTest : public ::testing::Test {
 protected:
  void Write(const std::string& text) { std::ofstream(options_.config_file) << text; }

  const testing::TempFolder folder_;
  Signals signals_;
  FederateOptions options_{.config_file = folder_.Path("federation.yml"),
                           .listen_address = "127.0.0.1:0",
                           .web_config_file = "",
                           .log_level = "error",
                           .seccomp = "off"};
};

TEST_F(FederateTest, WhatCannotBeReadIsRefusedAtTheStart) {
  EXPECT_EQ(Federate(options_, signals_), kExitUsage);
  Write("federate: [{name: north, url: nonsense}]\n");
  EXPECT_EQ(Federate(options_, signals_), kExitUsage);
  Write("federate: [{name: north, url: 'http://127.0.0.1:9'}]\n");
  options_.web_config_file = folder_.Path("none.yml");
  EXPECT_EQ(Federate(options_, signals_), kExitUsage);
}

TEST_F(FederateTest, ReadsItsFileAgainAndEnds) {
  Write("federate: [{name: north, url: 'http://127.0.0.1:9'}]\n");
  ::kill(::getpid(), SIGHUP);  // both wait until they are asked for, in this order
  ::kill(::getpid(), SIGTERM);
  EXPECT_EQ(Federate(options_, signals_), kExitOk);
}

}  // namespace
}  // namespace limpet::federate_test
