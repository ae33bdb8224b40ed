#include "exporter/collectors/tcp_source.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/support/map_files.h"

namespace limpet::tcp_source_test {
namespace {

using testing::FileTree;
using testing::MapFiles;

constexpr auto kHeader = "  sl  local_address rem_address   st\n";

// A connection of ours on the NFS port from this port of the other side, with this window.
std::string Line(const std::string& port, int cwnd) {
  return "   1: 0100000A:0801 0101000A:" + port + " 01 0:0 2:0 0 0 0 1 2 0 20 4 30 " +
         std::to_string(cwnd) + " 42\n";
}

class TcpSourceTest : public ::testing::Test {
 protected:
  std::unique_ptr<TcpSource> OpenProc(std::size_t max_sockets = 100) {
    return OpenProcTcpSource({.ports = {{2049, 2049}}, .max_sockets = max_sockets},
                             std::make_unique<MapFiles>(proc_));
  }

  std::shared_ptr<FileTree> proc_ = std::make_shared<FileTree>();
};

TEST_F(TcpSourceTest, ReadsBothFamiliesOfProc) {
  proc_->files["net/tcp"] = kHeader + Line("9C40", 84);
  proc_->files["net/tcp6"] = kHeader + Line("9C41", 10) + Line("9C42", 11);
  const auto reading = OpenProc()->Read();
  ASSERT_TRUE(reading);
  EXPECT_FALSE(reading->detailed);
  EXPECT_FALSE(reading->from_netlink);
  EXPECT_GE(reading->cost, Duration::zero());
}

TEST_F(TcpSourceTest, KeepsTheBoundOverBothFamilies) {
  proc_->files["net/tcp"] = kHeader + Line("9C40", 84);
  proc_->files["net/tcp6"] = kHeader + Line("9C41", 10) + Line("9C42", 11);
  const auto source = OpenProc(2);
  const auto reading = source->Read();
  ASSERT_TRUE(reading);
  ASSERT_EQ(reading->sockets->sockets.size(), 2U);
  EXPECT_EQ(reading->sockets->sockets[1].cwnd, 10U);
  EXPECT_EQ(reading->sockets->dropped, 1U);
}

TEST_F(TcpSourceTest, AMachineWithoutIPv6HasNoTcp6) {
  proc_->files["net/tcp"] = kHeader + Line("9C40", 84);
  const auto source = OpenProc();
  const auto reading = source->Read();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->sockets->sockets.size(), 1U);
}

TEST_F(TcpSourceTest, WithoutProcThereIsAnError) {
  const auto reading = OpenProc()->Read();
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().code, ErrorCode::kNotFound);
}

TEST_F(TcpSourceTest, AForeignNamespaceHasNoFallback) {
  proc_->files["net/tcp"] = kHeader + Line("9C40", 84);  // would be that of our own namespace
  const auto source =
      OpenTcpSource({.ports = {{2049, 2049}}, .network_namespace = "/no/such/namespace"},
                    std::make_unique<MapFiles>(proc_));
  const auto reading = source->Read();
  ASSERT_FALSE(reading);
  EXPECT_NE(reading.error().Text().find("/no/such/namespace"), std::string::npos);
}

}  // namespace
}  // namespace limpet::tcp_source_test
