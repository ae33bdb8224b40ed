// TLS and basic authentication against curl, with certificates made by openssl for each run.
#include <atomic>
#include <fstream>
#include <functional>
#include <mutex>

#include "exporter/common/web/server.h"
#include "tests/exporter/common/web/client.h"
#include "tests/exporter/common/web/command.h"
#include "tests/support/temp_folder.h"

namespace limpet::web::tls_test {
namespace {

using limpet::testing::Client;
using limpet::testing::RunCommand;
using limpet::testing::TempFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class TlsTest : public ::testing::Test {
 protected:
  // Key and certificate NAME.key, NAME.crt; signed by `ca`, or by itself.
  void MakeCertificate(const std::string& name, const std::string& ca = "",
                       const std::string& san = "IP:127.0.0.1") {
    std::string command = "cd " + folder_.Path() +
                          " && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 "
                          "-nodes -days 2 -keyout " +
                          name + ".key -out " + name + ".crt -subj /CN=" + name +
                          " -addext subjectAltName=" + san;
    if (!ca.empty()) {
      command += " -CA " + ca + ".crt -CAkey " + ca + ".key -addext basicConstraints=CA:FALSE";
    }
    const auto output = RunCommand(command);
    ASSERT_TRUE(std::ifstream(folder_.Path(name + ".crt")).good()) << output;
  }

  Result<std::unique_ptr<Server>> TryStart(const std::string& yaml) {
    const auto config = LoadWebConfig(folder_.Write("web.yml", yaml));
    if (!config) {
      return config.error();
    }
    return Server::Start(
        {.listen_addresses = {"127.0.0.1:0"}, .config = *config},
        [this](const Request& request) {
          ++requests_;
          Response response;
          response.body = request.path == "/big" ? big_ : small_;
          return response;
        },
        [this](LogLevel, std::string_view text) {
          const std::lock_guard lock(mutex_);
          log_.append(text).append("\n");
        });
  }

  void Start(const std::string& yaml) {
    auto server = TryStart(yaml);
    ASSERT_TRUE(server) << server.error().Text();
    server_ = *std::move(server);
  }

  void StartTls(const std::string& more = "") {
    MakeCertificate("server");
    Start("tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n" + more);
  }

  std::string Curl(const std::string& arguments, const std::string& path = "/") {
    return RunCommand("curl -sS --max-time 20 --noproxy '*' -i " + arguments +
                      " https://127.0.0.1:" + std::to_string(server_->Port()) + path);
  }

  std::string Cacert(const std::string& name = "server") {
    return "--cacert " + folder_.Path(name + ".crt");
  }

  std::string LogText() {
    const std::lock_guard lock(mutex_);
    return log_;
  }

  TempFolder folder_;
  std::atomic<int> requests_ = 0;
  std::shared_ptr<const std::string> small_ = std::make_shared<const std::string>("the page");
  std::shared_ptr<const std::string> big_ = std::make_shared<const std::string>(3U << 20U, 'x');
  std::mutex mutex_;
  std::string log_;
  std::unique_ptr<Server> server_;
};

TEST_F(TlsTest, ServesCurl) {
  StartTls();
  EXPECT_THAT(Curl(Cacert()), AllOf(StartsWith("HTTP/1.1 200 OK"), HasSubstr("\n\r\nthe page")));
  EXPECT_THAT(
      Curl(Cacert() + " -I"),
      AllOf(StartsWith("HTTP/1.1 200 OK"), HasSubstr("Content-Length: 8"), Not(HasSubstr("page"))));
}

TEST_F(TlsTest, SendsABigBodyWhole) {
  StartTls();
  const auto output = Curl(Cacert(), "/big");
  EXPECT_TRUE(output.ends_with("\r\n\r\n" + *big_)) << output.size();
}

TEST_F(TlsTest, KeepsTheConnectionForTheNextRequest) {
  StartTls();
  const auto url = " https://127.0.0.1:" + std::to_string(server_->Port());
  const auto output =
      RunCommand("curl -sS -v --noproxy '*' " + Cacert() + url + "/1" + url + "/big");
  EXPECT_THAT(output, HasSubstr("Re-using existing connection"));
  EXPECT_EQ(requests_, 2);
}

TEST_F(TlsTest, SpeaksTls12And13AndNothingOlder) {
  StartTls();
  EXPECT_THAT(Curl(Cacert() + " --tlsv1.2 --tls-max 1.2"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(Curl(Cacert() + " --tlsv1.3"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(Curl(Cacert() + " --tlsv1.0 --tls-max 1.1 --ciphers DEFAULT@SECLEVEL=0"),
              HasSubstr("alert"));
}

TEST_F(TlsTest, MinVersionHolds) {
  StartTls("  min_version: TLS13\n");
  EXPECT_THAT(Curl(Cacert() + " --tlsv1.2 --tls-max 1.2"), HasSubstr("alert"));
  EXPECT_THAT(Curl(Cacert()), StartsWith("HTTP/1.1 200"));
}

TEST_F(TlsTest, CipherSuitesAndCurvesHold) {
  StartTls(
      "  max_version: TLS12\n  cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]\n"
      "  curve_preferences: [CurveP384]\n");
  EXPECT_THAT(Curl(Cacert() + " -v"), HasSubstr("ECDHE-ECDSA-AES256-GCM-SHA384"));
  EXPECT_THAT(Curl(Cacert() + " --ciphers ECDHE-ECDSA-AES128-GCM-SHA256"), HasSubstr("alert"));
  EXPECT_THAT(Curl(Cacert() + " --curves P-256"), HasSubstr("alert"));
}

TEST_F(TlsTest, PromtoolAcceptsWhatWeAccept) {
  StartTls(
      "  min_version: TLS12\n  cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]\n"
      "  curve_preferences: [X25519, CurveP256]\n  prefer_server_cipher_suites: true\n"
      "http_server_config:\n  http2: false\n  headers:\n    X-Frame-Options: deny\n"
      "basic_auth_users:\n  scraper: "
      "$2y$04$yiiWHzQrOr7iHiMfLc7.0OWeEsmVN3VkqnSWGT4EV/ZYn6nW5WY7q\n");
  EXPECT_THAT(RunCommand("promtool check web-config " + folder_.Path("web.yml")),
              HasSubstr("SUCCESS"));
}

TEST_F(TlsTest, ASuiteThatOpenSslLacksIsNamed) {
  MakeCertificate("server");
  const auto server = TryStart(
      "tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n"
      "  cipher_suites: [TLS_MADE_UP]\n");
  ASSERT_FALSE(server);
  EXPECT_THAT(server.error().Text(), HasSubstr("cipher_suites: OpenSSL has no suite TLS_MADE_UP"));
}

TEST_F(TlsTest, AMissingFileIsAnErrorThatNamesIt) {
  MakeCertificate("server");
  const auto no_key =
      TryStart("tls_server_config:\n  cert_file: server.crt\n  key_file: none.key\n");
  ASSERT_FALSE(no_key);
  EXPECT_THAT(no_key.error().Text(),
              AllOf(HasSubstr("key_file " + folder_.Path("none.key")), HasSubstr("No such file")));
  const auto no_cert =
      TryStart("tls_server_config:\n  cert_file: none.crt\n  key_file: server.key\n");
  ASSERT_FALSE(no_cert);
  EXPECT_THAT(no_cert.error().Text(), AllOf(HasSubstr("cert_file"), HasSubstr("No such file"),
                                            HasSubstr("PEM certificate")));
}

TEST_F(TlsTest, ADeviceIsNoCertificate) {
  MakeCertificate("server");
  const auto server =
      TryStart("tls_server_config:\n  cert_file: /dev/zero\n  key_file: server.key\n");
  ASSERT_FALSE(server);
  EXPECT_THAT(server.error().Text(), HasSubstr("cert_file /dev/zero: expected a regular file"));
}

TEST_F(TlsTest, AKeyOfAnotherCertificateIsAnError) {
  MakeCertificate("server");
  MakeCertificate("other");
  folder_.Write("rubbish.crt", "no PEM");
  const auto other =
      TryStart("tls_server_config:\n  cert_file: server.crt\n  key_file: other.key\n");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().Text(), HasSubstr("other.key"));
  const auto rubbish =
      TryStart("tls_server_config:\n  cert_file: rubbish.crt\n  key_file: other.key\n");
  ASSERT_FALSE(rubbish);
  EXPECT_THAT(rubbish.error().Text(), HasSubstr("rubbish.crt"));
}

TEST_F(TlsTest, OnlyClientsWithACertificateOfOurCa) {
  MakeCertificate("ca");
  MakeCertificate("client", "ca");
  MakeCertificate("stranger");
  StartTls("  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ca.crt\n");
  const auto with = [&](const std::string& name) {
    return Curl(Cacert() + " --cert " + folder_.Path(name + ".crt") + " --key " +
                folder_.Path(name + ".key"));
  };
  EXPECT_THAT(with("client"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(with("stranger"), Not(HasSubstr("HTTP/1.1")));
  EXPECT_THAT(Curl(Cacert()), Not(HasSubstr("HTTP/1.1")));
  EXPECT_EQ(requests_, 1);
}

TEST_F(TlsTest, OnlyClientsWithAnAllowedName) {
  MakeCertificate("ca");
  MakeCertificate("good", "ca", "DNS:prometheus.example");
  MakeCertificate("bad", "ca", "DNS:other.example,IP:10.0.0.1");
  StartTls(
      "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ca.crt\n"
      "  client_allowed_sans: [prometheus.example]\n");
  const auto with = [&](const std::string& name) {
    return Curl(Cacert() + " --cert " + folder_.Path(name + ".crt") + " --key " +
                folder_.Path(name + ".key"));
  };
  EXPECT_THAT(with("good"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(with("bad"), Not(HasSubstr("HTTP/1.1")));
}

// curl is tried again until it sees what is expected: files are looked at once a second.
TEST_F(TlsTest, ANewCertificateIsUsedWithoutARestartABadOneIsNot) {
  StartTls();
  EXPECT_THAT(Curl(Cacert()), StartsWith("HTTP/1.1 200"));
  const auto first = folder_.Read("server.crt");
  const auto until = [&](const std::function<bool()>& seen) {
    for (int i = 0; i < 200 && !seen(); ++i) {
      RunCommand("sleep 0.05");
    }
    return seen();
  };

  folder_.Write("server.crt", "half a certif");
  EXPECT_TRUE(until([&] {
    Curl("-k");
    return LogText().find("the changed TLS files are not used") != std::string::npos;
  }));
  folder_.Write("first.crt", first);
  EXPECT_THAT(Curl(Cacert("first")), StartsWith("HTTP/1.1 200"));

  MakeCertificate("server");
  EXPECT_TRUE(until([&] { return Curl(Cacert()).starts_with("HTTP/1.1 200"); }));
  EXPECT_THAT(Curl(Cacert("first")), Not(HasSubstr("HTTP/1.1")));
}

TEST_F(TlsTest, PlainHttpToTheTlsPortGetsAnAnswerInWords) {
  StartTls();
  Client client(server_->Port());
  client.Send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.ReceiveAll(),
              AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr("This port speaks HTTPS")));
  EXPECT_EQ(requests_, 0);
}

TEST_F(TlsTest, GarbageInsteadOfAHandshakeIsDropped) {
  StartTls();
  for (const auto& garbage :
       {std::string(1000, '\0'), std::string("\x16\x03\x01\xff\xff", 5) + std::string(66000, 'x'),
        std::string("\x16\x03\x01\x00\x05hello", 10),
        std::string("\x15\x03\x01\x00\x02\x02\x28", 7)}) {
    Client client(server_->Port());
    client.Send(garbage);
    EXPECT_THAT(client.ReceiveAll(), Not(HasSubstr("HTTP")));
  }
  Client gone(server_->Port());
  gone.Send("\x16\x03");
  EXPECT_THAT(Curl(Cacert()), StartsWith("HTTP/1.1 200"));
}

TEST_F(TlsTest, AsksForAPassword) {
  StartTls(R"(
basic_auth_users:
  scraper: $2y$04$yiiWHzQrOr7iHiMfLc7.0OWeEsmVN3VkqnSWGT4EV/ZYn6nW5WY7q
)");
  EXPECT_THAT(Curl(Cacert()),
              AllOf(StartsWith("HTTP/1.1 401 Unauthorized"), HasSubstr("WWW-Authenticate: Basic")));
  EXPECT_THAT(Curl(Cacert() + " -u scraper:wrong"), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(Curl(Cacert() + " -u nobody:secret"), StartsWith("HTTP/1.1 401"));
  EXPECT_EQ(requests_, 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Curl(Cacert() + " -u scraper:secret"), StartsWith("HTTP/1.1 200"));
  }
}

TEST_F(TlsTest, ReloadBringsTlsAndNewPasswordsAndKeepsTheOldOnesWhenItCannot) {
  Start(
      "basic_auth_users:\n  scraper: "
      "$2y$04$yiiWHzQrOr7iHiMfLc7.0OWeEsmVN3VkqnSWGT4EV/ZYn6nW5WY7q\n");
  MakeCertificate("server");
  WebConfig config;
  config.tls = TlsConfig{.cert_file = folder_.Path("server.crt"), .key_file = "/none"};
  EXPECT_FALSE(server_->Reload(config));
  EXPECT_THAT(Client(server_->Port()).Get("/"), StartsWith("HTTP/1.1 401"));
  config.tls->key_file = folder_.Path("server.key");
  ASSERT_TRUE(server_->Reload(config));
  EXPECT_THAT(Curl(Cacert()), StartsWith("HTTP/1.1 200"));
}

}  // namespace
}  // namespace limpet::web::tls_test
