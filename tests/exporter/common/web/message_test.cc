#include "exporter/common/web/message.h"

#include <boost/beast/http/write.hpp>
#include <sstream>

namespace limpet::web {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kDate = "Sat, 21 Nov 2026 05:00:00 GMT";

// The bytes of the head.
std::string Head(const Response& response, const MessageOptions& options) {
  std::ostringstream out;
  out << MakeMessage(response, options).base();
  return out.str();
}

TEST(Message, IsTheStatusTheFieldsAndAnEmptyLine) {
  auto response = Text(200, "12345");
  response.content_encoding = "gzip";
  response.headers = {{"Vary", "Accept-Encoding"}};
  EXPECT_EQ(Head(response, {.date = kDate}),
            "HTTP/1.1 200 OK\r\n"
            "Date: Sat, 21 Nov 2026 05:00:00 GMT\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Content-Encoding: gzip\r\n"
            "Vary: Accept-Encoding\r\n"
            "Content-Length: 5\r\n"
            "\r\n");
}

TEST(Message, ItsBodyIsTheResponsesOwnBytes) {
  const auto response = Text(200, "12345");
  const auto message = MakeMessage(response, {.date = kDate});
  EXPECT_EQ(message.body().data(), response.body->data());
  EXPECT_EQ(message.body().size(), 5U);
}

TEST(Message, OfHeadHasTheLengthAndNoBody) {
  const auto response = Text(200, "12345");
  EXPECT_THAT(Head(response, {.is_head = true, .date = kDate}), HasSubstr("Content-Length: 5\r\n"));
  EXPECT_EQ(MakeMessage(response, {.is_head = true, .date = kDate}).body().size(), 0U);
}

TEST(Message, SaysWhetherTheConnectionGoesOnWhereTheVersionDoesNot) {
  const auto response = Text(404, "");
  EXPECT_THAT(Head(response, {.date = kDate}), Not(HasSubstr("Connection")));
  EXPECT_THAT(Head(response, {.keep_alive = false, .date = kDate}),
              EndsWith("\r\nConnection: close\r\n\r\n"));
  EXPECT_THAT(Head(response, {.is_http10 = true, .date = kDate}),
              EndsWith("\r\nConnection: keep-alive\r\n\r\n"));
  EXPECT_THAT(Head(response, {.is_http10 = true, .keep_alive = false, .date = kDate}),
              EndsWith("\r\nConnection: close\r\n\r\n"));
}

TEST(Message, NoValueEndsItsLine) {
  auto response = Text(200, "");
  response.headers = {{"A", "b\r\nSet-Cookie: c"}};
  EXPECT_THAT(Head(response, {.date = kDate}), HasSubstr("\r\nA: b  Set-Cookie: c\r\n"));
}

TEST(Message, ABodyThatIsMissingHasNoLength) {
  EXPECT_THAT(Head(Response{}, {.date = kDate}), HasSubstr("Content-Length: 0\r\n"));
}

TEST(Message, HasTheConfiguredHeaders) {
  const std::vector<std::pair<std::string, std::string>> headers = {{"X-Frame-Options", "deny"}};
  EXPECT_THAT(Head(Text(200, ""), {.date = kDate, .headers = &headers}),
              HasSubstr("\r\nX-Frame-Options: deny\r\n"));
}

}  // namespace
}  // namespace limpet::web
