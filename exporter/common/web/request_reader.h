// request_reader.h: the bytes of a connection → its requests, one after the other.
//
// HTTP/1.0 and 1.1 by Boost.Beast's parser; bounded by Limits whatever comes. Apart from sockets,
// so that it is tested and fuzzed with bytes:
//
//   read up to reader.Room().size() bytes into reader.Room();
//   for (auto incoming = reader.Received(n); …; incoming = reader.Received(0)) …
//
// Threads: a reader belongs to one connection.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

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

// The body of a GET means nothing (RFC 9110 §9.3.1): read, counted by the parser, thrown away. That
// of a POST is kept; the parser's limit bounds it.
struct RequestBody {
  using ErrorCode = boost::beast::error_code;
  using value_type = std::string;  // NOLINT(readability-identifier-naming): Beast's names
  class reader {                   // NOLINT(readability-identifier-naming)
   public:
    template <bool IsRequest, class Fields>
    reader(boost::beast::http::header<IsRequest, Fields>& header, value_type& value)
        : header_(&header), value_(&value) {
      if constexpr (IsRequest) {  // Beast asks whether it could read responses, too
        is_post_ = [](const void* any) {
          using Header = boost::beast::http::header<IsRequest, Fields>;
          return static_cast<const Header*>(any)->method() == boost::beast::http::verb::post;
        };
      }
    }
    // The method is known from here on.
    void init(const boost::optional<std::uint64_t>& /*length*/, ErrorCode& problem) {
      kept_ = is_post_ != nullptr && is_post_(header_) ? value_ : nullptr;
      problem = {};
    }
    template <class Buffers>
    std::size_t put(const Buffers& buffers, ErrorCode& problem) {
      problem = {};
      if (kept_ != nullptr) {
        for (auto at = boost::asio::buffer_sequence_begin(buffers);
             at != boost::asio::buffer_sequence_end(buffers); ++at) {
          const boost::asio::const_buffer piece = *at;
          kept_->append(static_cast<const char*>(piece.data()), piece.size());
        }
      }
      return boost::asio::buffer_size(buffers);
    }
    void finish(ErrorCode& problem) { problem = {}; }

   private:
    const void* header_;
    bool (*is_post_)(const void*) = nullptr;
    std::string* value_;
    std::string* kept_ = nullptr;  // null: the bytes are thrown away
  };
};

class RequestReader {
 public:
  explicit RequestReader(const Limits& limits);

  // Returns where the next bytes go; never empty. Valid until the next call.
  [[nodiscard]] boost::asio::mutable_buffer Room();

  // Takes the first `bytes` of Room(), up to the end of the first request among them; the rest is
  // kept, and Received(0) goes on with it. No more calls after kRefused.
  [[nodiscard]] Incoming Received(std::size_t bytes);

  // Bytes of a later request are waiting.
  [[nodiscard]] bool HasInput() const { return buffer_.size() > 0; }
  // A request has begun.
  [[nodiscard]] bool IsHalfWay() const { return parser_.has_value(); }

 private:
  using Parser = boost::beast::http::request_parser<RequestBody>;
  using Header = boost::beast::http::header<true, boost::beast::http::fields>;

  [[nodiscard]] const Header& GetHeader() const;
  [[nodiscard]] bool IsTooShortForAChunk() const;
  // The status to refuse the request with; 0: none.
  [[nodiscard]] int Judge(const boost::beast::error_code& problem) const;
  [[nodiscard]] Incoming Refuse(int status) const;
  [[nodiscard]] Incoming Complete();

  Limits limits_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;  // of the request that is being read
  // The header as it was before a chunked body: Beast puts the fields behind the body among the
  // header's.
  std::optional<Header> header_;
};

}  // namespace limpet::web
