#include "diagnoser/incidents/acts.h"

#include <gmock/gmock.h>

namespace limpet::acts_test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ActPlannerTest : public ::testing::Test {
 protected:
  ActPlannerTest() {
    settings_.mode = ActionMode::kArmed;
    settings_.causes = {"disk-busy"};
    settings_.programs = {{"begin", {"/bin/a"}},
                          {"confirm", {"/bin/b"}},
                          {"answer", {"/bin/c"}},
                          {"end", {"/bin/d"}}};
    settings_.hold_down = 30min;
    settings_.trial = 1h;
    planner_.SetSettings(settings_);
    for (int i = 1; i <= 8; ++i) {
      const auto node = "io0" + std::to_string(i);
      view_.coverage.push_back({.group = "disks", .node = node, .enough = true});
      view_.judgements.servers.push_back({.node = node, .standing = Standing::kLikePeers});
    }
  }
  IncidentRecord Incident(int i) {
    IncidentRecord record;
    record.node = "io0" + std::to_string(i);
    record.id = "id" + std::to_string(i);
    record.cause = "disk-busy";
    record.indicted = true;
    record.named = begin_;
    record.last = now_;
    return record;
  }
  void Judge(int i, Standing standing) {
    view_.judgements.servers[static_cast<std::size_t>(i - 1)].standing = standing;
  }
  std::vector<Act> Update(std::vector<IncidentRecord> open,
                          std::vector<IncidentRecord> ended = {}) {
    for (const auto& one : open) {
      local_.insert(one.id);
    }
    return planner_.Update(open, ended,
                           {.now = now_,
                            .view = &view_,
                            .local = remote_ ? std::set<std::string>() : local_,
                            .answers = answers_,
                            .stopped = stopped_,
                            .probing = probing_,
                            .probed = probed_});
  }
  std::string Refusal(int i) {
    const auto acts = Update({Incident(i)});
    return acts.size() == 1 && acts[0].state == "refused" ? acts[0].reason : "none";
  }

  ActionSettings settings_;
  ActPlanner planner_;
  PipelineView view_;
  const UnixTime begin_ = UnixFromSeconds(1'000'000);
  UnixTime now_ = begin_;
  std::set<std::string> local_;
  std::map<std::string, std::string> answers_;
  bool remote_ = false;
  bool stopped_ = false;
  bool probing_ = false;
  std::map<std::string, ProbedState> probed_;
};

IncidentRecord OfDisk(IncidentRecord record) {
  record.since = record.named;
  record.document = R"({"family":"storage","component":")" + record.node + R"(/sdb"})";
  return record;
}

// A hog that sends too much is no disk's fault, and needs no reading of one.
TEST_F(ActPlannerTest, ADisksFaultIsActedUponOnceItsReadingIsSlow) {
  probing_ = true;
  const auto refused = [&] { return Update({OfDisk(Incident(3))}); };
  EXPECT_THAT(refused().at(0).reason, HasSubstr("io03/sdb has not been read yet"));
  probed_["io03/sdb"] = {.slow = true, .at = begin_ - 1min};
  EXPECT_THAT(refused(), IsEmpty());  // as before: told once
  probed_["io03/sdb"] = {.slow = false, .at = begin_};
  EXPECT_THAT(refused().at(0).reason, HasSubstr("io03/sdb answers as its peers' do"));
  probed_["io03/sdb"] = {.slow = true, .at = begin_};
  EXPECT_EQ(Update({OfDisk(Incident(3))}).at(0).state, "ordered");
}

TEST_F(ActPlannerTest, ItsServerReturnsOnceALaterReadingIsNot) {
  probing_ = true;
  probed_["io03/sdb"] = {.slow = true, .at = begin_};
  ASSERT_THAT(Update({OfDisk(Incident(3))}), SizeIs(1));
  EXPECT_THAT(Update({}, {OfDisk(Incident(3))}), IsEmpty());
  EXPECT_THAT(planner_.WantedProbes(), IsEmpty());
  now_ += 2h;
  EXPECT_THAT(Update({}), IsEmpty());
  EXPECT_THAT(planner_.WantedProbes(), ::testing::ElementsAre("io03/sdb"));
  probed_["io03/sdb"] = {.slow = true, .at = now_};
  EXPECT_THAT(Update({}), IsEmpty());
  // The same after a restart, which knows only what was done.
  ActPlanner other;
  other.SetSettings(settings_);
  other.Restore({{.incident = "id3",
                  .node = "io03",
                  .step = ActStep::kBegin,
                  .state = "done",
                  .at = begin_,
                  .document = OfDisk(Incident(3)).document}});
  planner_ = other;
  EXPECT_THAT(Update({}), IsEmpty());
  now_ += 2h;
  EXPECT_THAT(Update({}), IsEmpty());
  probed_["io03/sdb"] = {.slow = false, .at = now_};
  EXPECT_EQ(Update({}).at(0).step, ActStep::kEnd);
}

TEST_F(ActPlannerTest, BeginsConfirmsAndReleasesAfterATrial) {
  Judge(3, Standing::kLimps);
  auto acts = Update({Incident(3)});
  ASSERT_THAT(acts, SizeIs(1));
  EXPECT_EQ(acts[0].step, ActStep::kBegin);
  EXPECT_EQ(acts[0].state, "ordered");
  EXPECT_THAT(Update({Incident(3)}), IsEmpty());
  now_ += 10min;
  acts = Update({Incident(3)});
  ASSERT_THAT(acts, SizeIs(1));
  EXPECT_EQ(acts[0].step, ActStep::kConfirm);
  // Masked, or without load: not judged is no recovery, however long.
  Judge(3, Standing::kNotJudged);
  now_ += 5h;
  EXPECT_THAT(Update({}, {Incident(3)}), IsEmpty());
  Judge(3, Standing::kLikePeers);
  EXPECT_THAT(Update({}), IsEmpty());
  now_ += 59min;
  EXPECT_THAT(Update({}), IsEmpty());
  now_ += 1min;
  acts = Update({});
  ASSERT_THAT(acts, SizeIs(1));
  EXPECT_EQ(acts[0].step, ActStep::kEnd);
  now_ += 5h;
  EXPECT_THAT(Update({}), IsEmpty());
}

TEST_F(ActPlannerTest, ARelapseBeginsTheTrialAnew) {
  (void)Update({Incident(3)});
  (void)Update({}, {Incident(3)});
  now_ += 50min;
  Judge(3, Standing::kLimps);
  (void)Update({});
  Judge(3, Standing::kLikePeers);
  now_ += 20min;
  EXPECT_THAT(Update({}), IsEmpty());
}

TEST_F(ActPlannerTest, EveryGuardHasItsReason) {
  remote_ = true;
  EXPECT_THAT(Refusal(1), HasSubstr("not local"));
  remote_ = false;
  stopped_ = true;
  EXPECT_THAT(Refusal(2), HasSubstr("stop file"));
  stopped_ = false;
  answers_["id3"] = "scrub";
  EXPECT_THAT(Refusal(3), HasSubstr("answered: scrub"));
  EXPECT_EQ(Update({Incident(4)})[0].state, "ordered");
  EXPECT_THAT(Refusal(5), HasSubstr("max_at_once"));
  EXPECT_THAT(Update({Incident(5)}), IsEmpty());  // told once
}

TEST_F(ActPlannerTest, AGroupKeepsItsQuorum) {
  settings_.max_at_once = 9;
  settings_.max_per_day = 9;
  planner_.SetSettings(settings_);
  EXPECT_EQ(Update({Incident(1)})[0].state, "ordered");
  EXPECT_EQ(Update({Incident(2)})[0].state, "ordered");  // 6 of 8 are left
  EXPECT_THAT(Refusal(3), HasSubstr("of disks 5 compared servers would be left, 6 are wanted"));
  view_.coverage.clear();
  EXPECT_THAT(Refusal(4), HasSubstr("no peer group"));
}

TEST_F(ActPlannerTest, SoManyADayAndNoServerAgainAtOnce) {
  settings_.trial = 0s;
  settings_.max_per_day = 2;
  planner_.SetSettings(settings_);
  EXPECT_EQ(Update({Incident(1)})[0].state, "ordered");  // and released with the same call
  auto again = Incident(1);
  again.id = "later";
  const auto refused = Update({again});
  ASSERT_THAT(refused, SizeIs(1));
  EXPECT_THAT(refused[0].reason, HasSubstr("hold_down"));
  EXPECT_EQ(Update({Incident(2)})[0].state, "ordered");
  EXPECT_THAT(Refusal(3), HasSubstr("max_per_day"));
  now_ += 25h;
  EXPECT_EQ(Update({Incident(4)})[0].state, "ordered");
}

TEST_F(ActPlannerTest, WhatIsNotIndictedOrOfAnotherCauseIsLeftAlone) {
  auto incident = Incident(1);
  incident.cause = "behaviour";
  EXPECT_THAT(Update({incident}), IsEmpty());
  incident = Incident(1);
  incident.indicted = false;
  EXPECT_THAT(Update({incident}), IsEmpty());
  settings_.mode = ActionMode::kOff;
  planner_.SetSettings(settings_);
  EXPECT_THAT(Update({Incident(1)}), IsEmpty());
  settings_.mode = ActionMode::kDryRun;
  planner_.SetSettings(settings_);
  EXPECT_EQ(Update({Incident(1)})[0].state, "dry-run");
}

TEST_F(ActPlannerTest, AfterARestartItKnowsWhatIsOut) {
  const auto acts = Update({Incident(3)});
  ActPlanner next;
  next.SetSettings(settings_);
  next.Restore(acts);
  planner_ = std::move(next);
  EXPECT_THAT(Update({Incident(3)}), IsEmpty());
  EXPECT_THAT(Refusal(4), HasSubstr("max_at_once"));
}

TEST_F(ActPlannerTest, AnAnswerIsPassedOnOnce) {
  (void)Update({Incident(3)});
  answers_["id3"] = "fixed";
  const auto acts = Update({Incident(3)});
  ASSERT_THAT(acts, SizeIs(1));
  EXPECT_EQ(acts[0].step, ActStep::kAnswer);
  EXPECT_THAT(Update({Incident(3)}), IsEmpty());
}

// Otherwise it would be drained again with every restart of the diagnoser.
TEST_F(ActPlannerTest, AnAnswerIsPassedOnOnceOverARestartToo) {
  auto acts = Update({OfDisk(Incident(3))});
  answers_["id3"] = "fixed";
  acts.push_back(Update({OfDisk(Incident(3))}).at(0));
  ActPlanner next;
  next.SetSettings(settings_);
  next.Restore(acts);
  planner_ = std::move(next);
  EXPECT_THAT(Update({OfDisk(Incident(3))}), IsEmpty());
  answers_["id3"] = "known";
  EXPECT_THAT(Update({OfDisk(Incident(3))}), SizeIs(1));
}

TEST_F(ActPlannerTest, ARestartForgetsNoActOfTheDay) {
  settings_.programs.erase("begin");
  settings_.confirm_after = 0s;
  settings_.max_at_once = 9;
  settings_.max_per_day = 1;
  planner_.SetSettings(settings_);
  const auto acts = Update({Incident(3)});
  ASSERT_THAT(acts, SizeIs(1));
  EXPECT_EQ(acts[0].step, ActStep::kConfirm);
  ActPlanner next;
  next.SetSettings(settings_);
  next.Restore(acts);
  planner_ = std::move(next);
  EXPECT_THAT(Refusal(4), HasSubstr("max_per_day"));
}

// The worst window of an incident may name another disk of the server by then.
TEST_F(ActPlannerTest, WhatWasTakenOutIsWhatReturns) {
  auto incident = OfDisk(Incident(3));
  const auto taken = incident.document;
  EXPECT_EQ(Update({incident}).at(0).document, taken);
  incident.document = R"({"family":"storage","component":"io03/sdc"})";
  now_ += 10min;
  incident.last = now_;
  EXPECT_EQ(Update({incident}).at(0).document, taken);
  EXPECT_THAT(Update({}, {incident}), IsEmpty());
  now_ += 2h;
  EXPECT_EQ(Update({}).at(0).document, taken);
}

TEST_F(ActPlannerTest, ADiskThatStandsBehindItsServersEvidenceIsReadToo) {
  probing_ = true;
  auto incident = Incident(3);
  incident.document = R"({"family":"storage","component":"io03","evidence":[)"
                      R"({"component":"io03"},7,{"component":"io03/sdb"}]})";
  EXPECT_THAT(Update({incident}).at(0).reason, HasSubstr("io03/sdb has not been read yet"));
  incident = Incident(4);
  incident.document = R"({"family":"network","component":"io04","evidence":[)"
                      R"({"component":"io04/sdb"}]})";
  EXPECT_EQ(Update({incident}).at(0).state, "ordered");
}

// Numbers of a reason may be others with every window, for months.
TEST_F(ActPlannerTest, ReasonsThatChangeWithoutEndAreNotKeptWithoutEnd) {
  std::size_t kept = 0;
  for (int i = 0; i < 1000; ++i) {
    stopped_ = i % 2 == 0;
    remote_ = !stopped_;
    for (const auto& act : Update({OfDisk(Incident(3))})) {
      ++kept;
      EXPECT_EQ(act.document, "");
    }
  }
  EXPECT_EQ(kept, 50U);
  remote_ = stopped_ = false;
  EXPECT_EQ(Update({OfDisk(Incident(3))}).at(0).state, "ordered");
}

// A server that was taken away for good must not keep the place of another one for ever.
TEST_F(ActPlannerTest, AServerThatIsNoTargetForADayIsNotCounted) {
  ASSERT_THAT(Update({Incident(3)}), SizeIs(1));
  auto& servers = view_.judgements.servers;
  servers.erase(servers.begin() + 2);
  EXPECT_THAT(Refusal(4), HasSubstr("max_at_once"));
  now_ += 25h;
  (void)Update({});
  EXPECT_EQ(Update({Incident(4)}).at(0).state, "ordered");
}

}  // namespace
}  // namespace limpet::acts_test
