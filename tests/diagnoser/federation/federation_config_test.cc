#include "diagnoser/federation/federation_config.h"

#include <gtest/gtest.h>

namespace limpet::federation_config_test {
namespace {

Result<FederationConfig> Parse(std::string_view text) {
  return ParseFederation(text, "f.yml",
                         [](const std::string&) { return Result<std::string>("secret"); });
}

TEST(FederationConfig, MembersByName) {
  const auto config = Parse(R"(
federate:
  - {name: south, url: "https://south:9837/limpet/", basic_auth: {username: u, password_file: p}}
  - {name: north, url: "http://north:9837"}
web: {allowed_hosts: [limpet.example]}
)");
  ASSERT_TRUE(config) << config.error().Text();
  ASSERT_EQ(config->members.size(), 2U);
  EXPECT_EQ(config->members[0].name, "north");
  EXPECT_EQ(config->members[0].endpoint.path, "");
  EXPECT_EQ(config->members[1].endpoint.path, "/limpet");
  EXPECT_TRUE(config->members[1].endpoint.https);
  EXPECT_EQ(config->members[1].endpoint.basic_auth.password, "secret");
  EXPECT_EQ(config->allowed_hosts, std::vector<std::string>{"limpet.example"});
}

TEST(FederationConfig, WhatIsWrongIsNamed) {
  const auto text = [](std::string_view yaml) { return Parse(yaml).error().Text(); };
  EXPECT_NE(text("federate: []").find("expected 1 to 64 diagnosers"), std::string::npos);
  EXPECT_NE(text("{}").find("expected 1 to 64 diagnosers"), std::string::npos);
  EXPECT_NE(text("federate: [{name: a/b, url: \"http://x:1\"}]").find("f.yml:1: federate"),
            std::string::npos);
  EXPECT_NE(text("federate: [{name: a, url: \"ftp://x\"}]").find("expected a diagnoser's address"),
            std::string::npos);
  EXPECT_NE(text("federate: [{name: a, url: \"http://x:1\"}, {name: a, url: \"http://y:1\"}]")
                .find("two diagnosers are named \"a\""),
            std::string::npos);
  EXPECT_NE(text("federate: [{name: a, url: \"http://x:1\", shard: 1}]").find("shard"),
            std::string::npos);
}

}  // namespace
}  // namespace limpet::federation_config_test
