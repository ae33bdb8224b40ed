// Any bytes in any pieces: no crash, bounded input, and the pieces do not change what is read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/web/basic_auth.h"
#include "exporter/common/web/request_reader.h"
#include "tests/exporter/common/web/feed.h"
#include "tests/fuzz/number_mutator.h"

namespace {

using limpet::testing::Feed;
using limpet::web::Incoming;
using limpet::web::RequestReader;

// What was read, in words. `piece` bytes at a time; the server would close after a refusal.
std::vector<std::string> Read(std::string_view bytes, std::size_t piece) {
  std::vector<std::string> seen;
  // No input reaches the header's limit: Beast counts the first line or not, as the pieces fall.
  RequestReader reader({.header_bytes = 8192, .body_bytes = 256});
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    auto rest = bytes.substr(at, piece);
    auto incoming = Feed(reader, rest);
    while (incoming.kind == Incoming::Kind::kRequest) {
      const auto credentials = limpet::web::ParseBasicAuth(incoming.authorization);
      seen.push_back(incoming.request.method + " " + incoming.request.path + "?" +
                     incoming.request.query + " " + incoming.request.accept +
                     (credentials ? credentials->user : ""));
      incoming = Feed(reader, rest);
    }
    if (incoming.kind == Incoming::Kind::kRefused) {
      if (incoming.status < 400 || incoming.status > 505) {
        std::abort();
      }
      return seen;
    }
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 4096) {
    return 0;
  }
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = Read(bytes, bytes.size());
  if (Read(bytes, 1U + data[0]) != whole) {
    std::abort();
  }
  return 0;
}
