// raw_server.h: a loopback server that says exactly the bytes a test wants, however wrong.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace limpet::testing {

// The bytes of an answer with a metrics page. `more`: further headers, each with its line end.
inline std::string Page(std::string_view body, std::string_view more = "") {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n" + std::string(more) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

// One accepted connection, on a thread of its own.
class RawPeer {
 public:
  explicit RawPeer(int fd) : fd_(fd) {}

  // Up to and with the blank line; empty when the client has gone.
  std::string ReadRequest() {
    std::string request;
    char c = 0;
    while (!request.ends_with("\r\n\r\n")) {
      if (::recv(fd_, &c, 1, 0) != 1) {
        return {};
      }
      request += c;
    }
    return request;
  }
  // False when the client has gone.
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
  // Closes with a reset instead of a proper end.
  void Reset() {
    const linger at_once{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  // Until the client closes.
  void WaitForClose() {
    char c = 0;
    while (::recv(fd_, &c, 1, 0) > 0) {
    }
  }
  [[nodiscard]] int Descriptor() const { return fd_; }

 private:
  int fd_;
};

class RawServer {
 public:
  // `serve` is called once a connection; the connection closes when it returns.
  explicit RawServer(std::function<void(RawPeer&)> serve, int family = AF_INET)
      : serve_(std::move(serve)), listener_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in6 any{};
    socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    auto* address = reinterpret_cast<sockaddr*>(&any);
    if (family == AF_INET) {
      auto* v4 = reinterpret_cast<sockaddr_in*>(&any);
      v4->sin_family = AF_INET;
      v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
      any.sin6_family = AF_INET6;
      any.sin6_addr = in6addr_loopback;
    }
    ::bind(listener_, address, size);
    ::listen(listener_, 64);
    ::getsockname(listener_, address, &size);
    port_ = ntohs(any.sin6_port);  // the same place in both
    acceptor_ = std::thread([this] { Accept(); });
  }
  ~RawServer() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
      const std::lock_guard lock(mutex_);
      for (const int fd : open_) {
        ::shutdown(fd, SHUT_RDWR);
      }
    }
    for (auto& thread : threads_) {
      thread.join();
    }
    ::close(listener_);
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  [[nodiscard]] std::uint16_t Port() const { return port_; }
  [[nodiscard]] int Connections() const { return connections_; }

 private:
  void Accept() {
    while (!stopping_) {
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) {
        return;
      }
      ++connections_;
      const std::lock_guard lock(mutex_);
      open_.push_back(fd);
      threads_.emplace_back([this, fd] {
        RawPeer peer(fd);
        serve_(peer);
        const std::lock_guard closing(mutex_);
        std::erase(open_, fd);
        ::close(fd);
      });
    }
  }

  std::function<void(RawPeer&)> serve_;
  int listener_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_{false};
  std::atomic<int> connections_{0};
  std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::thread> threads_;  // grown by the acceptor only, until it is joined
  std::thread acceptor_;
};

}  // namespace limpet::testing
