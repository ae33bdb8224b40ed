// client.h: a small blocking HTTP client on loopback for the tests, polite or not.
//
// Nothing here hangs: a read that brings nothing for 10 s gives what there is.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace limpet::testing {

// For a client that connects when told to.
struct Later {};

class Client {
 public:
  explicit Client(std::uint16_t port, bool is_ipv6 = false)
      : fd_(::socket(is_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
        port_(port),
        is_ipv6_(is_ipv6) {
    Connect();
  }
  Client(std::uint16_t port, Later /*tag*/)
      : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), port_(port) {}
  Client(Client&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        port_(other.port_),
        is_ipv6_(other.is_ipv6_),
        is_connected_(other.is_connected_),
        rest_(std::move(other.rest_)) {}
  Client& operator=(Client&&) = delete;
  ~Client() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }

  void Connect() {
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(port_);
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port_);
    six.sin6_addr = in6addr_loopback;
    is_connected_ =
        (is_ipv6_ ? ::connect(fd_, reinterpret_cast<const sockaddr*>(&six), sizeof six)
                  : ::connect(fd_, reinterpret_cast<const sockaddr*>(&four), sizeof four)) == 0;
  }
  [[nodiscard]] int Descriptor() const { return fd_; }
  [[nodiscard]] bool IsConnected() const { return is_connected_; }

  // False when the server has closed and everything before that has been read.
  [[nodiscard]] bool IsOpen() const {
    char byte = 0;
    const auto got = ::recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
  }

  // False when the server has closed.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) {
        return false;
      }
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // One response: head and, by its Content-Length, body (none after HEAD).
  std::string Receive(bool is_head = false) {
    while (rest_.find("\r\n\r\n") == std::string::npos && More()) {
    }
    auto end = rest_.find("\r\n\r\n");
    if (end == std::string::npos) {
      return std::exchange(rest_, {});
    }
    end += 4;
    const auto field = rest_.substr(0, end).find("Content-Length: ");
    if (!is_head && field != std::string::npos) {
      end += std::strtoul(rest_.c_str() + field + 16, nullptr, 10);
    }
    while (rest_.size() < end && More()) {
    }
    auto response = rest_.substr(0, end);
    rest_.erase(0, response.size());
    return response;
  }

  // Everything until the server closes.
  std::string ReceiveAll() {
    while (More()) {
    }
    return std::exchange(rest_, {});
  }

  std::string Get(std::string_view path) {
    Send("GET " + std::string(path) + " HTTP/1.1\r\nHost: x\r\n\r\n");
    return Receive();
  }

 private:
  bool More() {
    pollfd wait{.fd = fd_, .events = POLLIN, .revents = 0};
    if (::poll(&wait, 1, 10'000) != 1) {
      return false;
    }
    std::array<char, 65536> bytes{};
    const auto got = ::recv(fd_, bytes.data(), bytes.size(), 0);
    if (got <= 0) {
      return false;
    }
    rest_.append(bytes.data(), static_cast<std::size_t>(got));
    return true;
  }

  int fd_;
  std::uint16_t port_;
  bool is_ipv6_ = false;
  bool is_connected_ = false;
  std::string rest_;
};

}  // namespace limpet::testing
