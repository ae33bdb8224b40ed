#include "exporter/common/web/request_reader.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <utility>

#include "exporter/common/web/target.h"

namespace limpet::web {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

// Scrapers' requests have about 300 bytes: one read, and little memory for an idle connection.
constexpr std::size_t kReadBytes = 1024;

int StatusFor(const error_code& problem) {
  if (problem == http::error::header_limit || problem == http::error::buffer_overflow) {
    return 431;
  }
  if (problem == http::error::body_limit) {
    return 413;
  }
  return problem == http::error::bad_version ? 505 : 400;
}

// Beast takes a message with a Transfer-Encoding that does not end in "chunked" for one without a
// body. Whoever stands before us may see one there, and what it holds would be our next request
// (RFC 9112 §6.1, §11.2); so only "chunked" itself is read.
bool HasUnreadableFraming(const http::fields& fields, unsigned version) {
  const auto encodings = fields.count(http::field::transfer_encoding);
  return encodings > 0 &&
         (encodings > 1 || version < 11 ||
          !boost::beast::iequals(fields[http::field::transfer_encoding], "chunked"));
}

// What is left of a chunked body has at least the five bytes of its last chunk. With fewer Beast
// 1.74 breaks an assertion of its own: "0\r\n", and then one byte more.
constexpr std::size_t kLastChunkBytes = 5;

}  // namespace

RequestReader::RequestReader(const Limits& limits)
    // Room for the header's last line behind its limit, so that the parser finds what is wrong.
    : limits_(limits), buffer_(limits.header_bytes + kReadBytes) {}

boost::asio::mutable_buffer RequestReader::Room() {
  return buffer_.prepare(std::min(kReadBytes, buffer_.max_size() - buffer_.size()));
}

Incoming RequestReader::Received(std::size_t bytes) {
  buffer_.commit(bytes);
  if (!HasInput()) {
    return {};
  }
  if (!parser_) {
    parser_.emplace();
    header_.reset();
    parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
    parser_->body_limit(limits_.body_bytes);
  }
  error_code problem;
  while (HasInput() && !problem && !parser_->is_done() && !IsTooShortForAChunk()) {
    buffer_.consume(parser_->put(buffer_.data(), problem));
    if (!header_ && parser_->is_header_done() && parser_->chunked()) {
      header_ = parser_->get().base();
    }
  }
  if (problem == http::error::need_more) {
    problem = buffer_.size() < buffer_.max_size() ? error_code()
                                                  : error_code(http::error::buffer_overflow);
  }
  if (const int status = Judge(problem); status != 0) {
    return Refuse(status);
  }
  return parser_->is_done() ? Complete() : Incoming{};
}

bool RequestReader::IsTooShortForAChunk() const {
  return parser_->is_header_done() && parser_->chunked() && buffer_.size() < kLastChunkBytes;
}

const RequestReader::Header& RequestReader::GetHeader() const {
  return header_ ? *header_ : parser_->get().base();
}

int RequestReader::Judge(const error_code& problem) const {
  // At the body's limit the header is complete, though Beast does not say so yet.
  if (parser_->is_header_done() || problem == http::error::body_limit) {
    const auto& request = GetHeader();
    if (request.method() != http::verb::get && request.method() != http::verb::head &&
        (request.method() != http::verb::post || !limits_.allow_post)) {
      return 405;
    }
    // RFC 9112 §3.2.
    if (request.version() == 11 && request.count(http::field::host) != 1) {
      return 400;
    }
    if (HasUnreadableFraming(request, request.version())) {
      return 400;
    }
    // Its sender waits for a word from us before the body; this word is the answer.
    if (!parser_->is_done() && request.count(http::field::expect) > 0) {
      return 417;
    }
  }
  return problem ? StatusFor(problem) : 0;
}

Incoming RequestReader::Refuse(int status) const {
  Incoming refused;
  refused.kind = Incoming::Kind::kRefused;
  refused.status = status;
  if (parser_->is_header_done()) {
    refused.is_head = GetHeader().method() == http::verb::head;
    refused.is_http10 = GetHeader().version() == 10;
  }
  return refused;
}

Incoming RequestReader::Complete() {
  const auto& message = GetHeader();
  auto target = ParseTarget({message.target().data(), message.target().size()});
  if (!target) {
    return Refuse(400);
  }
  const auto field = [&](http::field name) {
    const auto value = message[name];
    return std::string(value.data(), value.size());
  };
  const auto text = [&](const char* name) {  // Beast has no number for every field
    const auto value = message[name];
    return std::string(value.data(), value.size());
  };
  const bool is_head = message.method() == http::verb::head;
  const bool is_post = message.method() == http::verb::post;
  Incoming incoming{.kind = Incoming::Kind::kRequest,
                    .status = 0,
                    .request = {.method = is_head   ? "HEAD"
                                          : is_post ? "POST"
                                                    : "GET",
                                .path = std::move(target->path),
                                .query = std::move(target->query),
                                .accept = field(http::field::accept),
                                .accept_encoding = field(http::field::accept_encoding),
                                .if_none_match = field(http::field::if_none_match),
                                .host = field(http::field::host),
                                .origin = field(http::field::origin),
                                .fetch_site = text("Sec-Fetch-Site"),
                                .content_type = field(http::field::content_type),
                                .body = std::move(parser_->get().body()),
                                .last_event_id = text("Last-Event-ID")},
                    .authorization = field(http::field::authorization),
                    .is_head = is_head,
                    .is_http10 = message.version() == 10,
                    .keep_alive = parser_->get().keep_alive()};
  parser_.reset();
  return incoming;
}

}  // namespace limpet::web
