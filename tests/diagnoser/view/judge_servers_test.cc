#include "diagnoser/view/judge_servers.h"

#include <gmock/gmock.h>

#include <map>
#include <utility>

#include "tests/support/live_cluster.h"

namespace limpet::judge_servers_test {
namespace {

using ::testing::HasSubstr;
using testing::LiveCluster;
using testing::LivePreset;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr UnixTime kNow = UnixFromSeconds(1'700'000'000);

PresetSettings Quick() {
  auto preset = LivePreset();
  preset.name = "quick";
  return preset;
}

// Four servers, all of whose disks have been compared for long enough.
struct Fleet {
  Fleet() {
    view.presets = {{.preset = "quick", .first_verdict = kNow - 60s}};
    view.last_reading = kNow;
    view.groups = {
        {.preset = "quick", .group = "disks", .window_end = kNow - 2s, .taking_part = 4}};
    for (const std::string node : {"a", "b", "c", "d"}) {
      view.nodes.push_back({.preset = "quick", .node = node, .luns = {}});
      view.coverage.push_back({.preset = "quick",
                               .group = "disks",
                               .node = node,
                               .compared = kNow - 2s,
                               .enough = true});
      known.push_back({.node = node, .up = true, .error = {}});
    }
  }
  CoverageStatus& Of(std::size_t number) { return view.coverage[number]; }
  [[nodiscard]] Judgements Judge(std::optional<Duration> step = std::nullopt) const {
    return JudgeServers({.view = &view,
                         .presets = presets,
                         .lateness = 1s,
                         .now = kNow,
                         .known = known,
                         .data_step = step});
  }
  [[nodiscard]] ServerJudgement Judge(const std::string& node) const {
    const auto all = Judge();
    const auto* const found = all.Find(node);
    return found == nullptr ? ServerJudgement() : *found;
  }

  PipelineView view;
  std::vector<KnownServer> known;
  std::vector<PresetSettings> presets = {Quick()};
};

TEST(JudgeServers, ComparedOfLateAndWithoutAVerdictIsLikeItsPeers) {
  const auto all = Fleet().Judge();
  EXPECT_EQ(all.like_peers, 4U);
  EXPECT_EQ(all.not_judged + all.limping + all.outside, 0U);
  EXPECT_EQ(all.text, "4 of 4 servers are judged");
  EXPECT_EQ(all.Find("a")->text, "like its peers");
  EXPECT_EQ(all.Find("e"), nullptr);
}

TEST(JudgeServers, AVerdictLimpsWhetherWindowsComeOrNot) {
  Fleet fleet;
  fleet.view.nodes[1].cause = Cause::kDiskBusy;
  fleet.view.nodes[1].indicted = true;
  fleet.view.nodes[2].cause = Cause::kDiskBusy;
  EXPECT_EQ(fleet.Judge("b").text, "limps: disk-busy");
  EXPECT_EQ(fleet.Judge("c").text, "differs, too: disk-busy");
  EXPECT_EQ(fleet.Judge().limping, 2U);
}

TEST(JudgeServers, AnIndictmentThatIsUnknownIsNoJudgement) {
  Fleet fleet;
  fleet.view.nodes[1].cause = Cause::kDiskBusy;
  fleet.view.nodes[1].indicted = fleet.view.nodes[1].unknown = true;
  EXPECT_EQ(fleet.Judge("b").reason, NotJudged::kTooEarly);
  fleet.Of(1).compared = std::nullopt;
  EXPECT_EQ(fleet.Judge("b").standing, Standing::kNotJudged);
}

TEST(JudgeServers, GreenNeedsAWindowWithinTheLastTwoShifts) {
  Fleet fleet;
  const auto horizon = Horizon(Quick(), 1s);
  EXPECT_EQ(horizon, 10s + 5s + 1s);
  fleet.Of(0).compared = kNow - horizon;
  EXPECT_EQ(fleet.Judge("a").standing, Standing::kLikePeers);
  fleet.Of(0).compared = kNow - horizon - 1ns;
  EXPECT_EQ(fleet.Judge("a").reason, NotJudged::kNoWindow);
  EXPECT_THAT(fleet.Judge("a").text, HasSubstr("has compared it since 2023-11-14T22:13:03"));
}

TEST(JudgeServers, EveryPeerGroupOfAServerMustHaveComparedIt) {
  Fleet fleet;
  fleet.view.groups.push_back({.preset = "quick", .group = "net", .taking_part = 3});
  for (const std::string node : {"a", "b", "c"}) {
    fleet.view.coverage.push_back(
        {.preset = "quick", .group = "net", .node = node, .compared = kNow - 1s, .enough = true});
  }
  EXPECT_EQ(fleet.Judge().like_peers, 4U);
  fleet.view.coverage.back().compared = std::nullopt;
  EXPECT_EQ(fleet.Judge("c").standing, Standing::kNotJudged);
  EXPECT_THAT(fleet.Judge("c").text, HasSubstr("peer group net"));
  // Idle connections, and disks that have just come, leave the others' judgement alone.
  fleet.view.coverage.back().minor = true;
  EXPECT_EQ(fleet.Judge("c").standing, Standing::kLikePeers);
}

TEST(JudgeServers, TargetsThatDoNotAnswerAreNotJudged) {
  Fleet fleet;
  fleet.known[3].up = false;
  fleet.known[3].error = "connection refused";
  EXPECT_EQ(fleet.Judge("d").reason, NotJudged::kNoAnswer);
  EXPECT_EQ(fleet.Judge("d").text, "not judged: no page of it: connection refused");
  EXPECT_EQ(fleet.Judge().text, "3 of 4 servers are judged; 1 not: no answer (d)");
  for (auto& one : fleet.known) {
    one.up = false;
  }
  EXPECT_EQ(fleet.Judge().text, "no server is judged: 0 of 4 targets answer");
}

TEST(JudgeServers, MaskedOutsideAndUnaskedServersSaySo) {
  Fleet fleet;
  fleet.view.coverage.pop_back();
  EXPECT_EQ(fleet.Judge("d").reason, NotJudged::kNoGroup);
  EXPECT_EQ(fleet.Judge().outside, 1U);  // no fault: clients are scraped, too
  EXPECT_EQ(fleet.Judge().text, "3 of 3 servers are judged");
  fleet.view.masked = {"d"};
  EXPECT_EQ(fleet.Judge("d").text, "not judged: masked");
  fleet.view.masked = {"d/sda"};
  EXPECT_EQ(fleet.Judge("d").text, "not judged: masked");
  fleet.view.masked = {"a/sdb"};  // the rest of it is still compared
  EXPECT_EQ(fleet.Judge("a").standing, Standing::kLikePeers);
  fleet.known[3].up = std::nullopt;
  EXPECT_EQ(fleet.Judge("d").reason, NotJudged::kNoReadings);
}

TEST(JudgeServers, TwoServersAreTooFewHoweverManyDisksTheyHave) {
  Fleet fleet;
  fleet.view.coverage.resize(2);
  fleet.view.groups[0].taking_part = 4;
  for (auto& one : fleet.view.coverage) {
    one.compared = std::nullopt;
    one.enough = false;
  }
  EXPECT_EQ(fleet.Judge("a").text,
            "not judged: fewer than three servers of peer group disks can be compared");
  fleet.view.groups[0].per_node = true;  // there disks are compared with those beside them
  EXPECT_EQ(fleet.Judge("a").reason, NotJudged::kNoWindow);
}

TEST(JudgeServers, AGroupInTwoIsNotJudged) {
  Fleet fleet;
  StormEvent storm{.end = kNow, .preset = "quick", .group = "disks", .metric = "await", .n = 8};
  storm.flagged = 4;
  fleet.view.storms = {storm};
  EXPECT_EQ(fleet.Judge().like_peers, 4U) << "a storm alone names culprits";
  fleet.view.storms[0].either_side = true;
  EXPECT_EQ(fleet.Judge("a").reason, NotJudged::kTwoKinds);
  EXPECT_EQ(fleet.Judge().text,
            "no server is judged: peer group disks is in two by await: 4 of 8 components differ "
            "from the others");
  // Which half is slow is known: only that half may be sick.
  fleet.view.storms[0].either_side = false;
  fleet.view.storms[0].half = true;
  fleet.view.storms[0].flagged = 2;
  fleet.view.storms[0].components = {"a/sda", "b/sda"};
  EXPECT_EQ(fleet.Judge("b").reason, NotJudged::kTwoKinds);
  EXPECT_EQ(fleet.Judge("c").standing, Standing::kLikePeers);
}

TEST(JudgeServers, BeforeEnoughWindowsItSaysWhenAVerdictIsPossible) {
  Fleet fleet;
  for (auto& one : fleet.view.coverage) {
    one.compared = std::nullopt;
    one.enough = false;
  }
  fleet.view.presets[0].first_verdict = kNow + 1800s;
  EXPECT_EQ(fleet.Judge().text,
            "no server is judged: first verdict possible at 2023-11-14T22:43:20Z");
  EXPECT_EQ(fleet.Judge("a").possible, kNow + 1800s);
  EXPECT_EQ(fleet.Judge("a").reason, NotJudged::kTooEarly);
  // One that came later than the others.
  fleet.view.presets[0].first_verdict = kNow - 60s;
  fleet.Of(0).compared = kNow - 2s;
  fleet.Of(0).possible = kNow + 3s;
  EXPECT_EQ(fleet.Judge("a").possible, kNow + 3s);
}

TEST(JudgeServers, ReadingsThatAreTooFarApartAreToldByTheirStep) {
  Fleet fleet;
  for (auto& one : fleet.view.coverage) {
    one.compared = std::nullopt;
    one.enough = false;
  }
  EXPECT_EQ(fleet.Judge(60s).text,
            "no server is judged: step 60 s: preset quick wants readings at most 5 s apart");
}

TEST(JudgeServers, WithoutServersItSaysWhy) {
  const PipelineView none;
  EXPECT_EQ(JudgeServers({.view = &none, .presets = {}, .now = kNow, .known = {}}).text,
            "no server is judged: no reading has come yet");
}

// The promise is kept: nobody is green before a verdict is possible, and it is possible then.
TEST(JudgeServers, TheFirstVerdictComesWhenItWasSaidToBePossible) {
  LiveCluster cluster;
  const std::vector<PresetSettings> presets = {LivePreset()};
  std::optional<UnixTime> promised;
  for (int second = 0; second < 60; ++second) {
    cluster.Step(80);
    const auto view = cluster.Data().View();
    const auto all =
        JudgeServers({.view = &view, .presets = presets, .now = cluster.Now(), .known = {}});
    if (const auto* const one = all.Find("io03"); one != nullptr && one->possible) {
      promised = one->possible;
    }
    if (!view.verdicts.empty()) {
      EXPECT_EQ(view.verdicts[0].end, promised);
      EXPECT_EQ(all.Find("io01")->standing, Standing::kLikePeers);
      EXPECT_EQ(all.Find("io03")->standing, Standing::kLimps);
      return;
    }
    for (const auto& one : all.servers) {
      EXPECT_EQ(one.standing, Standing::kNotJudged) << one.node << " after " << second << " s";
    }
  }
  FAIL() << "no verdict";
}

}  // namespace
}  // namespace limpet::judge_servers_test
