#include "diagnoser/publish/history_totals.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace limpet::history_totals_test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kBegin = UnixTime(1'796'000'000s);

IncidentRecord Made(const std::string& id, const std::string& node, Duration after,
                    std::optional<Duration> took) {
  IncidentRecord record{.id = id, .node = node, .family = "storage", .cause = "disk-busy"};
  record.since = kBegin + after;
  if (took) {
    record.ended = record.since + *took;
    record.ending = "like its peers";
  }
  record.indicted = true;
  record.text = node + ": \x1b[31mawait";
  return record;
}

HistorySpan Month() {
  HistorySpan span{
      .from = kBegin, .to = kBegin + 720h, .incidents = {}, .answers = {}, .precision = {}};
  span.incidents = {Made("1", "io01", -1h, 2h), Made("2", "io02", 1h, 30min),
                    Made("4", "io03", 5h, 600h), Made("3", "io02", 718h, std::nullopt)};
  span.incidents[1].cause = "disk-hog";
  span.incidents[2].indicted = false;  // a worse one explained it
  span.answers["2"] = {.incident = "2", .kind = AnswerKind::kScrub, .note = "sunday", .by = "ann"};
  return span;
}

TEST(HistoryTotals, WhatLiesInTheSpanIsCounted) {
  const auto totals = TotalsOf(Month());
  EXPECT_EQ(totals.incidents, 3U);
  ASSERT_EQ(totals.servers.size(), 2U);
  EXPECT_EQ(totals.servers[0].first, "io02");
  EXPECT_EQ(totals.servers[0].second.time, 2h + 30min);  // it goes on until the end of the span
  EXPECT_EQ(totals.servers[1].second.time, 1h);
  EXPECT_EQ(CausesText(totals.servers[0].second), "disk-busy, disk-hog");
  EXPECT_EQ(totals.causes.at("disk-hog").wrong, 1U);
}

TEST(HistoryTotals, ATableAndTheSameAsJson) {
  const auto text = TopOfHistory(Month(), 1);
  EXPECT_THAT(text, AllOf(HasSubstr("2 servers in 3 incidents"), HasSubstr("io02"),
                          HasSubstr("2 h 30 min"), Not(HasSubstr("io01"))));
  const auto json = nlohmann::json::parse(TopOfHistoryJson(Month(), 20));
  EXPECT_EQ(json["servers"][0]["seconds"], 9000.0);
  EXPECT_EQ(json["servers"][1]["node"], "io01");
  auto none = Month();
  none.incidents.clear();
  EXPECT_THAT(TopOfHistory(none, 20), HasSubstr("0 servers in 0 incidents"));
}

TEST(HistoryTotals, ALineAnIncidentOfANode) {
  const auto text = ExplainHistory(Month(), "io02");
  EXPECT_THAT(text,
              AllOf(HasSubstr("(30 min): io02: "), HasSubstr("ended: like its peers; "),
                    HasSubstr("answered scrub by ann: sunday; incident 2\n"), HasSubstr("to now: "),
                    HasSubstr("goes on; incident 3\n"), Not(HasSubstr("\x1b"))));
  EXPECT_EQ(ExplainHistory(Month(), "io09"), "");
}

}  // namespace
}  // namespace limpet::history_totals_test
