// Serves the live pages of a made-up fleet for scripts/bench-diagnoser: one process, one port, one
// path a node (/0/metrics, /1/metrics, …); pages change with every second of the clock.
//   serve_fleet PORT NODES DISKS INTERFACES [gzip] [stock]
// With "gzip", clients that ask for it get it, at the level limpet-exporter uses; "stock" pages are
// node_exporter's.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

#include "exporter/common/exposition/codec.h"
#include "tests/benchmarks/fleet/fleet.h"

namespace {

using limpet::bench::Fleet;
using limpet::bench::PageKind;

struct Client {
  std::string request;
  std::string answer;
  std::size_t sent = 0;
};

struct Manner {
  PageKind kind = PageKind::kLive;
  bool may_gzip = false;
};

std::string AnswerTo(std::string_view request, const Fleet& fleet, const Manner& manner) {
  const auto node = std::strtoul(std::string(request.substr(0, 32)).c_str() + 5, nullptr, 10);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto second = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  auto page =
      fleet.Page(node % fleet.Shape().nodes, second - limpet::bench::kFleetBegin, manner.kind);
  std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n";
  if (manner.may_gzip && request.find("gzip") != std::string_view::npos) {
    page = limpet::GzipEncode(page);
    head += "Content-Encoding: gzip\r\n";
  }
  return head + "Content-Length: " + std::to_string(page.size()) + "\r\n\r\n" + page;
}

// False when the connection is over.
bool Send(int descriptor, Client& client, int poll) {
  while (client.sent < client.answer.size()) {
    const auto sent = ::send(descriptor, client.answer.data() + client.sent,
                             client.answer.size() - client.sent, MSG_NOSIGNAL);
    if (sent < 0) {
      epoll_event event{.events = EPOLLIN | EPOLLOUT, .data = {.fd = descriptor}};
      return errno == EAGAIN && ::epoll_ctl(poll, EPOLL_CTL_MOD, descriptor, &event) == 0;
    }
    client.sent += static_cast<std::size_t>(sent);
  }
  return true;
}

bool Serve(int descriptor, Client& client, int poll, const Fleet& fleet, const Manner& manner) {
  std::array<char, 4096> bytes;
  const auto got = ::recv(descriptor, bytes.data(), bytes.size(), 0);
  if (got == 0 || (got < 0 && errno != EAGAIN)) {
    return false;
  }
  client.request.append(bytes.data(), static_cast<std::size_t>(got < 0 ? 0 : got));
  if (client.request.ends_with("\r\n\r\n")) {
    client.answer = AnswerTo(client.request, fleet, manner);
    client.sent = 0;
    client.request.clear();
  }
  return Send(descriptor, client, poll);
}

int Listen(std::uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool good = ::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
                    ::listen(listener, 4096) == 0;
  return good ? listener : -1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: serve_fleet PORT NODES DISKS INTERFACES [gzip] [stock]\n");
    return 2;
  }
  const auto number = [&](int at) { return std::strtoul(argv[at], nullptr, 10); };
  const Fleet fleet({.nodes = number(2), .disks = number(3), .interfaces = number(4)});
  Manner manner;
  for (int i = 5; i < argc; ++i) {
    manner.may_gzip = manner.may_gzip || std::string_view(argv[i]) == "gzip";
    manner.kind = std::string_view(argv[i]) == "stock" ? PageKind::kStock : manner.kind;
  }
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const int listener = Listen(static_cast<std::uint16_t>(number(1)));
  if (listener < 0) {
    std::perror("serve_fleet");
    return 1;
  }
  std::printf("%zu\n", fleet.Samples(manner.kind));
  std::fflush(stdout);
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  epoll_event event{.events = EPOLLIN, .data = {.fd = listener}};
  ::epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  std::unordered_map<int, Client> clients;
  std::array<epoll_event, 256> events;
  while (true) {
    const int ready = ::epoll_wait(poll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < ready; ++i) {
      const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
      if (descriptor == listener) {
        const int client = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        const int on = 1;
        ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        epoll_event wanted{.events = EPOLLIN, .data = {.fd = client}};
        ::epoll_ctl(poll, EPOLL_CTL_ADD, client, &wanted);
      } else if (!Serve(descriptor, clients[descriptor], poll, fleet, manner)) {
        ::close(descriptor);
        clients.erase(descriptor);
      }
    }
  }
}
