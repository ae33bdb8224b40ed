#include "diagnoser/commands/act.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/manual_clock.h"

namespace limpet::act_test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

void NoLog(LogLevel /*level*/, std::string_view /*line*/) {}

std::size_t RunDue(IncidentStore& store, const ActionSettings& settings, const Clock& clock) {
  const LogSink log = NoLog;
  return ActRunner(settings, clock, log).RunDue(store).value();
}

TEST(ActRunner, RunsWhatIsOrderedOnceAndSaysWhatCameOfIt) {
  testing::ManualClock clock;
  auto store = *IncidentStore::Open(":memory:", Database::Access::kReadWrite);
  ActionSettings settings;
  settings.mode = ActionMode::kArmed;
  settings.stop_file = "/none/stop";
  settings.programs = {{"begin", {"/bin/cat"}}};
  const auto order = [&](ActStep step, UnixTime at) {
    ASSERT_TRUE(store.Put(std::vector<Act>{{.incident = "a",
                                            .node = "io03",
                                            .step = step,
                                            .state = "ordered",
                                            .at = at,
                                            .document = "{}"}}));
  };
  order(ActStep::kBegin, clock.Now());
  order(ActStep::kBegin, clock.Now() - 1h);
  order(ActStep::kEnd, clock.Now());
  EXPECT_EQ(RunDue(store, settings, clock), 1U);
  EXPECT_EQ(RunDue(store, settings, clock), 0U);
  const auto acts = *store.ActsOf("a");
  EXPECT_EQ(acts[0].state, "done");
  EXPECT_EQ(acts[0].reason, "{}\n");
  EXPECT_THAT(acts[1].reason, HasSubstr("10 minutes ago"));
  EXPECT_THAT(acts[2].reason, HasSubstr("no program"));
  settings.mode = ActionMode::kDryRun;
  order(ActStep::kBegin, clock.Now());
  EXPECT_EQ(RunDue(store, settings, clock), 0U);
  EXPECT_EQ(store.ActsOf("a")->back().state, "refused");
}

// What a program reads is what the schema promises, and the answer that it is run for.
TEST(ActRunner, AProgramGetsTheIncidentAsItIsByNow) {
  testing::ManualClock clock;
  auto store = *IncidentStore::Open(":memory:", Database::Access::kReadWrite);
  ActionSettings settings;
  settings.mode = ActionMode::kArmed;
  settings.stop_file = "/none/stop";
  settings.programs = {{"answer", {"/bin/cat"}}};
  IncidentRecord record{.id = "a", .node = "io03", .family = "storage", .cause = "disk-busy"};
  record.document = R"({"component":"io03/sdc"})";
  ASSERT_TRUE(store.Put(std::vector{record}));
  ASSERT_TRUE(store.Add({.incident = "a", .kind = AnswerKind::kKnown, .note = "spare ordered"}));
  ASSERT_TRUE(store.Put(std::vector<Act>{{.incident = "a",
                                          .node = "io03",
                                          .step = ActStep::kAnswer,
                                          .state = "ordered",
                                          .at = clock.Now(),
                                          .document = R"({"component":"io03/sdb"})"}}));
  EXPECT_EQ(RunDue(store, settings, clock), 1U);
  const auto act = store.ActsOf("a")->back();
  EXPECT_EQ(act.state, "done");
  const auto json = nlohmann::json::parse(act.reason);
  EXPECT_EQ(json["component"], "io03/sdb");  // that was taken out
  EXPECT_EQ(json["state"], "open");
  EXPECT_EQ(json["answers"][0]["as"], "known");
}

// A server that an operator took out by hand must not return because a dry run has ended.
TEST(ActRunner, ReturnsOnlyWhatAProgramTookOut) {
  testing::ManualClock clock;
  auto store = *IncidentStore::Open(":memory:", Database::Access::kReadWrite);
  ActionSettings settings;
  settings.mode = ActionMode::kArmed;
  settings.stop_file = "/none/stop";
  settings.programs = {{"begin", {"/bin/cat"}}, {"end", {"/bin/cat"}}};
  const auto put = [&](const std::string& incident, ActStep step, const std::string& state) {
    EXPECT_TRUE(store.Put(std::vector<Act>{
        {.incident = incident, .node = "io03", .step = step, .state = state, .at = clock.Now()}}));
    (void)RunDue(store, settings, clock);
    return store.ActsOf(incident)->back();
  };
  EXPECT_EQ(put("dry", ActStep::kBegin, "dry-run").state, "dry-run");
  const auto refused = put("dry", ActStep::kEnd, "ordered");
  EXPECT_EQ(refused.state, "refused");
  EXPECT_THAT(refused.reason, HasSubstr("no program took the server out"));
  EXPECT_EQ(put("a", ActStep::kBegin, "ordered").state, "done");
  EXPECT_EQ(put("a", ActStep::kEnd, "ordered").state, "done");
  // It comes back, and what is ordered then is refused.
  EXPECT_EQ(put("a", ActStep::kBegin, "refused").state, "refused");
  EXPECT_EQ(put("a", ActStep::kEnd, "ordered").state, "refused");
  EXPECT_EQ(put("a", ActStep::kConfirm, "failed").state, "failed");
  EXPECT_EQ(put("a", ActStep::kEnd, "ordered").state, "done");
}

// The cluster may not have answered: a server that is well must not stay out for that.
TEST(ActRunner, AReturnThatFailedIsTriedAgain) {
  testing::ManualClock clock;
  auto store = *IncidentStore::Open(":memory:", Database::Access::kReadWrite);
  ActionSettings settings;
  settings.mode = ActionMode::kArmed;
  settings.stop_file = "/none/stop";
  settings.programs = {{"begin", {"/bin/true"}}, {"end", {"/bin/false"}}};
  const auto put = [&](ActStep step) {
    EXPECT_TRUE(store.Put(std::vector<Act>{
        {.incident = "a", .node = "io03", .step = step, .state = "ordered", .at = clock.Now()}}));
  };
  put(ActStep::kBegin);
  put(ActStep::kEnd);
  const LogSink log = NoLog;
  ActRunner runner(settings, clock, log);
  EXPECT_EQ(*runner.RunDue(store), 2U);
  EXPECT_EQ(store.ActsOf("a")->back().state, "failed");
  clock.Advance(9min);
  EXPECT_EQ(*runner.RunDue(store), 0U);
  clock.Advance(2min);
  EXPECT_EQ(*runner.RunDue(store), 1U);
  settings.programs["end"] = {"/bin/true"};
  ActRunner mended(settings, clock, log);
  EXPECT_EQ(*mended.RunDue(store), 0U);
  clock.Advance(11min);
  EXPECT_EQ(*mended.RunDue(store), 1U);
  EXPECT_EQ(store.ActsOf("a")->back().state, "done");
  clock.Advance(11min);
  EXPECT_EQ(*mended.RunDue(store), 0U);
}

TEST(ActRunner, WhatWasTakenOutAgainIsNotReturnedForTheLastTime) {
  testing::ManualClock clock;
  auto store = *IncidentStore::Open(":memory:", Database::Access::kReadWrite);
  const auto put = [&](const char* incident, ActStep step, const char* state) {
    EXPECT_TRUE(store.Put(std::vector<Act>{
        {.incident = incident, .node = "io03", .step = step, .state = state, .at = clock.Now()}}));
  };
  put("a", ActStep::kBegin, "done");
  put("a", ActStep::kEnd, "failed");
  EXPECT_EQ(store.FailedReturns(clock.Now())->size(), 1U);
  EXPECT_EQ(store.FailedReturns(clock.Now() + 1s)->size(), 0U);
  put("a", ActStep::kBegin, "refused");
  EXPECT_EQ(store.FailedReturns(clock.Now())->size(), 1U);
  put("b", ActStep::kBegin, "done");
  EXPECT_EQ(store.FailedReturns(clock.Now())->size(), 0U);
}

}  // namespace
}  // namespace limpet::act_test
