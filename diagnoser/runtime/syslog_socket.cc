#include "diagnoser/runtime/syslog_socket.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

#include "exporter/common/descriptor.h"

namespace limpet {

// A socket of its own for each line: there are few, and the reader may have been restarted.
std::string SendToSyslog(const std::string& socket, const std::string& line) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.size() >= sizeof(address.sun_path)) {
    return socket + ": expected a shorter path";
  }
  std::memcpy(address.sun_path, socket.c_str(), socket.size());
  const Descriptor fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto sent = fd.IsOpen()
                        ? ::sendto(fd.Get(), line.data(), line.size(), MSG_NOSIGNAL,
                                   reinterpret_cast<const sockaddr*>(&address), sizeof(address))
                        : -1;
  return sent == static_cast<ssize_t>(line.size()) ? "" : socket + ": " + std::strerror(errno);
}

}  // namespace limpet
