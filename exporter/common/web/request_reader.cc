#include "exporter/common/web/request_reader.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <cstdint>
#include <utility>

#include "exporter/common/web/target.h"

namespace limpet::web {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t kMaxRememberedBytes = 2048;  // Prometheus' requests have about 300

// The body of a GET means nothing (RFC 9110 §9.3.1): read, counted by the parser, thrown away.
struct DiscardedBody {
  struct value_type {};  // NOLINT(readability-identifier-naming): Beast's names
  class reader {         // NOLINT(readability-identifier-naming)
   public:
    template <bool IsRequest, class Fields>
    reader(http::header<IsRequest, Fields>& /*header*/, value_type& /*value*/) {}
    void init(const boost::optional<std::uint64_t>& /*length*/, error_code& problem) {
      problem = {};
    }
    template <class Buffers>
    std::size_t put(const Buffers& buffers, error_code& problem) {
      problem = {};
      return asio::buffer_size(buffers);
    }
    void finish(error_code& problem) { problem = {}; }
  };
};

int StatusOf(const error_code& problem) {
  if (problem == http::error::header_limit) {
    return 431;
  }
  if (problem == http::error::body_limit) {
    return 413;
  }
  return problem == http::error::bad_version ? 505 : 400;
}

}  // namespace

struct RequestReader::Message {
  http::request_parser<DiscardedBody> parser;
};

RequestReader::RequestReader(const Limits& limits) : limits_(limits) {}
RequestReader::~RequestReader() = default;

Incoming RequestReader::Feed(std::string_view bytes) {
  std::string joined;  // only when a request came in pieces
  if (!input_.empty()) {
    joined = std::exchange(input_, {}).append(bytes);
    bytes = joined;
  }
  if (bytes.empty()) {
    return {};
  }
  if (message_ != nullptr) {
    return Parse(bytes);
  }
  if (bytes == last_bytes_) {
    return last_;
  }
  auto incoming = Parse(bytes);
  if (incoming.kind == Incoming::Kind::kRequest && input_.empty() &&
      bytes.size() <= kMaxRememberedBytes) {
    last_bytes_ = bytes;
    last_ = incoming;
  }
  return incoming;
}

Incoming RequestReader::Parse(std::string_view bytes) {
  if (!message_) {
    message_ = std::make_unique<Message>();
    message_->parser.header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
    message_->parser.body_limit(limits_.body_bytes);
    message_->parser.eager(true);
  }
  auto& parser = message_->parser;
  error_code problem;
  while (!bytes.empty() && !problem && !parser.is_done()) {
    bytes.remove_prefix(parser.put(asio::buffer(bytes.data(), bytes.size()), problem));
  }
  input_.assign(bytes);
  if (parser.is_header_done() || problem == http::error::body_limit) {
    const auto& request = parser.get();
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
      return Refuse(405);
    }
    // RFC 9112 §3.2.
    if (request.version() == 11 && request.count(http::field::host) != 1) {
      return Refuse(400);
    }
    // Its sender waits for a word from us before the body; this word is the answer.
    if (!parser.is_done() && request.count(http::field::expect) > 0) {
      return Refuse(417);
    }
  }
  if (problem && problem != http::error::need_more) {
    return Refuse(StatusOf(problem));
  }
  return parser.is_done() ? Complete() : Incoming{};
}

Incoming RequestReader::Refuse(int status) {
  Incoming refused{.kind = Incoming::Kind::kRefused, .status = status};
  const auto& parser = message_->parser;
  if (parser.is_header_done()) {
    refused.is_head = parser.get().method() == http::verb::head;
    refused.is_http10 = parser.get().version() == 10;
  }
  return refused;
}

Incoming RequestReader::Complete() {
  const auto& message = message_->parser.get();
  auto target = ParseTarget({message.target().data(), message.target().size()});
  if (!target) {
    return Refuse(400);
  }
  const auto field = [&](http::field name) {
    const auto value = message[name];
    return std::string(value.data(), value.size());
  };
  const bool is_head = message.method() == http::verb::head;
  Incoming incoming{.kind = Incoming::Kind::kRequest,
                    .request = {.method = is_head ? "HEAD" : "GET",
                                .path = std::move(target->path),
                                .query = std::move(target->query),
                                .accept = field(http::field::accept),
                                .accept_encoding = field(http::field::accept_encoding)},
                    .authorization = field(http::field::authorization),
                    .is_head = is_head,
                    .is_http10 = message.version() == 10,
                    .keep_alive = message.keep_alive()};
  message_.reset();
  return incoming;
}

}  // namespace limpet::web
