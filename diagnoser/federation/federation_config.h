// federation_config.h: the configuration of `federate`: the diagnosers that one page shows.
//
//   federate:
//     - {name: north, url: "http://north:9837"}
//     - name: south
//       url: https://south:9837
//       basic_auth: {username: limpet, password_file: /etc/limpet/south}
//   web: {allowed_hosts: [limpet.example]}
//
// Threads: pure, but for the password files it reads through `read_file`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/config/targets.h"
#include "diagnoser/sources/target.h"
#include "exporter/common/result.h"

namespace limpet {

inline constexpr std::size_t kMaxMembers = 64;

struct FederationMember {
  std::string name;   // unique, without slashes: it stands before the names of its nodes
  Endpoint endpoint;  // path: what stands before /api/v1, mostly empty
};

struct FederationConfig {
  std::vector<FederationMember> members;  // by name
  std::vector<std::string> allowed_hosts;
};

[[nodiscard]] Result<FederationConfig> ParseFederation(std::string_view text,
                                                       const std::string& file,
                                                       const ReadTextFile& read_file);

}  // namespace limpet
