#include "diagnoser/publish/sink_message.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace limpet::sink_message_test {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

SinkMessage Message(const std::string& change) {
  SinkMessage message{.change = change, .at = UnixFromSeconds(1'795'314'848), .url = "http://l"};
  message.record.id = "0123456789abcdef";
  message.record.cluster = "scratch";
  message.record.node = "io03";
  message.record.family = "disk";
  message.record.cause = "disk-busy";
  message.record.named = message.at - 10s;
  message.record.text = "io03: disk-busy (await <6.00×> its peers)";
  message.record.document = R"({"schema":"limpet.verdict.v1","next_step":"read the log"})";
  if (change == "ended") {
    message.record.ended = message.at;
    message.record.ending = "like its peers";
  }
  return message;
}

json Body(SinkKind kind, const SinkMessage& message) {
  return json::parse(SinkBody(
      {.name = "s", .kind = kind, .labels = {{"team", "a"}}, .routing_key = "k"}, message));
}

TEST(SinkMessage, AWebhookGetsACloudEvent) {
  const auto event = Body(SinkKind::kWebhook, Message("began"));
  EXPECT_EQ(event["specversion"], "1.0");
  EXPECT_EQ(event["type"], "limpet.verdict.began");
  EXPECT_EQ(event["id"], "0123456789abcdef-began-1795314848000");
  EXPECT_EQ(event["subject"], "io03");
  EXPECT_EQ(event["data"]["schema"], "limpet.verdict.v1");
  EXPECT_EQ(event["data"]["state"], "open");
  EXPECT_EQ(SinkContentType(SinkKind::kWebhook), "application/cloudevents+json");
}

TEST(SinkMessage, SlackGetsATextThatCallsNobody) {
  auto message = Message("answered");
  message.answer = IncidentAnswer{.kind = AnswerKind::kFixed, .note = "<!here> done", .by = "ann"};
  const auto text = Body(SinkKind::kSlack, message)["text"].get<std::string>();
  EXPECT_THAT(text, HasSubstr("[scratch] io03: disk-busy (await &lt;6.00×&gt; its peers)"));
  EXPECT_THAT(text, HasSubstr("answered: fixed by ann (&lt;!here&gt; done)"));
  EXPECT_THAT(text, HasSubstr("http://l/api/v1/incidents/0123456789abcdef"));
  EXPECT_THAT(text, Not(HasSubstr("<!")));
}

TEST(SinkMessage, PagerDutyKeepsOneByItsKey) {
  const auto began = Body(SinkKind::kPagerDuty, Message("began"));
  EXPECT_EQ(began["event_action"], "trigger");
  EXPECT_EQ(began["routing_key"], "k");
  EXPECT_EQ(began["dedup_key"], "0123456789abcdef");
  EXPECT_EQ(Body(SinkKind::kPagerDuty, Message("answered"))["event_action"], "acknowledge");
  EXPECT_EQ(Body(SinkKind::kPagerDuty, Message("ended"))["event_action"], "resolve");
}

TEST(SinkMessage, AnAlertsLabelsStayTheSameUntilItEnds) {
  const auto began = Body(SinkKind::kAlertmanager, Message("began"))[0];
  const auto ended = Body(SinkKind::kAlertmanager, Message("ended"))[0];
  EXPECT_EQ(began["labels"], ended["labels"]);
  EXPECT_EQ(began["labels"]["node"], "io03");
  EXPECT_EQ(began["labels"]["team"], "a");
  EXPECT_EQ(began["endsAt"], "2026-11-22T02:39:08Z");
  EXPECT_EQ(ended["endsAt"], "2026-11-22T02:34:08Z");
  EXPECT_EQ(began["annotations"]["description"], "read the log");
}

TEST(SinkMessage, OtlpGetsALogRecord) {
  const auto body = Body(SinkKind::kOtlp, Message("began"));
  const auto& record = body["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0];
  EXPECT_EQ(record["timeUnixNano"], "1795314848000000000");
  EXPECT_EQ(record["severityText"], "WARN");
  EXPECT_EQ(record["attributes"][1]["value"]["stringValue"], "0123456789abcdef");
}

TEST(SinkMessage, KubernetesGetsAnEventAboutTheNode) {
  const auto event = Body(SinkKind::kKubernetesEvent, Message("began"));
  EXPECT_EQ(event["metadata"]["name"], "limpet-0123456789abcdef-began-1795314848000");
  EXPECT_EQ(event["involvedObject"]["name"], "io03");
  EXPECT_EQ(event["reason"], "DiskBusy");
  EXPECT_EQ(event["type"], "Warning");
  EXPECT_EQ(Body(SinkKind::kKubernetesEvent, Message("ended"))["type"], "Normal");
}

TEST(SinkMessage, KubernetesGetsAConditionThatEnds) {
  auto message = Message("began");
  message.record.family = "storage";
  const auto began = Body(SinkKind::kKubernetesCondition, message);
  EXPECT_EQ(began["metadata"]["name"], "io03");
  EXPECT_EQ(began["status"]["conditions"][0]["type"], "LimpetStorage");
  EXPECT_EQ(began["status"]["conditions"][0]["status"], "True");
  const auto ended = Body(SinkKind::kKubernetesCondition, Message("ended"));
  EXPECT_EQ(ended["status"]["conditions"][0]["status"], "False");
  EXPECT_EQ(SinkContentType(SinkKind::kKubernetesCondition),
            "application/strategic-merge-patch+json");
  EXPECT_FALSE(TakesAnswers(SinkKind::kKubernetesCondition));
}

TEST(SinkMessage, SyslogGetsOneLine) {
  auto message = Message("began");
  message.record.text += "\n<0>kernel: " + std::string(5000, 'x');
  const auto line = SinkBody({.name = "s", .kind = SinkKind::kSyslog}, message);
  EXPECT_THAT(line, ::testing::StartsWith("<28>limpet-diagnoser: incident 0123456789abcdef began: "
                                          "[scratch] io03: disk-busy"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_LT(line.size(), 1100U);
}

TEST(SinkMessage, ADocumentThatIsNoneIsLeftOut) {
  auto message = Message("began");
  message.record.document = "[[[";
  for (const auto kind : {SinkKind::kWebhook, SinkKind::kSlack, SinkKind::kPagerDuty,
                          SinkKind::kAlertmanager, SinkKind::kOtlp}) {
    EXPECT_FALSE(Body(kind, message).empty());
  }
}

}  // namespace
}  // namespace limpet::sink_message_test
