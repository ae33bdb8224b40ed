#include "diagnoser/commands/act.h"

#include <gmock/gmock.h>

#include "tests/support/manual_clock.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(RunOrdered, RunsWhatIsOrderedOnceAndSaysWhatCameOfIt) {
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
  const auto log = [](LogLevel, std::string_view) {};
  EXPECT_EQ(*RunOrdered(store, settings, clock, log), 1U);
  EXPECT_EQ(*RunOrdered(store, settings, clock, log), 0U);
  const auto acts = *store.ActsOf("a");
  EXPECT_EQ(acts[0].state, "done");
  EXPECT_EQ(acts[0].reason, "{}\n");
  EXPECT_THAT(acts[1].reason, HasSubstr("10 minutes ago"));
  EXPECT_THAT(acts[2].reason, HasSubstr("no program"));
  settings.mode = ActionMode::kDryRun;
  order(ActStep::kBegin, clock.Now());
  EXPECT_EQ(*RunOrdered(store, settings, clock, log), 0U);
  EXPECT_EQ(store.ActsOf("a")->back().state, "refused");
}

// A server that an operator took out by hand must not return because a dry run has ended.
TEST(RunOrdered, ReturnsOnlyWhatAProgramTookOut) {
  testing::ManualClock clock;
  auto store = *IncidentStore::Open(":memory:", Database::Access::kReadWrite);
  ActionSettings settings;
  settings.mode = ActionMode::kArmed;
  settings.stop_file = "/none/stop";
  settings.programs = {{"begin", {"/bin/cat"}}, {"end", {"/bin/cat"}}};
  const auto put = [&](const std::string& incident, ActStep step, const std::string& state) {
    EXPECT_TRUE(store.Put(std::vector<Act>{
        {.incident = incident, .node = "io03", .step = step, .state = state, .at = clock.Now()}}));
    EXPECT_TRUE(RunOrdered(store, settings, clock, [](LogLevel, std::string_view) {}));
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

}  // namespace
}  // namespace limpet
