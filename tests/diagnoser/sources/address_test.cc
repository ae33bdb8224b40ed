#include "diagnoser/sources/address.h"

#include <gtest/gtest.h>

#include "diagnoser/sources/target.h"

namespace limpet::address_test {
namespace {

std::string Read(std::string_view text) {
  const auto result = ParseAddress(text, 9836);
  return result ? result->host + " " + std::to_string(result->port) : result.error().message;
}

TEST(Address, TakesNamesAndBothKindsOfNumbers) {
  EXPECT_EQ(Read("io01"), "io01 9836");
  EXPECT_EQ(Read("io01.example.org:9100"), "io01.example.org 9100");
  EXPECT_EQ(Read("10.0.0.1:80"), "10.0.0.1 80");
  EXPECT_EQ(Read("[fd00::1]:80"), "fd00::1 80");
  EXPECT_EQ(Read("[fd00::1]"), "fd00::1 9836");
  EXPECT_EQ(Read("fe80::1%eth0"), "fe80::1%eth0 9836");
}

std::string ReadUrl(std::string_view text) {
  const auto result = ParseUrl(text, 9837);
  return result ? FormatUrl(*result) : "refused";
}

TEST(Url, HasASchemeAnAddressAndPerhapsAPath) {
  EXPECT_EQ(ReadUrl("http://io01"), "http://io01:9837");
  EXPECT_EQ(ReadUrl("https://[fd00::1]:1/"), "https://[fd00::1]:1/");
  EXPECT_EQ(ReadUrl("http://10.0.0.1:80/a/b"), "http://10.0.0.1:80/a/b");
}

TEST(Url, AnythingElseIsRefused) {
  for (const auto* text :
       {"", "io01", "ftp://io01", "http://", "http:///x", "http://u:p@io01/", "http://io01:0",
        "http://io01/?a", "http://io01/#a", "http://io01/ b", "http://io01/\n"}) {
    EXPECT_EQ(ReadUrl(text), "refused") << text;
  }
}

TEST(Url, OfAResourceHasTheSchemesPortAndMayHaveAQuery) {
  EXPECT_EQ(FormatUrl(*ParseResourceUrl("http://io01/list?site=a&b=%20")),
            "http://io01:80/list?site=a&b=%20");
  EXPECT_EQ(FormatUrl(*ParseResourceUrl("https://io01:1/x")), "https://io01:1/x");
  EXPECT_EQ(FormatUrl(*ParseResourceUrl("https://io01")), "https://io01:443");
  for (const auto* text : {"io01", "http://io01/a b", "http://io01/#a", "http://u:p@io01/"}) {
    EXPECT_FALSE(ParseResourceUrl(text)) << text;
  }
}

TEST(Url, PartsOfAQueryAreEncoded) {
  EXPECT_EQ(UrlEncoded("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(UrlEncoded("{a=~\"b|c\"} \xc3\xa4\n"), "%7Ba%3D~%22b%7Cc%22%7D%20%C3%A4%0A");
}

TEST(Address, RefusesWhatIsNotOne) {
  for (const auto* text : {"", ":80", "io01:", "io01:0", "io01:65536", "io01:http", "[fd00::1",
                           "[fd00::1]80", "http://io01:9836", "io 01", "io01/metrics", "a\r\nb"}) {
    EXPECT_FALSE(ParseAddress(text, 9836)) << text;
  }
  EXPECT_EQ(Read("http://io01"),
            "expected an address such as io01:9836 or [fd00::1]:9836, got \"http://io01\"; the "
            "scheme and the path are keys of their own: scheme, metrics_path");
}

TEST(Address, IsShownAsAUrl) {
  EXPECT_EQ(FormatUrl({.host = "fd00::1", .https = true}), "https://[fd00::1]:9836/metrics");
  EXPECT_EQ(FormatUrl({.host = "io01", .port = 80, .path = "/m?x=1"}), "http://io01:80/m?x=1");
}

}  // namespace
}  // namespace limpet::address_test
