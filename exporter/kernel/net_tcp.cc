#include "exporter/kernel/net_tcp.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <system_error>

#include "exporter/common/hash.h"
#include "exporter/common/text.h"
#include "exporter/kernel/whole_lines.h"

namespace limpet {
namespace {

template <class Number>
std::optional<Number> ParseHex(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  if (error != std::errc() || stop != end) {
    return std::nullopt;
  }
  return value;
}

struct Endpoint {
  IpAddress address;
  std::uint16_t port = 0;
};

// "0100007F:0BB8": one or four 32-bit words as this machine prints its memory, then the port.
std::optional<Endpoint> ParseEndpoint(std::string_view text) {
  const auto colon = text.find(':');
  if (colon != 8 && colon != 32) {
    return std::nullopt;
  }
  const auto port = ParseHex<std::uint16_t>(text.substr(colon + 1));
  if (!port) {
    return std::nullopt;
  }
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t i = 0; i * 8 < colon; ++i) {
    const auto word = ParseHex<std::uint32_t>(text.substr(i * 8, 8));
    if (!word) {
      return std::nullopt;
    }
    std::memcpy(bytes.data() + i * 4, &*word, 4);
  }
  return Endpoint{colon == 8 ? IpAddress::FromV4(bytes.data()) : IpAddress{bytes}, *port};
}

// Over what makes a connection that connection; the inode tells it from a later one.
std::uint64_t Identify(const TcpSocket& socket, std::uint64_t inode) {
  std::uint64_t hash = kFnv1aBasis;
  const auto mix = [&hash](std::uint64_t value) { hash = Fnv1aStep(hash, value); };
  for (const auto byte : socket.local.bytes) {
    mix(byte);
  }
  for (const auto byte : socket.remote.bytes) {
    mix(byte);
  }
  mix(socket.local_port);
  mix(socket.remote_port);
  mix(inode);
  return hash;
}

}  // namespace

NetTcp ParseNetTcp(std::string_view text, const PortSet* ports, std::size_t max_sockets) {
  NetTcp result;
  // The window is near the end of a line: a cut one could end in the middle of that number.
  const auto whole = WholeLines(text);
  Lines lines(whole);
  const bool has_header = lines.Next().has_value();
  result.bad_lines += has_header && whole.size() != text.size() ? 1U : 0U;
  while (const auto line = lines.Next()) {
    Fields fields(*line);
    fields.Next();  // sl
    const auto local = ParseEndpoint(fields.Next());
    const auto remote = ParseEndpoint(fields.Next());
    const auto state = ParseHex<std::uint8_t>(fields.Next());
    if (!local || !remote || !state) {
      result.bad_lines += Trim(*line).empty() ? 0U : 1U;
      continue;
    }
    if (*state != kTcpEstablished && *state != kTcpListen) {
      continue;
    }
    if (ports != nullptr && !ports->Contains(local->port) && !ports->Contains(remote->port)) {
      continue;
    }
    if (result.found.sockets.size() >= max_sockets) {
      ++result.found.dropped;
      continue;
    }
    for (int skipped = 0; skipped < 5; ++skipped) {  // queues, timer, retrnsmt, uid, timeout
      fields.Next();
    }
    const auto inode = ParseU64(fields.Next());
    if (!inode) {
      ++result.bad_lines;
      continue;
    }
    for (int skipped = 0; skipped < 5; ++skipped) {  // ref, pointer, rto, ato, quick|pingpong
      fields.Next();
    }
    auto& socket = result.found.sockets.emplace_back();
    socket.local = local->address;
    socket.local_port = local->port;
    socket.remote = remote->address;
    socket.remote_port = remote->port;
    socket.state = *state;
    socket.id = Identify(socket, *inode);
    if (const auto cwnd = ParseU64(fields.Next()); cwnd && *state == kTcpEstablished) {
      socket.cwnd = static_cast<std::uint32_t>(*cwnd);
    }
  }
  return result;
}

}  // namespace limpet
