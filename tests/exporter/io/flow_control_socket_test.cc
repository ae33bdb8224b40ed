// Asks the real kernel; one without ethtool over netlink says so.
#include "exporter/io/flow_control_socket.h"

#include <gtest/gtest.h>

namespace limpet::flow_control_socket_test {
namespace {

TEST(FlowControlSocket, LoopbackHasNone) {
  const std::vector<std::string> devices = {"lo"};
  const auto found = AskFlowControl(devices);
  if (!found) {
    EXPECT_NE(found.error().code, ErrorCode::kInvalid) << found.error().Text();
    EXPECT_NE(found.error().code, ErrorCode::kTimeout) << found.error().Text();
    return;
  }
  EXPECT_TRUE(found->empty());
}

TEST(FlowControlSocket, AnInterfaceThatIsGoneHasNone) {
  const std::vector<std::string> devices = {"gone0", std::string(300, 'x'), ""};
  const auto found = AskFlowControl(devices);
  EXPECT_TRUE(!found || found->empty());
}

}  // namespace
}  // namespace limpet::flow_control_socket_test
