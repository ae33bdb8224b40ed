// feed.h: bytes into a RequestReader as a connection would bring them.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "exporter/common/web/request_reader.h"

namespace limpet::testing {

// Hands over as many bytes as there is room for, until a request is complete or refused; takes
// what it has handed over off `bytes`. With none left it goes on with what the reader has.
inline web::Incoming Feed(web::RequestReader& reader, std::string_view& bytes) {
  auto incoming = reader.Received(0);
  while (incoming.kind == web::Incoming::Kind::kMore && !bytes.empty()) {
    const auto room = reader.Room();
    const auto size = std::min(room.size(), bytes.size());
    std::memcpy(room.data(), bytes.data(), size);
    bytes.remove_prefix(size);
    incoming = reader.Received(size);
  }
  return incoming;
}

inline web::Incoming FeedAll(web::RequestReader& reader, std::string_view bytes) {
  return Feed(reader, bytes);
}

}  // namespace limpet::testing
