#include "exporter/common/web/host_check.h"

#include <gmock/gmock.h>

namespace limpet::web::host_check_test {
namespace {

using ::testing::ElementsAre;

const std::vector<std::string> kNames = {"diag", "diag.site"};

TEST(HostCheck, LoopbackAddressesAndOwnNamesAreAnswered) {
  for (const auto* const host :
       {"localhost", "localhost:9837", "LOCALHOST.", "a.localhost", "127.0.0.1:9837", "10.1.2.3",
        "[::1]:9837", "[fe80::1%eth0]:9837", "diag:9837", "Diag.Site", "diag.site.", ""}) {
    EXPECT_TRUE(IsAllowedHost(host, kNames)) << host;
  }
}

TEST(HostCheck, AnotherSitesNameIsNot) {
  for (const auto* const host :
       {"evil.example", "diag.evil.example:9837", "localhost.evil.example",
        "127.0.0.1.evil.example", "[", "]", ":", "[evil.example]:80", "xdiag", "0x7f000001"}) {
    EXPECT_FALSE(IsAllowedHost(host, kNames)) << host;
  }
}

TEST(HostCheck, WhatFollowsAZeroCounts) {
  using std::string_view_literals::operator""sv;
  EXPECT_FALSE(IsAllowedHost("::\0evil.example"sv, kNames));
  EXPECT_FALSE(IsAllowedHost("127.0.0.1\0.evil.example"sv, kNames));
}

TEST(HostCheck, AStarIsEveryName) {
  EXPECT_TRUE(IsAllowedHost("evil.example", std::vector<std::string>{"*"}));
}

TEST(HostCheck, TheMachinesNamesAreThoseItIsSearchedBy) {
  EXPECT_THAT(HostNamesOf("Diag.site", "# x\nnameserver 10.0.0.1\nsearch site lab.site. .\n"),
              ElementsAre("diag.site", "diag", "diag.site", "diag.lab.site"));
  EXPECT_TRUE(HostNamesOf("", "search site").empty());
  EXPECT_FALSE(OwnHostNames().empty());
}

}  // namespace
}  // namespace limpet::web::host_check_test
