#include "exporter/common/web/web_config.h"

#include "tests/support/temp_folder.h"

namespace limpet::web::web_config_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const std::string kHash = "$2y$04$yiiWHzQrOr7iHiMfLc7.0OWeEsmVN3VkqnSWGT4EV/ZYn6nW5WY7q";

WebConfig Good(std::string_view text) {
  auto config = ParseWebConfig(text, "/etc/limpet/web.yml");
  EXPECT_TRUE(config) << (config ? "" : config.error().Text());
  return config ? *config : WebConfig{};
}

std::string Problem(std::string_view text) {
  const auto config = ParseWebConfig(text, "web.yml");
  EXPECT_FALSE(config) << text;
  return config ? "" : config.error().Text();
}

TEST(WebConfig, AnEmptyFileIsPlainHttpOpenToAll) {
  for (const auto* text :
       {"", "# nothing\n", "{}", "tls_server_config: {}", "basic_auth_users:\n"}) {
    const auto config = Good(text);
    EXPECT_FALSE(config.tls) << text;
    EXPECT_TRUE(config.users.empty()) << text;
  }
}

TEST(WebConfig, ReadsEveryKeyOfTheFormat) {
  const auto config = Good(R"(
tls_server_config:
  cert_file: server.crt
  key_file: /keys/server.key
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: ca/ca.crt
  client_allowed_sans: [prometheus.example, 10.0.0.1]
  min_version: TLS12
  max_version: TLS13
  cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305]
  prefer_server_cipher_suites: false
  curve_preferences: [X25519, CurveP256]
http_server_config:
  http2: true
  headers:
    X-Frame-Options: deny
    Strict-Transport-Security: max-age=31536000
basic_auth_users:
  scraper: )" + kHash);
  ASSERT_TRUE(config.tls);
  EXPECT_EQ(config.tls->cert_file, "/etc/limpet/server.crt");
  EXPECT_EQ(config.tls->key_file, "/keys/server.key");
  EXPECT_EQ(config.tls->client_ca_file, "/etc/limpet/ca/ca.crt");
  EXPECT_EQ(config.tls->client_auth, ClientAuth::kRequireAndVerify);
  EXPECT_THAT(config.tls->client_allowed_sans, ElementsAre("prometheus.example", "10.0.0.1"));
  EXPECT_EQ(config.tls->min_version, TlsVersion::kTls12);
  EXPECT_THAT(config.tls->cipher_suites,
              ElementsAre("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"));
  EXPECT_FALSE(config.tls->prefer_server_cipher_suites);
  EXPECT_THAT(config.tls->curve_preferences, ElementsAre("X25519", "P-256"));
  EXPECT_THAT(config.headers, ElementsAre(Pair("Strict-Transport-Security", "max-age=31536000"),
                                          Pair("X-Frame-Options", "deny")));
  EXPECT_THAT(config.users, ElementsAre(Pair("scraper", kHash)));
}

TEST(WebConfig, RequiresAuthenticationOnlyWithPasswordsOrCheckedCertificates) {
  EXPECT_FALSE(RequiresAuthentication(std::nullopt));
  EXPECT_FALSE(RequiresAuthentication(WebConfig{}));
  WebConfig config;
  config.tls.emplace();
  for (const auto client : {ClientAuth::kNone, ClientAuth::kRequest, ClientAuth::kRequireAny,
                            ClientAuth::kVerifyIfGiven}) {
    config.tls->client_auth = client;
    EXPECT_FALSE(RequiresAuthentication(config));
  }
  config.tls->client_auth = ClientAuth::kRequireAndVerify;
  EXPECT_TRUE(RequiresAuthentication(config));
  EXPECT_TRUE(RequiresAuthentication(WebConfig{.users = {{"a", kHash}}}));
}

TEST(WebConfig, NamesTheLineOfAnUnknownKey) {
  EXPECT_THAT(Problem("basic_auth_user:\n  a: b\n"),
              HasSubstr("web.yml:2: basic_auth_user: unknown"));
  EXPECT_THAT(Problem("tls_server_config:\n  cert_file: a\n  key_file: b\n  keyfile: c\n"),
              HasSubstr("web.yml:4: tls_server_config.keyfile: unknown key"));
  EXPECT_THAT(Problem("http_server_config:\n  headers:\n    Set-Cookie: c\n"),
              HasSubstr("web.yml:3: http_server_config.headers.Set-Cookie: unknown key"));
}

TEST(WebConfig, TellsAllProblemsAtOnce) {
  const auto text = Problem(
      "tls_server_config:\n  cert_file: a\n  min_version: SSL3\nbasic_auth_users:\n  a: secret\n");
  EXPECT_THAT(text, HasSubstr("tls_server_config.key_file: is missing"));
  EXPECT_THAT(text, HasSubstr("web.yml:3: tls_server_config.min_version"));
  EXPECT_THAT(text, HasSubstr("web.yml:5: basic_auth_users.a: expected a bcrypt hash"));
}

TEST(WebConfig, RefusesWhatCouldNotWorkOrWouldNotProtect) {
  const std::string files = "tls_server_config:\n  cert_file: a\n  key_file: b\n";
  EXPECT_THAT(Problem(files + "  client_auth_type: RequireAndVerifyClientCert\n"),
              HasSubstr("web.yml:4: tls_server_config.client_auth_type: needs client_ca_file"));
  EXPECT_THAT(Problem(files + "  client_ca_file: c\n"),
              HasSubstr("is used by no client_auth_type"));
  EXPECT_THAT(Problem(files + "  client_allowed_sans: [a]\n"),
              HasSubstr("client_allowed_sans: needs"));
  EXPECT_THAT(Problem(files + "  min_version: TLS13\n  max_version: TLS12\n"),
              HasSubstr("above max_version"));
  EXPECT_THAT(Problem(files + "  curve_preferences: [CurveP255]\n"), HasSubstr("CurveP255"));
  EXPECT_THAT(Problem("http_server_config:\n  headers:\n    X-Frame-Options: maybe\n"),
              HasSubstr("X-Frame-Options"));
  EXPECT_THAT(Problem("basic_auth_users:\n  a: $2y$20$" + kHash.substr(7)), HasSubstr("cost 20"));
  EXPECT_THAT(Problem("basic_auth_users:\n  \"a:b\": " + kHash), HasSubstr("cannot have a colon"));
  EXPECT_THAT(Problem("- a list\n"), HasSubstr("web.yml"));
}

TEST(WebConfig, AFileThatIsMissingIsNamed) {
  const limpet::testing::TempFolder folder;
  const auto config = LoadWebConfig(folder.Path("none.yml"));
  ASSERT_FALSE(config);
  EXPECT_THAT(config.error().Text(), HasSubstr("none.yml: No such file"));
}

TEST(WebConfig, APipeOrADeviceIsNoConfiguration) {
  const limpet::testing::TempFolder folder;
  ASSERT_EQ(::mkfifo(folder.Path("web.yml").c_str(), 0600), 0);
  for (const auto& path : {folder.Path("web.yml"), std::string("/dev/zero")}) {
    const auto config = LoadWebConfig(path);
    ASSERT_FALSE(config);
    EXPECT_THAT(config.error().Text(), HasSubstr(path + ": expected a regular file"));
  }
}

TEST(WebConfig, LoadsAFile) {
  const limpet::testing::TempFolder folder;
  const auto path = folder.Write("web.yml", "tls_server_config:\n  cert_file: a\n  key_file: b\n");
  const auto config = LoadWebConfig(path);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->tls->cert_file, folder.Path("a"));
}

TEST(WebConfig, TheShippedExampleLoadsByItsRelativeName) {
  const auto config = LoadWebConfig("config/web-config.yml");
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_EQ(config->tls->cert_file, "config/server.crt");
  EXPECT_TRUE(config->users.empty());  // an example must not open a door
}

}  // namespace
}  // namespace limpet::web::web_config_test
