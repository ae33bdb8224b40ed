#include "exporter/common/web/response_head.h"

namespace limpet::web::response_head_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kDate = "Sat, 21 Nov 2026 05:00:00 GMT";

TEST(ResponseHead, IsTheStatusTheFieldsAndAnEmptyLine) {
  auto response = Text(200, "12345");
  response.content_encoding = "gzip";
  response.headers = {{"Vary", "Accept-Encoding"}};
  EXPECT_EQ(ResponseHead(response, {.date = kDate}),
            "HTTP/1.1 200 OK\r\n"
            "Date: Sat, 21 Nov 2026 05:00:00 GMT\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Content-Encoding: gzip\r\n"
            "Vary: Accept-Encoding\r\n"
            "Content-Length: 5\r\n"
            "\r\n");
}

TEST(ResponseHead, SaysWhetherTheConnectionGoesOnWhereTheVersionDoesNot) {
  const auto response = Text(404, "");
  EXPECT_THAT(ResponseHead(response, {.date = kDate}), Not(HasSubstr("Connection")));
  EXPECT_THAT(ResponseHead(response, {.keep_alive = false, .date = kDate}),
              EndsWith("\r\nConnection: close\r\n\r\n"));
  EXPECT_THAT(ResponseHead(response, {.is_http10 = true, .date = kDate}),
              EndsWith("\r\nConnection: keep-alive\r\n\r\n"));
}

TEST(ResponseHead, NoValueEndsItsLine) {
  auto response = Text(200, "");
  response.headers = {{"A", "b\r\nSet-Cookie: c"}};
  EXPECT_THAT(ResponseHead(response, {.date = kDate}), HasSubstr("\r\nA: b  Set-Cookie: c\r\n"));
}

TEST(ResponseHead, ABodyThatIsMissingHasNoLength) {
  EXPECT_THAT(ResponseHead(Response{}, {.date = kDate}), HasSubstr("Content-Length: 0\r\n"));
}

}  // namespace
}  // namespace limpet::web::response_head_test
