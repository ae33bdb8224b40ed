// address.h: the texts of --web.listen-address.
//
//   ":9836"  "127.0.0.1:0"  "[::1]:9836"  "[fe80::1%eth0]:9836"  "node7.example:9836"
//
// Errors:  kInvalid, naming the text, what is wrong with it and the forms above.
// Threads: pure; no name is looked up here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "exporter/common/result.h"

namespace limpet::web {

struct ListenAddress {
  std::string host;        // without brackets; empty: every address of the machine
  std::uint16_t port = 0;  // 0: a free one

  bool operator==(const ListenAddress&) const = default;
};

[[nodiscard]] Result<ListenAddress> ParseListenAddress(std::string_view text);

// "host:port", with brackets where the host has a colon.
[[nodiscard]] std::string FormatAddress(std::string_view host, std::uint16_t port);

}  // namespace limpet::web
