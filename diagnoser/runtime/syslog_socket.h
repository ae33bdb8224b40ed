// syslog_socket.h: one line to the machine's log: journald, rsyslog and syslog-ng read the socket.
//
// Threads: any.
#pragma once

#include <string>

namespace limpet {

// Sends without waiting. Returns what is wrong; empty: it is sent.
[[nodiscard]] std::string SendToSyslog(const std::string& socket, const std::string& line);

}  // namespace limpet
