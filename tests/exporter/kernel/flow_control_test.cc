#include "exporter/kernel/flow_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/dcbnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>

#include <cerrno>

#include "tests/support/diag_bytes.h"

namespace limpet::flow_control_test {
namespace {

using testing::AppendTo;
using testing::Attribute;
using testing::Bytes;
using testing::BytesOf;
using ::testing::IsEmpty;
using testing::NetlinkMessage;
using ::testing::SizeIs;

constexpr std::uint16_t kEthtool = 21;

Bytes Joined(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const auto& part : parts) {
    AppendTo(all, part);
  }
  return all;
}

Bytes Name(const std::string& text) {
  Bytes bytes;
  for (const char c : text + '\0') {
    bytes.push_back(static_cast<std::byte>(c));
  }
  return bytes;
}

Bytes FamilyAnswer(std::uint32_t sequence) {
  return NetlinkMessage(
      GENL_ID_CTRL, sequence,
      Joined({BytesOf(genlmsghdr{.cmd = CTRL_CMD_NEWFAMILY, .version = 2, .reserved = 0}),
              Attribute(CTRL_ATTR_FAMILY_NAME, Name("ethtool")),
              Attribute(CTRL_ATTR_FAMILY_ID, BytesOf(kEthtool))}),
      0);
}

Bytes PauseAnswer(std::uint32_t sequence, const std::string& device, const Bytes& counts) {
  return NetlinkMessage(
      kEthtool, sequence,
      Joined({BytesOf(genlmsghdr{.cmd = ETHTOOL_MSG_PAUSE_GET_REPLY, .version = 1, .reserved = 0}),
              Attribute(ETHTOOL_A_PAUSE_HEADER | NLA_F_NESTED,
                        Joined({Attribute(ETHTOOL_A_HEADER_DEV_INDEX, BytesOf(std::uint32_t{2})),
                                Attribute(ETHTOOL_A_HEADER_DEV_NAME, Name(device))})),
              Attribute(ETHTOOL_A_PAUSE_AUTONEG, BytesOf(std::uint8_t{1})),
              Attribute(ETHTOOL_A_PAUSE_STATS | NLA_F_NESTED, counts)}));
}

Bytes Counts(std::uint64_t received, std::uint64_t sent) {
  // The kernel pads before a number of 64 bits.
  return Joined({Attribute(ETHTOOL_A_PAUSE_STAT_PAD, {}),
                 Attribute(ETHTOOL_A_PAUSE_STAT_TX_FRAMES, BytesOf(sent)),
                 Attribute(ETHTOOL_A_PAUSE_STAT_PAD, {}),
                 Attribute(ETHTOOL_A_PAUSE_STAT_RX_FRAMES, BytesOf(received))});
}

Bytes End(std::uint32_t sequence, int number = 0) {
  return NetlinkMessage(number == 0 ? NLMSG_DONE : NLMSG_ERROR, sequence, BytesOf(-number));
}

Bytes PfcAnswer(std::uint32_t sequence, const std::string& device, const ieee_pfc& pfc) {
  return NetlinkMessage(
      RTM_GETDCB, sequence,
      Joined({BytesOf(dcbmsg{.dcb_family = AF_UNSPEC, .cmd = DCB_CMD_IEEE_GET, .dcb_pad = 0}),
              Attribute(DCB_ATTR_IFNAME, Name(device)),
              Attribute(DCB_ATTR_IEEE | NLA_F_NESTED, Attribute(DCB_ATTR_IEEE_PFC, BytesOf(pfc)))}),
      0);
}

// Knows the family.
FlowControlReply Begun() {
  FlowControlReply reply;
  reply.Begin(1);
  EXPECT_FALSE(reply.Add(FamilyAnswer(1)).value());
  EXPECT_TRUE(reply.Add(End(1)).value());
  EXPECT_EQ(reply.Family(), kEthtool);
  reply.Begin(2);
  return reply;
}

TEST(FlowControl, PauseFramesOfEachInterface) {
  auto reply = Begun();
  const auto two = Joined({PauseAnswer(2, "eth0", Counts(1'000'000'007, 3)),
                           PauseAnswer(2, "eth1", Counts(0, 0)), PauseAnswer(2, "eth2", {})});
  EXPECT_FALSE(reply.Add(two).value());
  EXPECT_TRUE(reply.Add(End(2)).value());
  ASSERT_THAT(reply.Interfaces(), SizeIs(2)) << "eth2's driver does not count";
  EXPECT_EQ(reply.Interfaces().at("eth0").link, (PauseCounts{1'000'000'007, 3}));
  EXPECT_EQ(reply.Interfaces().at("eth1").link, (PauseCounts{0, 0}));
}

TEST(FlowControl, AllOnesIsNoCount) {
  auto reply = Begun();
  EXPECT_TRUE(reply.Add(PauseAnswer(2, "eth0", Counts(UINT64_MAX, 5))));
  EXPECT_TRUE(reply.Add(PauseAnswer(2, "eth1", Counts(UINT64_MAX, UINT64_MAX))));
  ASSERT_THAT(reply.Interfaces(), SizeIs(1));
  EXPECT_EQ(reply.Interfaces().at("eth0").link, (PauseCounts{std::nullopt, 5}));
}

TEST(FlowControl, PrioritiesForWhichPfcIsOnOrWas) {
  auto reply = Begun();
  ieee_pfc pfc{};
  pfc.pfc_en = 1U << 3U;
  pfc.requests[3] = 12;
  pfc.indications[3] = 34;
  pfc.indications[5] = 7;
  pfc.requests[6] = UINT64_MAX;
  EXPECT_FALSE(reply.Add(PfcAnswer(2, "eth0", pfc)).value());
  EXPECT_TRUE(reply.Add(End(2)).value());
  const auto& found = reply.Interfaces().at("eth0").priorities;
  EXPECT_EQ(found.at(3), (PauseCounts{34, 12})) << "indications are received, requests sent";
  EXPECT_EQ(found.at(5), (PauseCounts{7, 0}));
  EXPECT_THAT(found, SizeIs(2));
}

TEST(FlowControl, WhatTheKernelRefusesIsAnError) {
  for (const auto& [number, code] :
       {std::pair(EOPNOTSUPP, ErrorCode::kNotFound), std::pair(ENOENT, ErrorCode::kNotFound),
        std::pair(ENODEV, ErrorCode::kNotFound), std::pair(EPERM, ErrorCode::kPermission),
        std::pair(EIO, ErrorCode::kInternal)}) {
    auto reply = Begun();
    const auto answer = reply.Add(End(2, number));
    ASSERT_FALSE(answer) << number;
    EXPECT_EQ(answer.error().code, code) << answer.error().Text();
  }
}

TEST(FlowControl, MessagesOfAnotherRequestAreLeftOut) {
  auto reply = Begun();
  EXPECT_FALSE(reply.Add(PauseAnswer(1, "eth0", Counts(1, 1))).value());
  EXPECT_FALSE(reply.Add(End(1)).value());
  EXPECT_THAT(reply.Interfaces(), IsEmpty());
}

TEST(FlowControl, CutAnswersAreNoneOrAnError) {
  const auto whole = PauseAnswer(2, "eth0", Counts(5, 6));
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    auto reply = Begun();
    EXPECT_EQ(reply.Add(std::span(whole).first(bytes)).has_value(), bytes == 0) << bytes;
    EXPECT_THAT(reply.Interfaces(), IsEmpty());
  }
  // A message that is whole, of attributes that are not.
  auto reply = Begun();
  auto counts = Counts(5, 6);
  counts.resize(counts.size() - 4);
  EXPECT_TRUE(reply.Add(PauseAnswer(2, "eth0", counts)));
  EXPECT_EQ(reply.Interfaces().at("eth0").link, (PauseCounts{std::nullopt, 6}));
  EXPECT_TRUE(reply.Add(NetlinkMessage(kEthtool, 2, {})));
  EXPECT_TRUE(reply.Add(NetlinkMessage(RTM_GETDCB, 2, Bytes(3))));
}

TEST(FlowControl, RequestsSayHowLongTheyAre) {
  for (const auto& request :
       {EncodeEthtoolRequest(7), EncodePauseRequest(kEthtool, 7), EncodePfcRequest("eth0", 7)}) {
    nlmsghdr header{};
    std::memcpy(&header, request.data(), sizeof(header));
    EXPECT_EQ(header.nlmsg_len, request.size());
    EXPECT_EQ(header.nlmsg_seq, 7U);
    EXPECT_NE(header.nlmsg_flags & NLM_F_ACK, 0);
  }
}

}  // namespace
}  // namespace limpet::flow_control_test
