// netlink_bytes.h: how messages and attributes of netlink lie in bytes.
//
// Bounds:  a length in an answer is held against the bytes there are, whatever it says.
// Threads: pure.
#pragma once

#include <linux/netlink.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "exporter/common/result.h"

namespace limpet::netlink {

// The families that we ask, as errors name them.
inline constexpr const char* kSockDiag = "netlink sock_diag";
inline constexpr const char* kEthtool = "netlink ethtool";

constexpr std::size_t Aligned(std::size_t length) { return (length + 3U) & ~std::size_t{3}; }

template <class T>
void Append(std::vector<std::byte>& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto end = out.size();
  out.resize(end + sizeof(T));
  std::memcpy(out.data() + end, &value, sizeof(T));
}

// Copies what there is and leaves the rest zero: an older kernel's struct is shorter, a newer one's
// longer than the header we were built with.
template <class T>
T CopyFrom(std::span<const std::byte> bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value{};
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(T)));
  return value;
}

struct Attribute {
  std::uint16_t type = 0;  // without the flags of nested ones
  std::span<const std::byte> value;
};

// Takes the attribute at the beginning of `rest` off it. nullopt at the end, and where the rest is
// not one: then bytes are left.
inline std::optional<Attribute> TakeAttribute(std::span<const std::byte>& rest) {
  if (rest.size() < sizeof(nlattr)) {
    return std::nullopt;
  }
  const auto header = CopyFrom<nlattr>(rest);
  if (header.nla_len < sizeof(nlattr) || header.nla_len > rest.size()) {
    return std::nullopt;
  }
  const auto value = rest.subspan(sizeof(nlattr), header.nla_len - sizeof(nlattr));
  rest = rest.subspan(std::min(rest.size(), Aligned(header.nla_len)));
  return Attribute{static_cast<std::uint16_t>(header.nla_type & NLA_TYPE_MASK), value};
}

// `where`: the family.
inline Error Malformed(std::string_view what, std::string where) {
  return {ErrorCode::kInvalid, "malformed reply: " + std::string(what), std::move(where)};
}

struct Message {
  nlmsghdr header{};
  std::span<const std::byte> payload;
};

// Takes the message at the beginning of `rest`, which has at least a header, off it.
inline Result<Message> TakeMessage(std::span<const std::byte>& rest, const char* where) {
  const auto header = CopyFrom<nlmsghdr>(rest);
  if (header.nlmsg_len < sizeof(nlmsghdr) || header.nlmsg_len > rest.size()) {
    return Malformed("a message of " + std::to_string(header.nlmsg_len) + " bytes where " +
                         std::to_string(rest.size()) + " are left",
                     where);
  }
  const auto payload = rest.subspan(sizeof(nlmsghdr), header.nlmsg_len - sizeof(nlmsghdr));
  rest = rest.subspan(std::min(rest.size(), Aligned(header.nlmsg_len)));
  return Message{.header = header, .payload = payload};
}

// Returns the error that the kernel answered in place of data: kNotFound (it has none of that),
// kPermission, otherwise kInternal.
inline Error Refusal(int number, std::string where) {
  auto code = ErrorCode::kInternal;
  if (number == ENOENT || number == EOPNOTSUPP) {
    code = ErrorCode::kNotFound;
  } else if (number == EPERM || number == EACCES) {
    code = ErrorCode::kPermission;
  }
  return {code, "the kernel refuses: " + std::generic_category().message(number), std::move(where)};
}

}  // namespace limpet::netlink
