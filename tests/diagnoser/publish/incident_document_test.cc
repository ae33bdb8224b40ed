#include "diagnoser/publish/incident_document.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "diagnoser/publish/incident_export.h"

namespace limpet::incident_document_test {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using ::testing::HasSubstr;

VerdictEvent Verdict() {
  Evidence evidence{.component = "io03/sda", .group = "disks", .metric = "await", .degree = 7.2};
  evidence.direction = Direction::kHigh;
  evidence.effect = 5;
  evidence.mean = 60;
  evidence.peer_median = 10;
  evidence.peers = 4;
  return {.end = UnixFromSeconds(1'795'314'848),
          .preset = "default",
          .node = "io03",
          .cause = Cause::kDiskBusy,
          .rank = 1,
          .degree = 7.2,
          .evidence = {evidence}};
}

IncidentRecord Record() {
  IncidentRecord record;
  record.id = "0123456789abcdef";
  record.cluster = "scratch";
  record.node = "io03";
  record.family = "disk";
  record.cause = "disk-busy";
  record.since = UnixFromSeconds(1'795'314'771);
  return record;
}

PipelineView View() {
  PipelineView view;
  view.wwns = {{"io03/sda", "naa.5000c500a1b2c3d4"}};
  view.storms = {{.group = "disks", .metric = "await", .components = {"io03/sda", "io04/sda"}},
                 {.group = "disks", .metric = "await", .components = {"io033/sda"}}};
  view.judgements.text = "5 of 6 servers are judged";
  return view;
}

TEST(IncidentDocument, HasWhatStandsBehindTheVerdict) {
  const auto view = View();
  auto band = std::make_shared<PeerBand>();
  *band = {.preset = "default",
           .group = "disks",
           .metric = "await",
           .end = Verdict().end,
           .step = 1s,
           .median = {10.12345F, 0, std::numeric_limits<float>::quiet_NaN()},
           .own = {{.component = "io03/sda", .samples = {60}}}};
  auto shown = std::make_shared<VerdictRecord>();
  shown->worst = Verdict();
  shown->bands = {band};
  const std::vector<VerdictPtr> all = {shown};
  const auto said =
      DescribeIncident(Record(), Verdict(), {.view = &view, .shown = all, .url = "http://l"});
  EXPECT_EQ(said.metric, "await");
  EXPECT_THAT(said.text, HasSubstr("io03: disk-busy"));
  const auto document = json::parse(said.document);
  EXPECT_EQ(document["schema"], "limpet.verdict.v1");
  EXPECT_EQ(document["component"], "io03/sda");
  EXPECT_EQ(document["storage_name"], "naa.5000c500a1b2c3d4");
  EXPECT_EQ(document["evidence"][0]["effect_ratio"], 5);
  EXPECT_EQ(document["storms"].size(), 1U);
  EXPECT_EQ(document["data_quality"]["text"], "5 of 6 servers are judged");
  EXPECT_EQ(document["bands"][0]["peer_median"], (json{10.12, 0, nullptr}));
  EXPECT_EQ(document["bands"][0]["own"].size(), 1U);
  EXPECT_EQ(document["links"]["incident"], "http://l/api/v1/incidents/0123456789abcdef");
}

TEST(IncidentDocument, HowThingsStandComesOverWhatWas) {
  const auto view = View();
  auto record = Record();
  record.document = DescribeIncident(record, Verdict(), {.view = &view}).document;
  record.ended = record.since + 1h;
  record.ending = "like its peers";
  record.cause = "disk-hog";
  const IncidentAnswer answer{.at = record.since + 2h, .kind = AnswerKind::kFixed, .by = "ann"};
  const auto told = IncidentToJson(record, std::span(&answer, 1));
  EXPECT_EQ(told["state"], "ended");
  EXPECT_EQ(told["cause"], "disk-hog");
  EXPECT_EQ(told["answers"][0]["as"], "fixed");
  EXPECT_EQ(told["evidence"].size(), 1U);
}

TEST(IncidentExport, CsvIsSafeForSpreadsheets) {
  auto record = Record();
  record.node = "=cmd()";
  record.text = "a \"b\", c";
  const auto row = IncidentCsvRow(record, {});
  EXPECT_THAT(row, HasSubstr("\"'=cmd()\""));
  EXPECT_THAT(row, HasSubstr("\"a \"\"b\"\", c\""));
  EXPECT_EQ(std::count(row.begin(), row.end(), '\n'), 1);
  const auto header = IncidentCsvHeader();
  EXPECT_EQ(std::count(header.begin(), header.end(), ','), 20);
  EXPECT_TRUE(json::accept(IncidentJsonLine(record, {})));
}

}  // namespace
}  // namespace limpet::incident_document_test
