#include "diagnoser/publish/events.h"

#include <gmock/gmock.h>

#include <limits>

namespace limpet::events_test {
namespace {

constexpr auto kEnd = UnixFromSeconds(1'700'000'064);

TEST(Events, AWindow) {
  WindowEvent event{.end = kEnd,
                    .preset = "default",
                    .group = "io",
                    .metric = "await",
                    .n = 3,
                    .lo = 0.1,
                    .hi = 2};
  event.components.push_back({.component = "a/sda",
                              .s = 1.0 / 3,
                              .threshold = 1,
                              .degree = 2.5,
                              .window_anomalous = true,
                              .flagged = true,
                              .direction = Direction::kHigh,
                              .accumulator = 4,
                              .effect = 0.5,
                              .z = 6,
                              .window_degree = 2});
  EXPECT_EQ(
      ToJsonLine(event),
      R"({"type":"window","end":1700000064,"preset":"default","group":"io",)"
      R"("peer_group":"io","metric":"await","metric_label":"await","n":3,)"
      R"("undetermined":false,"threshold_trained":false,"lo":0.1,"hi":2,"bins":0,"components":[)"
      R"({"component":"a/sda","s":0.3333333333333333,"threshold":1,"window_anomalous":true,)"
      R"("flagged":true,"direction":"high","accumulator":4,"degree":2.5,"effect":0.5,"z":6,)"
      R"("window_degree":2}]})"
      "\n");
}

TEST(Events, WhatIsUndeterminedIsNull) {
  WindowEvent event{.end = kEnd, .undetermined = true};
  event.components.push_back({.component = "a"});
  const auto line = ToJsonLine(event);
  EXPECT_NE(line.find(R"("lo":null,"hi":null)"), std::string::npos);
  EXPECT_NE(line.find(R"("s":null)"), std::string::npos);
  EXPECT_EQ(line.find("effect"), std::string::npos);
}

TEST(Events, AVerdict) {
  VerdictEvent event{
      .end = kEnd, .preset = "p", .node = "a", .cause = Cause::kDiskBusy, .rank = 1, .degree = 2};
  event.since = kEnd - std::chrono::seconds(59);
  event.named = kEnd - std::chrono::seconds(32);
  event.luns["a/sda"] = LunKind::kComponent;
  event.evidence.push_back({.component = "a/sda",
                            .group = "io",
                            .metric = "svctm",
                            .degree = 2,
                            .s = 3,
                            .threshold = 1,
                            .direction = Direction::kHigh,
                            .effect = 0.5,
                            .mean = 15,
                            .peer_median = 10,
                            .threshold_origin = ThresholdOrigin::kTrained,
                            .peers = 3,
                            .far = 2,
                            .far_peers = {"b/sda", "c/sda"},
                            .near_peers = {"d/sda"},
                            .windows = {kEnd - std::chrono::seconds(32), kEnd},
                            .accumulator = 7,
                            .episodes = 2});
  EXPECT_EQ(ToJsonLine(event),
            R"({"type":"verdict","end":1700000064,"preset":"p","node":"a","cause":"disk-busy",)"
            R"("since":1700000005,"named":1700000032,)"
            R"("degree":2,"luns":{"a/sda":"component"},"evidence":[{"component":"a/sda",)"
            R"("group":"io","peer_group":"io","metric":"svctm","metric_label":"service_time",)"
            R"("degree":2,"s":3,"threshold":1,"direction":"high",)"
            R"("threshold_origin":"trained","effect":0.5,"mean":15,"peer_median":10,"peers":3,)"
            R"("far":2,"far_peers":["b/sda","c/sda"],"near_peers":["d/sda"],)"
            R"("windows":[1700000032,1700000064],"accumulator":7,"episodes":2}],)"
            R"("rank":1,"secondary":false})"
            "\n");
}

TEST(Events, EvidenceWithoutPeersSaysSo) {
  VerdictEvent event{.end = kEnd};
  event.evidence.push_back({.component = "a", .metric = "cwnd_client"});
  const auto line = ToJsonLine(event);
  EXPECT_NE(line.find(R"("effect":null,"mean":null,"peer_median":null,"peers":0,"far":null,)"),
            std::string::npos)
      << line;
}

TEST(Events, TheKernelsClockIsSaidWhereItIsKnown) {
  VerdictEvent event{.end = kEnd};
  event.evidence.push_back(
      {.component = "a/sda",
       .metric = "await",
       .device_time = DeviceTime{.mean = 80, .peer_median = 40, .slowdown = 2, .decides = true}});
  const auto line = ToJsonLine(event);
  EXPECT_NE(
      line.find(R"("peer_median":null,"device_time":{"mean":80,"peer_median":40,"slowdown":2,)"
                R"("decides":true},"peers":0)"),
      std::string::npos)
      << line;
}

TEST(Events, AStorm) {
  const StormEvent event{.end = kEnd,
                         .preset = "p",
                         .group = "io",
                         .metric = "await",
                         .n = 20,
                         .flagged = 3,
                         .components = {"a", "c", "b"}};
  EXPECT_EQ(ToJsonLine(event), R"({"type":"storm","end":1700000064,"preset":"p","group":"io",)"
                               R"("peer_group":"io","metric":"await","metric_label":"await",)"
                               R"("n":20,"flagged":3,"components":["a","c","b"]})"
                               "\n");
}

TEST(Events, WhatTheBimodalityCheckFound) {
  const BimodalityEvent event{
      .end = kEnd,
      .preset = "p",
      .group = "io",
      .metric = "await",
      .separation = 9,
      .low = {.n = 3, .median = 0.5, .components = {"a", "b", "c"}, .values = {"0"}},
      .high = {.n = 4, .median = 8, .components = {"d"}, .values = {"1"}},
      .label = "rotational",
      .agreement = 1};
  EXPECT_EQ(ToJsonLine(event),
            R"({"type":"doctor","end":1700000064,"preset":"p","group":"io",)"
            R"("peer_group":"io","metric":"await","metric_label":"await",)"
            R"("separation":9,"label":"rotational","agreement":1,"low":{"n":3,"median":0.5,)"
            R"("components":["a","b","c"],"values":["0"]},"high":{"n":4,"median":8,)"
            R"("components":["d"],"values":["1"]}})"
            "\n");
}

TEST(Events, ASecondOfCongestionWindows) {
  CwndEvent event{.end = kEnd, .group = "tcp", .metric = "cwnd_client", .n = 1};
  event.components.push_back({.component = "a", .average = 2, .log = 0.5, .anomalous = true});
  EXPECT_EQ(ToJsonLine(event),
            R"({"type":"cwnd","end":1700000064,"group":"tcp","peer_group":"tcp",)"
            R"("metric":"cwnd_client","metric_label":"cwnd_client","n":1,"f":0.5,)"
            R"("threshold_trained":false,"median":null,"components":[{"component":"a","avg":2,)"
            R"("log":0.5,"anomalous":true,"flagged":true}]})"
            "\n");
}

TEST(Events, ASummary) {
  const SummaryEvent event{.preset = "p", .windows = 2, .verdicts = 1, .hourly = {"20231115.22:"}};
  EXPECT_EQ(ToJsonLine(event),
            R"({"type":"summary","preset":"p","windows":2,"verdicts":1,"hourly":["20231115.22:"]})"
            "\n");
}

TEST(Events, OddNamesAreEscapedAndOddNumbersAreNull) {
  const CwndEvent event{.end = kEnd + std::chrono::milliseconds(250),
                        .group = "a\"b\\c\n\x01",
                        .f = std::numeric_limits<double>::infinity()};
  const auto line = ToJsonLine(event);
  EXPECT_NE(line.find(R"("group":"a\"b\\c\u000a\u0001")"), std::string::npos) << line;
  EXPECT_NE(line.find(R"("f":null)"), std::string::npos);
  EXPECT_NE(line.find(R"("end":1700000064.25)"), std::string::npos);
}

}  // namespace
}  // namespace limpet::events_test
