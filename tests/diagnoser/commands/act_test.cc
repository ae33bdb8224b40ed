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

}  // namespace
}  // namespace limpet
