#include "diagnoser/config/incidents.h"

#include <gmock/gmock.h>

#include "diagnoser/config/byte_count.h"
#include "diagnoser/config/web_settings.h"

namespace limpet::incidents_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Read {
  IncidentSettings settings;
  WebSettings web;
  std::string problems;
};

Read ReadText(std::string_view text) {
  const auto root = yaml::Parse(text, "d.yml");
  yaml::Problems problems{.file = "d.yml", .texts = {}};
  yaml::MapReader top(&*root, "", problems);
  Read read;
  read.settings = ReadIncidents(top, [](const std::string& path) {
    return path == "/key" ? Result<std::string>("secret\n")
                          : Error{ErrorCode::kNotFound, "no such file", path};
  });
  read.web = ReadWeb(top);
  top.RefuseUnknown();
  read.problems = problems.Joined();
  return read;
}

TEST(Incidents, WithoutASectionTheyAreKeptForMoreThanAYear) {
  const auto read = ReadText("{}");
  EXPECT_EQ(read.settings, IncidentSettings());
  EXPECT_EQ(read.settings.max_age, 400 * 24h);
  EXPECT_EQ(read.settings.max_bytes, std::int64_t{1} << 30);
  EXPECT_EQ(read.problems, "");
}

TEST(Incidents, EveryKeyIsRead) {
  const auto read = ReadText(
      "cluster: scratch\n"
      "incidents: {url: \"https://l.site/\", max_age: 30d, max_bytes: 64MiB}\n"
      "web: {allowed_hosts: [L.Site], grafana: \"https://g.site/g/\"}\n"
      "sinks:\n"
      "  - {name: hook, type: webhook, url: \"http://h:8080/in?x=1\", headers: {X-Token: t}, "
      "max_queue: 5}\n"
      "  - {name: duty, type: pagerduty, routing_key_file: /key}\n"
      "  - {name: am, type: alertmanager, url: \"http://am:9093\", labels: {team: a}}\n"
      "  - {name: logs, type: otlp, url: \"http://c:4318\"}\n"
      "  - {name: node, type: kubernetes-condition}\n"
      "  - {name: local, type: syslog, socket: /run/log}\n");
  EXPECT_EQ(read.problems, "");
  EXPECT_EQ(read.settings.cluster, "scratch");
  EXPECT_EQ(read.settings.url, "https://l.site");
  EXPECT_EQ(read.settings.max_age, 30 * 24h);
  EXPECT_EQ(read.settings.max_bytes, 64 << 20);
  EXPECT_THAT(read.web.allowed_hosts, ElementsAre("l.site"));
  EXPECT_EQ(read.web.grafana, "https://g.site/g");
  const auto& sinks = read.settings.sinks;
  ASSERT_EQ(sinks.size(), 6U);
  EXPECT_EQ(sinks[0].endpoint.path, "/in?x=1");
  EXPECT_EQ(sinks[0].endpoint.headers.at("X-Token"), "t");
  EXPECT_EQ(sinks[0].max_queue, 5);
  EXPECT_EQ(sinks[1].routing_key, "secret");
  EXPECT_EQ(FormatUrl(sinks[1].endpoint), "https://events.pagerduty.com:443/v2/enqueue");
  EXPECT_EQ(sinks[2].endpoint.path, "/api/v2/alerts");
  EXPECT_EQ(sinks[2].labels.at("team"), "a");
  EXPECT_EQ(sinks[3].endpoint.path, "/v1/logs");
  EXPECT_EQ(sinks[4].endpoint.host, "kubernetes.default.svc");
  EXPECT_EQ(sinks[5].socket, "/run/log");
}

TEST(Incidents, EveryMistakeIsNamed) {
  const auto problems =
      ReadText(
          "cluster: a b\n"
          "incidents: {url: l.site, max_age: 1s, max_bytes: 5, age: 1d}\n"
          "web: {allowed_hosts: [\"http://l.site\"], grafana: g.site, hosts: []}\n"
          "sinks:\n"
          "  - {name: a, type: mail, url: \"http://h\"}\n"
          "  - {name: a}\n"
          "  - {url: \"http://h\", type: webhook, colour: red}\n"
          "  - {name: d, type: pagerduty}\n"
          "  - {name: e, type: pagerduty, routing_key_file: /none}\n")
          .problems;
  for (const auto* const text :
       {"d.yml:1: cluster: expected a name", "d.yml:2: incidents.url:", "incidents.max_age:",
        "incidents.max_bytes: expected at least 1MiB", "incidents.age", "web.allowed_hosts:",
        "web.grafana:", "web.hosts", "type: expected how it is told", "two sinks are called a",
        "name: expected a name", "colour", "routing_key_file: expected the file", "no such file"}) {
    EXPECT_THAT(problems, HasSubstr(text));
  }
}

TEST(Incidents, ActionsAreDryUntilTheyAreArmed) {
  const auto read =
      ReadText("actions: {causes: [disk-busy], programs: {begin: [/bin/out, now]}, quorum: 0.8}\n");
  EXPECT_EQ(read.problems, "");
  EXPECT_EQ(read.settings.actions.mode, ActionMode::kDryRun);
  EXPECT_THAT(read.settings.actions.programs.at("begin"), ElementsAre("/bin/out", "now"));
  EXPECT_EQ(read.settings.actions.quorum, 0.8);
  EXPECT_EQ(ReadText("{}").settings.actions.mode, ActionMode::kOff);
  const auto problems = ReadText(
                            "actions: {mode: on, causes: [sloth], quorum: 0.1, max_at_once: 0,\n"
                            "  programs: {begin: [out.sh], middle: [/bin/x]}}\n")
                            .problems;
  for (const auto* const text : {"actions.mode:", "got \"sloth\"",
                                 "quorum:", "max_at_once:", "begin: expected a list", "middle"}) {
    EXPECT_THAT(problems, HasSubstr(text));
  }
  EXPECT_THAT(ReadText("actions: {mode: armed, causes: [disk-busy]}\n").problems,
              HasSubstr("nothing would ever be done"));
}

TEST(ByteCount, IsANumberWithAUnit) {
  EXPECT_EQ(ParseByteCount("32MiB"), 32U << 20U);
  EXPECT_EQ(ParseByteCount("7"), 7U);
  for (const auto* const text : {"", "MiB", "-1", "1.5GiB", "9999999GiB", "1GB"}) {
    EXPECT_FALSE(ParseByteCount(text)) << text;
  }
}

}  // namespace
}  // namespace limpet::incidents_test
