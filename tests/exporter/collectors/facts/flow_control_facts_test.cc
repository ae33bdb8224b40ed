#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/fact_machine.h"

namespace limpet::flow_control_facts_test {
namespace {

using testing::FactMachine;

FactMachine TwoInterfaces() {
  FactMachine machine;
  machine.Sys("class/net/eth0/carrier_changes") = "1\n";
  machine.Sys("class/net/eth1/carrier_changes") = "1\n";
  return machine;
}

TEST(FlowControlFacts, FramesOfLinksAndPriorities) {
  auto machine = TwoInterfaces();
  machine.flow_control = [](auto) {
    return FlowControls{
        {"eth0", {.link = {.received = 12, .sent = 0}, .priorities = {{3, {7, std::nullopt}}}}}};
  };
  const auto reading = machine.Read();
  const auto value = [&](const std::string& direction, const std::string& priority) {
    return FactMachine::Value(reading, R"(network_pause_frames_total{device="eth0",direction=")" +
                                           direction + R"(",priority=")" + priority + R"("})");
  };
  EXPECT_EQ(value("receive", ""), 12);
  EXPECT_EQ(value("transmit", ""), 0);
  EXPECT_EQ(value("receive", "3"), 7);
  EXPECT_FALSE(value("transmit", "3"));
}

TEST(FlowControlFacts, InterfacesWithoutACableAreNotAskedFor) {
  auto machine = TwoInterfaces();
  machine.Sys("class/net/lo/carrier_changes") = "0\n";
  machine.Sys("class/net/veth0/carrier_changes") = "0\n";
  machine.Sys("devices/virtual/net/veth0/carrier_changes") = "0\n";
  std::vector<std::string> asked;
  machine.flow_control = [&](std::span<const std::string> devices) {
    asked.assign(devices.begin(), devices.end());
    return FlowControls{};
  };
  EXPECT_EQ(machine.Read().samples.size(), 2U);
  EXPECT_THAT(asked, ::testing::ElementsAre("eth0", "eth1"));
}

TEST(FlowControlFacts, WithoutInterfacesTheKernelIsNotAsked) {
  FactMachine machine;
  machine.flow_control = [](auto) -> Result<FlowControls> {
    ADD_FAILURE();
    return FlowControls{};
  };
  EXPECT_TRUE(machine.Read().samples.empty());
}

TEST(FlowControlFacts, AKernelWithoutThemIsNoFailureARefusalIs) {
  auto machine = TwoInterfaces();
  machine.flow_control = [](auto) { return Error{ErrorCode::kNotFound, "no ethtool", ""}; };
  EXPECT_TRUE(machine.Read().unread.empty());
  machine.flow_control = [](auto) { return Error{ErrorCode::kPermission, "denied", ""}; };
  const std::vector<UnreadFile> expected = {{"netlink ethtool", "permission"}};
  EXPECT_EQ(machine.Read().unread, expected);
}

TEST(FlowControlFacts, WhatHangsIsLeftAlone) {
  auto machine = TwoInterfaces();
  machine.skipped = {"netlink ethtool"};
  machine.flow_control = [](auto) -> Result<FlowControls> {
    ADD_FAILURE();
    return FlowControls{};
  };
  EXPECT_EQ(machine.Read().samples.size(), 2U);
}

}  // namespace
}  // namespace limpet::flow_control_facts_test
