#include "diagnoser/config/targets.h"

#include <gmock/gmock.h>

#include <optional>
#include <vector>

namespace limpet::targets_test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

// What a text says, and what is wrong with it.
struct Outcome {
  TargetSections sections;
  std::vector<std::string> problems;
};

// The only file there is: /secret.
Result<std::string> ReadSecret(const std::string& path) {
  if (path == "/secret") {
    return std::string("s3cret\n");
  }
  return Error{ErrorCode::kNotFound, "No such file or directory", path};
}

Outcome Read(const std::string& text) {
  const auto root = yaml::Parse(text, "d.yml");
  yaml::Problems problems{.file = "d.yml", .texts = {}};
  yaml::MapReader top(root ? &*root : nullptr, "", problems);
  auto sections = ReadTargets(top, ReadSecret);
  return {std::move(sections), std::move(problems.texts)};
}

std::vector<std::string> Problems(const std::string& text) { return Read(text).problems; }

// The only target of a text without problems.
Target Only(const std::string& text) {
  auto read = Read(text);
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_THAT(read.sections.targets, SizeIs(1));
  return read.sections.targets.empty() ? Target{} : read.sections.targets[0];
}

// What `scrape: {…}` makes of the endpoint of a target.
Endpoint Scraped(const std::string& scrape) {
  return Only("scrape: {" + scrape + "}\ntargets: [{address: a}]\n").endpoint;
}

TEST(ReadTargets, NothingIsNobody) {
  const auto read = Read("");
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_THAT(read.sections.targets, IsEmpty());
  EXPECT_THAT(read.sections.discovery, IsEmpty());
}

TEST(ReadTargets, AnAddressIsEnough) {
  EXPECT_EQ(Only("targets: [{address: io01}]\n"),
            (Target{.node = "io01", .role = "server", .endpoint = {.host = "io01"}}));
}

TEST(ReadTargets, AddressesMayHavePorts) {
  const auto targets = Read("targets: [{addresses: [io02:80, '[fd00::3]']}]\n").sections.targets;
  ASSERT_THAT(targets, SizeIs(2));
  EXPECT_EQ(FormatUrl(targets[0].endpoint), "http://io02:80/metrics");
  EXPECT_EQ(targets[0].node, "io02");
  EXPECT_EQ(FormatUrl(targets[1].endpoint), "http://[fd00::3]:9836/metrics");
  EXPECT_EQ(targets[1].node, "fd00::3");
}

TEST(ReadTargets, AnAddressIsNoUrl) {
  EXPECT_THAT(Problems("targets: [{address: 'http://io01'}]\n"),
              ElementsAre(HasSubstr("d.yml:1: targets[0].address: expected an address such as")));
}

TEST(ReadTargets, AnEntryHasAddressOrAddresses) {
  EXPECT_THAT(Problems("targets: [{role: oss}]\n"),
              ElementsAre("d.yml:1: targets[0].address: expected an address such as io01:9836, or "
                          "a list of addresses"));
  EXPECT_THAT(Problems("targets: [{address: a, addresses: [b]}]\n"),
              ElementsAre("d.yml:1: targets[0].addresses: expected either address or addresses, "
                          "not both"));
}

TEST(ReadTargets, NodeRoleAndLabelsAreThoseOfTheEntry) {
  const auto target = Only("targets: [{address: a, node: io01, role: oss, labels: {rack: r1}}]\n");
  EXPECT_EQ(target.node, "io01");
  EXPECT_EQ(target.endpoint.host, "a");
  EXPECT_EQ(target.role, "oss");
  EXPECT_THAT(target.labels, ElementsAre(Pair("rack", "r1")));
}

TEST(ReadTargets, ANodeIsCalledByOneName) {
  EXPECT_THAT(Problems("targets: [{address: a, node: x/y}]\n"),
              ElementsAre("d.yml:1: targets[0].node: expected a name without '/', got \"x/y\""));
  EXPECT_THAT(Problems("targets: [{addresses: [a, b], node: x}]\n"),
              ElementsAre(HasSubstr("targets[0].node: a name fits one address only")));
}

TEST(ReadTargets, NoTwoTargetsAreTheSameNode) {
  EXPECT_THAT(Problems("targets:\n  - address: io01:1\n  - address: io01:2\n"),
              ElementsAre("d.yml:3: targets[1].address: node io01 is already a target in line 2; "
                          "give each a node name of its own"));
  EXPECT_THAT(Problems("targets:\n  - address: io01:1\n  - {address: io02, node: io01}\n"),
              ElementsAre(HasSubstr("d.yml:3: targets[1].node: node io01 is already")));
  EXPECT_THAT(Problems("targets:\n  - address: io01:1\n  - {address: io01:2, node: io02}\n"),
              IsEmpty());
}

TEST(ReadTargets, OneWrongAddressLeavesTheOthers) {
  const auto read = Read("targets: [{addresses: [a, 'b:x', c]}]\n");
  EXPECT_THAT(read.problems, SizeIs(1));
  EXPECT_THAT(read.sections.targets, SizeIs(2));
}

TEST(ReadTargets, UnknownKeysAreNamed) {
  EXPECT_THAT(Problems("scrape: {intervall: 1s}\ntargets: [{addres: io01}]\n"),
              AllOf(SizeIs(3), ::testing::Contains(HasSubstr("scrape.intervall: unknown key")),
                    ::testing::Contains(HasSubstr("targets[0].addres: unknown key"))));
}

TEST(ReadTargets, ATimeoutIsNineTenthsOfTheIntervalUnlessItIsSaid) {
  const auto slow = Only("scrape: {interval: 2s}\ntargets: [{address: a}]\n");
  EXPECT_EQ(slow.interval, 2s);
  EXPECT_EQ(slow.timeout, 1800ms);
  const auto said = Only("scrape: {timeout: 1s}\ntargets: [{address: b, interval: 4s}]\n");
  EXPECT_EQ(said.interval, 4s);
  EXPECT_EQ(said.timeout, 1s);
}

TEST(ReadTargets, ATimeoutIsAtMostTheInterval) {
  EXPECT_THAT(Problems("scrape: {timeout: 1s}\n"), IsEmpty());
  EXPECT_THAT(Problems("scrape: {timeout: 1001ms}\n"),
              ElementsAre("d.yml:1: scrape.timeout: expected a timeout of at most the interval"));
  EXPECT_THAT(Problems("scrape: {interval: 5s, timeout: 2s}\n"
                       "targets: [{address: a, interval: 1s}]\n"),
              ElementsAre(HasSubstr("d.yml:2: targets[0].interval: expected a timeout of")));
}

TEST(ReadTargets, ATargetMayDifferFromTheDefaults) {
  const auto targets = Read(
                           "scrape: {scheme: https, metrics_path: /m, headers: {X: '1'}}\n"
                           "targets:\n"
                           "  - address: a\n"
                           "  - {address: b, scheme: http, metrics_path: /n, headers: {Y: '2'}}\n")
                           .sections.targets;
  ASSERT_THAT(targets, SizeIs(2));
  EXPECT_EQ(FormatUrl(targets[0].endpoint), "https://a:9836/m");
  EXPECT_THAT(targets[0].endpoint.headers, ElementsAre(Pair("X", "1")));
  EXPECT_EQ(FormatUrl(targets[1].endpoint), "http://b:9836/n");
  EXPECT_THAT(targets[1].endpoint.headers, ElementsAre(Pair("X", "1"), Pair("Y", "2")));
}

TEST(ReadTargets, APathBeginsWithASlashAndHasNoBlanks) {
  EXPECT_EQ(Scraped("metrics_path: '/m?x=1'").path, "/m?x=1");
  EXPECT_THAT(Problems("scrape: {metrics_path: m}\n"),
              ElementsAre("d.yml:1: scrape.metrics_path: expected a path such as /metrics, got "
                          "\"m\""));
  EXPECT_THAT(Problems("scrape: {metrics_path: '/a b'}\n"), SizeIs(1));
  EXPECT_THAT(Problems("scrape: {metrics_path: \"/a\\nX: y\"}\n"), SizeIs(1));
}

TEST(ReadAccess, CompressionIsOffUnlessItIsAskedFor) {
  EXPECT_FALSE(Scraped("").compressed);
  EXPECT_TRUE(Scraped("enable_compression: true").compressed);
}

TEST(ReadAccess, SizesMayHaveUnits) {
  EXPECT_EQ(Scraped("body_size_limit: 2048").max_body, 2048U);
  EXPECT_EQ(Scraped("body_size_limit: 2048B").max_body, 2048U);
  EXPECT_EQ(Scraped("body_size_limit: 500KB").max_body, 500'000U);
  EXPECT_EQ(Scraped("body_size_limit: 500KiB").max_body, 512'000U);
  EXPECT_EQ(Scraped("body_size_limit: 1MB").max_body, 1'000'000U);
  EXPECT_EQ(Scraped("body_size_limit: 1MiB").max_body, 1'048'576U);
  EXPECT_EQ(Scraped("body_size_limit: 1GB").max_body, 1'000'000'000U);
}

TEST(ReadAccess, SizesAreFromOneKibibyteToOneGibibyte) {
  EXPECT_EQ(Scraped("body_size_limit: 1KiB").max_body, 1024U);
  EXPECT_EQ(Scraped("body_size_limit: 1GiB").max_body, std::size_t{1} << 30U);
  for (const auto* wrong : {"lots", "1023", "1025MiB", "2GiB", "-1", "5TB", "1 MiB", "MiB",
                            "99999999999999999999GiB"}) {
    EXPECT_THAT(Problems("scrape: {body_size_limit: '" + std::string(wrong) + "'}\n"),
                ElementsAre(HasSubstr("scrape.body_size_limit: expected a size from 1KiB to 1GiB")))
        << wrong;
  }
}

TEST(ReadAccess, APasswordStandsThereOrInAFile) {
  EXPECT_EQ(Scraped("basic_auth: {username: u, password: p}").basic_auth,
            (BasicAuth{.username = "u", .password = "p"}));
  EXPECT_EQ(Scraped("basic_auth: {username: u, password_file: /secret}").basic_auth,
            (BasicAuth{.username = "u", .password = "s3cret"}));
  EXPECT_THAT(
      Problems("scrape: {basic_auth: {username: u, password: p, password_file: /secret}}\n"),
      ElementsAre(HasSubstr("expected either password or password_file, not both")));
  EXPECT_THAT(Problems("scrape: {basic_auth: {username: u, password_file: /gone}}\n"),
              ElementsAre("d.yml:1: scrape.basic_auth.password_file: cannot read the password: "
                          "/gone: No such file or directory"));
}

TEST(ReadAccess, APasswordWantsAName) {
  EXPECT_THAT(Problems("scrape: {basic_auth: {password: p}}\n"),
              ElementsAre("d.yml:1: scrape.basic_auth.username: expected a name"));
  EXPECT_THAT(Problems("scrape: {basic_auth: {username: '', password: p}}\n"), SizeIs(1));
}

TEST(ReadAccess, ATokenStandsThereOrInAFile) {
  EXPECT_EQ(Scraped("authorization: {credentials: t0}").authorization, "Bearer t0");
  EXPECT_EQ(Scraped("authorization: {type: Token, credentials: t0}").authorization, "Token t0");
  EXPECT_EQ(Scraped("authorization: {credentials_file: /secret}").authorization, "Bearer s3cret");
  EXPECT_THAT(Problems("scrape: {authorization: {type: Token}}\n"),
              ElementsAre(HasSubstr("expected credentials or credentials_file")));
  EXPECT_THAT(Problems("scrape: {authorization: {credentials: t, credentials_file: /secret}}\n"),
              ElementsAre(HasSubstr("expected credentials or credentials_file, not both")));
  EXPECT_THAT(Problems("scrape: {authorization: {credentials_file: /gone}}\n"),
              ElementsAre(HasSubstr("cannot read the credentials: /gone: No such file")));
}

TEST(ReadAccess, ATokenIsOneLine) {
  EXPECT_THAT(Problems("scrape: {authorization: {credentials: \"a\\nX: y\"}}\n"),
              ElementsAre("d.yml:1: scrape.authorization.credentials: expected one line of "
                          "printable characters"));
  EXPECT_THAT(Problems("scrape: {authorization: {type: \"A\\r\", credentials: a}}\n"), SizeIs(1));
}

TEST(ReadAccess, AnEntryHasATokenOrAPassword) {
  EXPECT_THAT(Problems("scrape: {authorization: {credentials: a}, basic_auth: {username: u}}\n"),
              ElementsAre("d.yml:1: scrape.authorization: expected either authorization or "
                          "basic_auth, not both"));
}

TEST(ReadAccess, ATargetsOwnCredentialsReplaceThoseOfAllTargets) {
  const auto password = Only(
      "scrape: {authorization: {credentials: t0}}\n"
      "targets: [{address: b, basic_auth: {username: u, password: p}}]\n");
  EXPECT_EQ(password.endpoint.authorization, "");
  EXPECT_EQ(password.endpoint.basic_auth.username, "u");
  const auto token = Only(
      "scrape: {basic_auth: {username: u, password: p}}\n"
      "targets: [{address: b, authorization: {credentials: t0}}]\n");
  EXPECT_EQ(token.endpoint.authorization, "Bearer t0");
  EXPECT_EQ(token.endpoint.basic_auth, BasicAuth{});
}

TEST(ReadAccess, HeadersAreTokensWithOneLineEach) {
  EXPECT_THAT(Scraped("headers: {X-Scope-OrgID: storage, a_1: ''}").headers,
              ElementsAre(Pair("X-Scope-OrgID", "storage"), Pair("a_1", "")));
  for (const auto* wrong : {"{'a b': c}", "{'a:': c}", "{'': c}", R"({a: "b\nc: d"})"}) {
    EXPECT_THAT(Problems("scrape: {headers: " + std::string(wrong) + "}\n"),
                ElementsAre(HasSubstr("expected a header such as X-Scope-OrgID: tenant")))
        << wrong;
  }
}

TEST(ReadAccess, TlsIsAsInPrometheus) {
  EXPECT_EQ(Scraped("tls_config: {ca_file: /ca, cert_file: /c, key_file: /k, server_name: n, "
                    "insecure_skip_verify: true}")
                .tls,
            (TlsClient{.ca_file = "/ca",
                       .cert_file = "/c",
                       .key_file = "/k",
                       .server_name = "n",
                       .insecure_skip_verify = true}));
}

TEST(ReadAccess, ACertificateWantsItsKey) {
  EXPECT_THAT(Problems("scrape: {tls_config: {cert_file: c}}\n"),
              ElementsAre("d.yml:1: scrape.tls_config.key_file: expected cert_file and key_file "
                          "together"));
  EXPECT_THAT(Problems("scrape: {tls_config: {key_file: k}}\n"),
              ElementsAre(HasSubstr("scrape.tls_config.cert_file: expected cert_file and")));
}

TEST(ReadTargets, ListsInFiles) {
  const auto read = Read(
      "scrape: {interval: 15s}\n"
      "targets:\n"
      "  - file_sd: {files: [/etc/limpet/*.json, b.yml], refresh_interval: 30s}\n"
      "    role: oss\n"
      "    labels: {site: north}\n"
      "    scheme: https\n");
  ASSERT_THAT(read.problems, IsEmpty());
  ASSERT_THAT(read.sections.discovery, SizeIs(1));
  const auto& list = read.sections.discovery[0];
  EXPECT_EQ(list.name, "/etc/limpet/*.json,b.yml");
  EXPECT_THAT(list.files, ElementsAre("/etc/limpet/*.json", "b.yml"));
  EXPECT_EQ(list.refresh, 30s);
  EXPECT_FALSE(list.http);
  EXPECT_EQ(list.base.target, (Target{.role = "oss",
                                      .labels = {{"site", "north"}},
                                      .endpoint = {.https = true},
                                      .interval = 15s,
                                      .timeout = 13500ms}));
  EXPECT_FALSE(list.base.own_timeout);
}

TEST(ReadTargets, ListsBehindUrls) {
  const auto read = Read(
      "scrape: {authorization: {credentials: of-targets}}\n"
      "targets:\n"
      "  - http_sd: {url: 'https://inventory/limpet?site=north', headers: {X: '1'}}\n"
      "  - http_sd: {url: 'http://b:81', refresh_interval: 2s, authorization: {credentials: t}}\n"
      "    timeout: 500ms\n");
  ASSERT_THAT(read.problems, IsEmpty());
  ASSERT_THAT(read.sections.discovery, SizeIs(2));
  const auto& first = read.sections.discovery[0];
  EXPECT_EQ(first.name, "https://inventory/limpet?site=north");
  EXPECT_EQ(FormatUrl(*first.http), "https://inventory:443/limpet?site=north");
  EXPECT_EQ(first.http->accept, "application/json");
  EXPECT_THAT(first.http->headers, ElementsAre(Pair("X", "1")));
  EXPECT_EQ(first.http->authorization, "");  // that of the targets is not for the inventory
  EXPECT_EQ(first.base.target.endpoint.authorization, "Bearer of-targets");
  EXPECT_EQ(first.refresh, 60s);
  EXPECT_EQ(first.timeout, 10s);
  const auto& second = read.sections.discovery[1];
  EXPECT_EQ(FormatUrl(*second.http), "http://b:81/");
  EXPECT_EQ(second.http->authorization, "Bearer t");
  EXPECT_EQ(second.timeout, 2s);
  EXPECT_TRUE(second.base.own_timeout);
}

TEST(ReadTargets, ListsThatAreWrong) {
  EXPECT_THAT(
      Problems("targets:\n"
               "  - file_sd: {}\n"
               "  - file_sd: {files: [a.txt]}\n"
               "  - http_sd: {url: inventory}\n"
               "  - {http_sd: {url: \"http://a/\", timeout: 2m}, node: x}\n"
               "  - http_sd: {url: \"http://a/\"}\n"
               "  - {file_sd: {files: [b.json]}, http_sd: {url: \"http://b/\"}}\n"),
      ElementsAre("d.yml:2: targets[0].file_sd.files: expected files such as "
                  "[/etc/limpet/targets/*.json]",
                  "d.yml:3: targets[1].file_sd.files: expected names that end in .json, .yml or "
                  ".yaml, got \"a.txt\"",
                  "d.yml:4: targets[2].http_sd.url: expected a URL such as http://localhost:80, "
                  "got \"inventory\"",
                  "d.yml:5: targets[3].http_sd.timeout: expected at most the refresh_interval",
                  "d.yml:5: targets[3].node: an entry with a list has none: the list says them",
                  "d.yml:6: targets[4].http_sd: http://a/ is named twice",
                  "d.yml:7: targets[5].http_sd: expected either file_sd or http_sd; make an entry "
                  "for each"));
}

TEST(ReadTargets, AnUrlThatIsWrongDoesNotHideTheListsOtherProblems) {
  EXPECT_THAT(Problems("targets: [{http_sd: {url: inventory, headers: {'a b': c}}}]\n"),
              ElementsAre(HasSubstr("expected a header"), HasSubstr("expected a URL")));
}

}  // namespace
}  // namespace limpet::targets_test
