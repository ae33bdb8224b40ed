#include "diagnoser/publish/target_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "exporter/common/exposition/writer.h"

namespace limpet::target_metrics_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

TargetStatus Status(const std::string& node) {
  TargetStatus status;
  status.target = std::make_shared<const Target>(Target{.node = node, .role = "server"});
  return status;
}

TEST(TargetMetrics, ATargetThatWasNotAskedYetHasNoDuration) {
  auto good = Status("a");
  RecordSuccess(good, {.body = "1234", .took = 12ms}, 7);
  good.clock_skew = -3s;
  const auto page = Render(TargetFamilies(std::vector{good, Status("b")}), Format::kText);
  EXPECT_THAT(page, HasSubstr("limpet_target_up{node=\"a\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("limpet_target_up{node=\"b\"} 0\n"));
  EXPECT_THAT(page, HasSubstr("limpet_target_scrape_duration_seconds{node=\"a\"} 0.012\n"));
  EXPECT_THAT(page, HasSubstr("limpet_target_clock_skew_seconds{node=\"a\"} -3\n"));
  EXPECT_THAT(page, Not(HasSubstr("duration_seconds{node=\"b\"}")));
}

TEST(TargetMetrics, WhatWasAnotherMachinesIsCountedByReason) {
  auto odd = Status("a");
  odd.identity_changes["hostname"] = 2;
  odd.refused_increases["busy_time"] = 3;
  const auto page = Render(TargetFamilies(std::vector{odd, Status("b")}), Format::kText);
  EXPECT_THAT(page, HasSubstr("_identity_changes_total{node=\"a\",reason=\"hostname\"} 2\n"));
  EXPECT_THAT(page, HasSubstr("_refused_increases_total{node=\"a\",reason=\"busy_time\"} 3\n"));
  EXPECT_THAT(page, Not(HasSubstr("reason=\"disk\"")));
}

}  // namespace
}  // namespace limpet::target_metrics_test
