// client_key.h: whom a connection counts for when clients share the server.
//
// An IPv4 address, also one mapped into IPv6; of an IPv6 address the network's 64 bits, because
// one machine has all of them to choose from. Everybody behind a proxy counts as one client.
// Threads: pure.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <cstdint>

namespace limpet::web {

using ClientKey = std::uint64_t;

[[nodiscard]] inline ClientKey MakeClientKey(const boost::asio::ip::address& address) {
  if (address.is_v4()) {
    return address.to_v4().to_uint();
  }
  const auto six = address.to_v6();
  if (six.is_v4_mapped()) {
    return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, six).to_uint();
  }
  constexpr std::size_t kNetworkBytes = 8;
  ClientKey key = 0;
  for (std::size_t i = 0; i < kNetworkBytes; ++i) {
    key = key << 8U | six.to_bytes()[i];
  }
  return key;
}

}  // namespace limpet::web
