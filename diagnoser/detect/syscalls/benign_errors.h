// benign_errors.h: error numbers that say nothing about a server's health [Kasick09 §7].
//
// Training learns, for each role, those that its servers' system calls return when nothing is
// wrong. Beside them some always count as benign: they are how calls say "not now", "not there" or
// "not allowed", and applications meet them every day. Errors of connections are benign
// here too, for a client that leaves causes them on every server: the rules for crashes
// (broken_servers.h) read them.
// Names are those of errno(3), as limpet-exporter writes them.
// Threads: pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace limpet {

[[nodiscard]] bool IsAlwaysBenign(std::string_view error);
// A connection with the other side is broken, or was never made.
[[nodiscard]] bool IsConnectionError(std::string_view error);

// Errors that training saw, by role of the servers.
using LearnedErrors = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;

[[nodiscard]] inline bool IsBenign(const LearnedErrors& learned, std::string_view role,
                                   std::string_view error) {
  const auto of_role = learned.find(role);
  return IsAlwaysBenign(error) || (of_role != learned.end() && of_role->second.contains(error));
}

}  // namespace limpet
