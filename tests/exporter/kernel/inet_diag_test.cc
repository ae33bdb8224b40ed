#include "exporter/kernel/inet_diag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/support/diag_bytes.h"

namespace limpet::inet_diag_test {
namespace {

using testing::AppendTo;
using testing::Attribute;
using testing::Bytes;
using testing::BytesOf;
using testing::DiagDone;
using testing::DiagMessage;
using testing::DiagPayload;
using testing::FakeSocket;
using ::testing::HasSubstr;
using testing::NetlinkMessage;
using Progress = DiagReply::Progress;

// The kernel's interpreter (inet_diag_bc_run), as its source tells it. nullopt: an endless or
// misaligned program, which the kernel's audit would have refused.
std::optional<bool> RunFilter(const Bytes& program, std::uint16_t local, std::uint16_t remote) {
  auto left = static_cast<std::ptrdiff_t>(program.size());
  while (left > 0) {
    const auto at = program.size() - static_cast<std::size_t>(left);
    inet_diag_bc_op op{};
    inet_diag_bc_op argument{};
    if (at % 4 != 0 || left < 4) {
      return std::nullopt;
    }
    std::memcpy(&op, program.data() + at, sizeof(op));
    if (left >= 8) {
      std::memcpy(&argument, program.data() + at + 4, sizeof(argument));
    }
    bool yes = true;
    switch (op.code) {
      case INET_DIAG_BC_JMP:
        yes = false;
        break;
      case INET_DIAG_BC_S_GE:
        yes = local >= argument.no;
        break;
      case INET_DIAG_BC_S_LE:
        yes = local <= argument.no;
        break;
      case INET_DIAG_BC_D_GE:
        yes = remote >= argument.no;
        break;
      case INET_DIAG_BC_D_LE:
        yes = remote <= argument.no;
        break;
      default:
        return std::nullopt;
    }
    const std::ptrdiff_t step = yes ? op.yes : op.no;
    if (step < 4) {
      return std::nullopt;
    }
    left -= step;
  }
  return left == 0;
}

TEST(PortFilter, AcceptsExactlyThePortsOfTheRangesOnEitherSide) {
  const PortSet wanted(kFileSystemPorts);
  const auto program = PortFilter(kFileSystemPorts);
  for (std::uint32_t port = 0; port <= 65535; ++port) {
    const auto number = static_cast<std::uint16_t>(port);
    ASSERT_EQ(RunFilter(program, number, 1), wanted.Contains(number)) << port;
    ASSERT_EQ(RunFilter(program, 1, number), wanted.Contains(number)) << port;
  }
  EXPECT_EQ(RunFilter(program, 40000, 50000), false);
  EXPECT_EQ(RunFilter(program, 2049, 2049), true);
}

TEST(PortFilter, TakesOneRangeOfEverything) {
  const PortRange all[] = {{1, 65535}};
  const auto program = PortFilter(all);
  EXPECT_EQ(RunFilter(program, 65535, 1), true);
  EXPECT_EQ(RunFilter(program, 0, 0), false);
}

TEST(PortFilter, FitsTheKernelsJumpsAtItsLargest) {
  std::vector<PortRange> ranges;
  for (std::size_t i = 0; i < kMaxPortRanges; ++i) {
    const auto port = static_cast<std::uint16_t>(1000 + 2 * i);
    ranges.push_back({port, port});
  }
  const auto program = PortFilter(ranges);
  EXPECT_LT(program.size(), 65535 - 16U);
  EXPECT_EQ(RunFilter(program, 1000, 1), true);
  EXPECT_EQ(RunFilter(program, 1, 2998), true);
  EXPECT_EQ(RunFilter(program, 1001, 2999), false);
}

TEST(EncodeDiagRequest, AsksForBothFamiliesInOneDump) {
  const PortRange nfs[] = {{2049, 2049}};
  const auto bytes = EncodeDiagRequest(nfs, true, 7);
  nlmsghdr header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  EXPECT_EQ(header.nlmsg_len, bytes.size());
  EXPECT_EQ(header.nlmsg_type, TCPDIAG_GETSOCK);
  EXPECT_EQ(header.nlmsg_flags, NLM_F_REQUEST | NLM_F_DUMP);
  EXPECT_EQ(header.nlmsg_seq, 7U);
  inet_diag_req request{};
  std::memcpy(&request, bytes.data() + sizeof(header), sizeof(request));
  EXPECT_EQ(request.idiag_states, (1U << 1U) | (1U << 10U));
  EXPECT_EQ(request.idiag_ext, (1U << (INET_DIAG_INFO - 1)) | (1U << (INET_DIAG_CONG - 1)));
  const auto listening = EncodeDiagRequest(nfs, true, 7, DiagStates::kListening);
  std::memcpy(&request, listening.data() + sizeof(header), sizeof(request));
  EXPECT_EQ(request.idiag_states, 1U << 10U);
}

TEST(DiagReply, ReadsASocketWithItsTcpInfo) {
  DiagReply reply(10);
  reply.Begin(1);
  ASSERT_EQ(*reply.Add(DiagMessage({.cookie = 0x1'0000'0002, .bytes_acked = 1ULL << 40U})),
            Progress::kMore);
  ASSERT_EQ(*reply.Add(DiagDone()), Progress::kDone);
  ASSERT_EQ(reply.Sockets().sockets.size(), 1U);
  const auto& socket = reply.Sockets().sockets[0];
  EXPECT_EQ(socket.id, 0x1'0000'0002U);
  EXPECT_EQ(socket.local.Text(), "10.0.0.1");
  EXPECT_EQ(socket.local_port, 2049);
  EXPECT_EQ(socket.remote.Text(), "10.0.1.1");
  EXPECT_EQ(socket.remote_port, 40000);
  EXPECT_EQ(socket.state, kTcpEstablished);
  EXPECT_EQ(socket.cwnd, 10U);
  EXPECT_EQ(socket.cgroup, 4711U);
  EXPECT_EQ(socket.Congestion(), "cubic");
  ASSERT_TRUE(socket.details);
  EXPECT_EQ(socket.details->rtt_us, 1500U);
  EXPECT_EQ(socket.details->min_rtt_us, 700U);
  EXPECT_EQ(socket.details->total_retransmits, 3U);
  EXPECT_EQ(socket.details->needless_retransmits, 2U);
  EXPECT_EQ(socket.details->segments_sent, 4000U);
  EXPECT_EQ(socket.details->last_data_sent_ms, 20U);
  EXPECT_EQ(socket.details->bytes_acked, 1ULL << 40U);
  EXPECT_EQ(socket.details->bytes_received, 77U);
  EXPECT_TRUE(socket.details->app_limited);
}

TEST(DiagReply, AMappedAddressIsPrintedAsIPv4AndAnIPv6OneAsItIs) {
  DiagReply reply(10);
  reply.Begin(1);
  ASSERT_TRUE(reply.Add(DiagMessage({.local = "::ffff:10.0.0.1", .remote = "::ffff:10.0.1.1"})));
  ASSERT_TRUE(reply.Add(DiagMessage({.local = "fd00::1", .remote = "fd00::2"})));
  EXPECT_EQ(reply.Sockets().sockets[0].remote.Text(), "10.0.1.1");
  EXPECT_EQ(reply.Sockets().sockets[1].remote.Text(), "fd00::2");
}

TEST(DiagReply, TakesTheTcpInfoOfOlderAndNewerKernels) {
  DiagReply reply(10);
  reply.Begin(1);
  ASSERT_TRUE(reply.Add(DiagMessage({.cwnd = 7, .info_bytes = 104})));  // Linux 3.x: no bytes
  ASSERT_TRUE(reply.Add(DiagMessage({.bytes_acked = 5, .info_bytes = 136})));
  ASSERT_TRUE(reply.Add(DiagMessage({.bytes_acked = 6, .info_bytes = 400})));
  ASSERT_TRUE(reply.Add(DiagMessage({.info_bytes = 83})));  // one byte less than the window needs
  EXPECT_EQ(reply.Sockets().sockets[0].cwnd, 7U);
  EXPECT_EQ(reply.Sockets().sockets[3].cwnd, std::nullopt);
  EXPECT_FALSE(reply.Sockets().sockets[0].details);
  EXPECT_EQ(reply.Sockets().sockets[1].details->bytes_acked, 5U);
  EXPECT_EQ(reply.Sockets().sockets[2].details->bytes_acked, 6U);
}

TEST(DiagReply, AListeningSocketHasNoWindow) {
  DiagReply reply(10);
  reply.Begin(1);
  ASSERT_TRUE(reply.Add(DiagMessage({.state = 10})));
  EXPECT_FALSE(reply.Sockets().sockets[0].cwnd);
}

TEST(DiagReply, CutsALongCongestionName) {
  DiagReply reply(10);
  reply.Begin(1);
  ASSERT_TRUE(reply.Add(DiagMessage({.congestion = std::string(40, 'x')})));
  EXPECT_EQ(reply.Sockets().sockets[0].Congestion(), std::string(15, 'x'));
}

TEST(DiagReply, KeepsTenThousandSocketsOfManyDatagrams) {
  DiagReply reply(10'000);
  reply.Begin(1);
  for (std::uint64_t i = 0; i < 10'000; i += 50) {
    Bytes datagram;
    for (auto cookie = i; cookie < i + 50; ++cookie) {
      AppendTo(datagram, DiagMessage({.cookie = cookie}));
    }
    ASSERT_EQ(*reply.Add(datagram), Progress::kMore);
  }
  ASSERT_EQ(*reply.Add(DiagDone()), Progress::kDone);
  EXPECT_EQ(reply.Sockets().sockets.size(), 10'000U);
  EXPECT_EQ(reply.Sockets().sockets.back().id, 9'999U);
  EXPECT_EQ(reply.Sockets().dropped, 0U);
}

TEST(DiagReply, CountsWhatIsOverTheBound) {
  DiagReply reply(2);
  reply.Begin(1);
  for (std::uint64_t cookie = 0; cookie < 5; ++cookie) {
    ASSERT_TRUE(reply.Add(DiagMessage({.cookie = cookie})));
  }
  EXPECT_EQ(reply.Sockets().sockets.size(), 2U);
  EXPECT_EQ(reply.Sockets().dropped, 3U);
  reply.Begin(2);
  EXPECT_EQ(reply.Sockets().dropped, 0U);
}

TEST(DiagReply, LeavesOutWhatAnEarlierDumpLeft) {
  DiagReply reply(10);
  reply.Begin(2);
  auto datagram = DiagMessage({}, 1);
  AppendTo(datagram, DiagDone(1));
  AppendTo(datagram, DiagMessage({}, 2));
  EXPECT_EQ(*reply.Add(datagram), Progress::kMore);
  EXPECT_EQ(reply.Sockets().sockets.size(), 1U);
}

TEST(DiagReply, SaysWhenTheDumpWasInterrupted) {
  DiagReply reply(10);
  reply.Begin(1);
  ASSERT_TRUE(reply.Add(
      NetlinkMessage(TCPDIAG_GETSOCK, 1, DiagPayload({}), NLM_F_MULTI | NLM_F_DUMP_INTR)));
  EXPECT_EQ(*reply.Add(DiagDone()), Progress::kInterrupted);
  reply.Begin(1);
  EXPECT_EQ(*reply.Add(DiagDone()), Progress::kDone);
}

TEST(DiagReply, MessagesOfNetlinkItselfAreNoReasonToRefuseTheSockets) {
  DiagReply reply(10);
  reply.Begin(1);
  for (const auto type : {std::uint16_t{10}, std::uint16_t{11}, std::uint16_t{13}}) {
    EXPECT_EQ(*reply.Add(NetlinkMessage(type, 1, {})), Progress::kMore) << type;
  }
  EXPECT_EQ(*reply.Add(DiagMessage({})), Progress::kMore);
  EXPECT_EQ(*reply.Add(NetlinkMessage(NLMSG_OVERRUN, 1, {})), Progress::kMore);
  EXPECT_EQ(*reply.Add(DiagDone()), Progress::kInterrupted) << "some are lost";
  EXPECT_EQ(reply.Sockets().sockets.size(), 1U);
}

TEST(DiagReply, NamesTheKernelsRefusal) {
  DiagReply reply(10);
  reply.Begin(1);
  const auto error = reply.Add(DiagDone(1, -ENOENT));
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().code, ErrorCode::kNotFound);
  const auto denied = reply.Add(NetlinkMessage(NLMSG_ERROR, 1, BytesOf(-EPERM)));
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().code, ErrorCode::kPermission);
  EXPECT_THAT(denied.error().Text(), HasSubstr("Operation not permitted"));
}

TEST(DiagReply, RefusesLengthsThatPointBeyondTheBytes) {
  DiagReply reply(10);
  reply.Begin(1);
  auto cut = DiagMessage({});
  cut.resize(cut.size() - 4);
  EXPECT_FALSE(reply.Add(cut));
  EXPECT_FALSE(reply.Add(NetlinkMessage(TCPDIAG_GETSOCK, 1, Bytes(10))));
  auto payload = DiagPayload({});
  AppendTo(payload, BytesOf(nlattr{.nla_len = 200, .nla_type = INET_DIAG_INFO}));
  EXPECT_FALSE(reply.Add(NetlinkMessage(TCPDIAG_GETSOCK, 1, payload)));
  EXPECT_TRUE(reply.Sockets().sockets.empty());
  auto header = BytesOf(nlmsghdr{.nlmsg_len = 0, .nlmsg_type = 0});
  EXPECT_FALSE(reply.Add(header));
  EXPECT_FALSE(reply.Add(NetlinkMessage(99, 1, {})));
}

TEST(AddClosed, ReadsTheLastTotalsOfConnectionsThatAreGone) {
  auto datagram = testing::ClosedMessage({.cookie = 7, .bytes_acked = 123});
  testing::AppendTo(datagram, testing::ClosedMessage({.local = "fe80::1", .remote = "fe80::2"}));
  std::vector<TcpSocket> closed;
  ASSERT_TRUE(AddClosed(datagram, closed));
  ASSERT_EQ(closed.size(), 2U);
  EXPECT_EQ(closed[0].id, 7U);
  EXPECT_EQ(closed[0].details->bytes_acked, 123U);
  EXPECT_EQ(closed[0].details->total_retransmits, 3U);
  EXPECT_EQ(closed[1].remote.Text(), "fe80::2");
}

TEST(AddClosed, RefusesWhatEndsInTheMiddle) {
  const auto datagram = testing::ClosedMessage({});
  std::vector<TcpSocket> closed;
  for (std::size_t bytes = 1; bytes < datagram.size(); ++bytes) {
    EXPECT_FALSE(AddClosed(std::span(datagram).first(bytes), closed)) << bytes;
  }
  EXPECT_TRUE(closed.empty());
}

}  // namespace
}  // namespace limpet::inet_diag_test
