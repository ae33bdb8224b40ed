// request_reader.h: the bytes of a connection → its requests, one after the other.
//
// HTTP/1.0 and 1.1 by Boost.Beast's parser; bounded by Limits whatever comes.
// Threads: a reader belongs to one connection.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "exporter/common/web/http.h"
#include "exporter/common/web/limits.h"

namespace limpet::web {

struct Incoming {
  enum class Kind {
    kMore,     // the request is not complete
    kRequest,  // `request` and what follows it
    kRefused,  // answer with `status` and close
  };
  Kind kind = Kind::kMore;
  int status = 0;
  Request request;
  std::string authorization;  // the field, as sent
  bool is_head = false;
  bool is_http10 = false;
  bool keep_alive = false;
};

class RequestReader {
 public:
  explicit RequestReader(const Limits& limits);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  // Takes further bytes, up to the end of the first request among them; the rest is kept, and
  // Feed("") goes on with it. No more calls after kRefused.
  [[nodiscard]] Incoming Feed(std::string_view bytes);

  // Bytes of a later request are waiting.
  [[nodiscard]] bool HasInput() const { return !input_.empty(); }
  // A request has begun.
  [[nodiscard]] bool IsHalfWay() const { return message_ != nullptr; }

 private:
  struct Message;  // Beast's parser
  Incoming Parse(std::string_view bytes);
  Incoming Refuse(int status);
  Incoming Complete();

  Limits limits_;
  std::string input_;                 // nothing between requests: an idle connection is small
  std::unique_ptr<Message> message_;  // the request that is being read

  // A scraper sends the same bytes each time, so the last request and what it said are kept: equal
  // bytes need no parser, whose code and memory are cold after a second.
  std::string last_bytes_;
  Incoming last_;
};

}  // namespace limpet::web
