#include "exporter/kernel/flow_control.h"

#include <linux/dcbnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "exporter/kernel/netlink_bytes.h"

namespace limpet {
namespace {

using netlink::Aligned;
using netlink::Append;
using netlink::CopyFrom;
using netlink::Malformed;
using netlink::Refusal;
using netlink::TakeAttribute;

// Each request asks for an acknowledgment, so that all answers end alike.
constexpr std::uint16_t kAsk = NLM_F_REQUEST | NLM_F_ACK;

void AppendAttribute(std::vector<std::byte>& out, unsigned type, std::span<const std::byte> value) {
  Append(out, nlattr{.nla_len = static_cast<std::uint16_t>(sizeof(nlattr) + value.size()),
                     .nla_type = static_cast<std::uint16_t>(type)});
  out.insert(out.end(), value.begin(), value.end());
  out.resize(Aligned(out.size()));
}

// The kernel wants the zero at the end.
std::vector<std::byte> Text(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  std::vector<std::byte> value(bytes.begin(), bytes.end());
  value.push_back(std::byte{});
  return value;
}

std::string TextOf(std::span<const std::byte> value) {
  std::string text(reinterpret_cast<const char*>(value.data()), value.size());
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

std::vector<std::byte> Message(std::uint16_t type, std::uint16_t flags, std::uint32_t sequence,
                               const std::vector<std::byte>& body) {
  std::vector<std::byte> out;
  Append(out, nlmsghdr{.nlmsg_len = static_cast<std::uint32_t>(sizeof(nlmsghdr) + body.size()),
                       .nlmsg_type = type,
                       .nlmsg_flags = flags,
                       .nlmsg_seq = sequence,
                       .nlmsg_pid = 0});
  out.insert(out.end(), body.begin(), body.end());
  return out;
}

// What a driver or an interface lacks is refused in two ways more.
Error FlowRefusal(int number) {
  auto error = Refusal(number, netlink::kEthtool);
  if (number == ENODEV || number == EINVAL) {
    error.code = ErrorCode::kNotFound;
  }
  return error;
}

std::optional<std::uint64_t> Count(std::span<const std::byte> value) {
  const auto count = CopyFrom<std::uint64_t>(value);
  return value.size() == sizeof(count) && count != UINT64_MAX ? std::optional(count) : std::nullopt;
}

PauseCounts ReadPauseCounts(std::span<const std::byte> attributes) {
  PauseCounts counts;
  while (const auto one = TakeAttribute(attributes)) {
    if (one->type == ETHTOOL_A_PAUSE_STAT_RX_FRAMES) {
      counts.received = Count(one->value);
    } else if (one->type == ETHTOOL_A_PAUSE_STAT_TX_FRAMES) {
      counts.sent = Count(one->value);
    }
  }
  return counts;
}

std::string ReadDevice(std::span<const std::byte> attributes) {
  while (const auto one = TakeAttribute(attributes)) {
    if (one->type == ETHTOOL_A_HEADER_DEV_NAME) {
      return TextOf(one->value);
    }
  }
  return {};
}

std::map<unsigned, PauseCounts> ReadPriorities(std::span<const std::byte> value) {
  std::map<unsigned, PauseCounts> priorities;
  if (value.size() < sizeof(ieee_pfc)) {
    return priorities;
  }
  const auto pfc = CopyFrom<ieee_pfc>(value);
  for (unsigned priority = 0; priority < IEEE_8021QAZ_MAX_TCS; ++priority) {
    const bool is_on = (static_cast<unsigned>(pfc.pfc_en) >> priority & 1U) != 0;
    const auto count = [](std::uint64_t frames) {
      return frames == UINT64_MAX ? std::nullopt : std::optional(frames);
    };
    const PauseCounts counts = {.received = count(pfc.indications[priority]),
                                .sent = count(pfc.requests[priority])};
    if (is_on || counts.received.value_or(0) > 0 || counts.sent.value_or(0) > 0) {
      priorities.emplace(priority, counts);
    }
  }
  return priorities;
}

}  // namespace

std::vector<std::byte> EncodeEthtoolRequest(std::uint32_t sequence) {
  std::vector<std::byte> body;
  Append(body, genlmsghdr{.cmd = CTRL_CMD_GETFAMILY, .version = 1, .reserved = 0});
  AppendAttribute(body, CTRL_ATTR_FAMILY_NAME, Text(ETHTOOL_GENL_NAME));
  return Message(GENL_ID_CTRL, kAsk, sequence, body);
}

std::vector<std::byte> EncodePauseRequest(std::uint16_t family, std::uint32_t sequence) {
  std::vector<std::byte> flags;
  Append(flags, std::uint32_t{ETHTOOL_FLAG_STATS});
  std::vector<std::byte> header;
  AppendAttribute(header, ETHTOOL_A_HEADER_FLAGS, flags);
  std::vector<std::byte> body;
  Append(body,
         genlmsghdr{.cmd = ETHTOOL_MSG_PAUSE_GET, .version = ETHTOOL_GENL_VERSION, .reserved = 0});
  AppendAttribute(body, ETHTOOL_A_PAUSE_HEADER | NLA_F_NESTED, header);
  return Message(family, kAsk | NLM_F_DUMP, sequence, body);
}

std::vector<std::byte> EncodePfcRequest(std::string_view device, std::uint32_t sequence) {
  std::vector<std::byte> body;
  Append(body, dcbmsg{.dcb_family = AF_UNSPEC, .cmd = DCB_CMD_IEEE_GET, .dcb_pad = 0});
  AppendAttribute(body, DCB_ATTR_IFNAME, Text(device));
  return Message(RTM_GETDCB, kAsk, sequence, body);
}

Result<bool> FlowControlReply::Add(std::span<const std::byte> datagram) {
  auto rest = datagram;
  while (rest.size() >= sizeof(nlmsghdr)) {
    const auto message = netlink::TakeMessage(rest, netlink::kEthtool);
    if (!message) {
      return message.error();
    }
    const auto& [header, payload] = *message;
    if (header.nlmsg_seq != sequence_) {
      continue;
    }
    if (header.nlmsg_type == NLMSG_DONE || header.nlmsg_type == NLMSG_ERROR) {
      // Both begin with a negative errno; 0 acknowledges.
      const int number = payload.size() >= sizeof(int) ? CopyFrom<int>(payload) : 0;
      if (number < 0 && number > -4096) {
        return FlowRefusal(-number);
      }
      return true;
    }
    AddMessage(header.nlmsg_type, payload);
  }
  return rest.empty() ? Result<bool>(false)
                      : Malformed("bytes after the last message", netlink::kEthtool);
}

void FlowControlReply::AddMessage(std::uint16_t type, std::span<const std::byte> payload) {
  constexpr std::size_t kHead = sizeof(genlmsghdr);  // and of a dcbmsg
  static_assert(kHead == sizeof(dcbmsg));
  if (payload.size() < kHead) {
    return;
  }
  auto attributes = payload.subspan(kHead);
  const auto command = CopyFrom<genlmsghdr>(payload).cmd;
  if (type == GENL_ID_CTRL) {
    while (const auto one = TakeAttribute(attributes)) {
      if (one->type == CTRL_ATTR_FAMILY_ID && one->value.size() == sizeof(std::uint16_t)) {
        family_ = CopyFrom<std::uint16_t>(one->value);
      }
    }
  } else if (type == RTM_GETDCB) {
    AddPfc(attributes);
  } else if (family_ == type && command == ETHTOOL_MSG_PAUSE_GET_REPLY) {
    AddPauses(attributes);
  }
}

void FlowControlReply::AddPauses(std::span<const std::byte> attributes) {
  std::string device;
  PauseCounts counts;
  while (const auto one = TakeAttribute(attributes)) {
    if (one->type == ETHTOOL_A_PAUSE_HEADER) {
      device = ReadDevice(one->value);
    } else if (one->type == ETHTOOL_A_PAUSE_STATS) {
      counts = ReadPauseCounts(one->value);
    }
  }
  if (!device.empty() && (counts.received || counts.sent)) {
    interfaces_[device].link = counts;
  }
}

void FlowControlReply::AddPfc(std::span<const std::byte> attributes) {
  std::string device;
  std::map<unsigned, PauseCounts> priorities;
  while (const auto one = TakeAttribute(attributes)) {
    if (one->type == DCB_ATTR_IFNAME) {
      device = TextOf(one->value);
    } else if (one->type == DCB_ATTR_IEEE) {
      auto nested = one->value;
      while (const auto inner = TakeAttribute(nested)) {
        if (inner->type == DCB_ATTR_IEEE_PFC) {
          priorities = ReadPriorities(inner->value);
        }
      }
    }
  }
  if (!device.empty() && !priorities.empty()) {
    interfaces_[device].priorities = std::move(priorities);
  }
}

}  // namespace limpet
