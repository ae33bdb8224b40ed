// Facts on the pages of six servers, of which io1 has a slow disk: they stand beside its verdict
// and change nothing else.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/events.h"
#include "tests/support/disk_pages.h"

namespace limpet::facts_test {
namespace {

using testing::DiskPage;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IngestPage;
using ::testing::Not;

constexpr std::int64_t kStart = 1'700'000'000;

std::string FactLines(const std::string& node, int second) {
  const bool is_sick = node == "io1";
  std::string page = is_sick ? "limpet_disk_settings_info{device=\"sda\",scheduler=\"bfq\"} 1\n"
                               "limpet_md_state{device=\"md0\",state=\"check\"} 1\n"
                             : "limpet_disk_settings_info{device=\"sda\",scheduler=\"none\"} 1\n"
                               "limpet_md_state{device=\"md0\",state=\"active\"} 1\n";
  page += "node_uname_info{nodename=\"" + node + "\",release=\"" + (is_sick ? "6.1" : "5.10") +
          "\"} 1\n";
  page += "limpet_disk_errors_total{device=\"sda\",kind=\"timeout\"} " +
          std::to_string(is_sick ? second / 60 : 0) + "\n";
  return page;
}

struct Said {
  std::vector<Fact> facts;  // of the last verdict about io1
  std::string lines;        // of all events, without their facts
  PipelineView view;
};

// `every` so many seconds a page has facts; 0: never.
Said Watch(int every) {
  PipelineConfig config;
  config.presets = {DefaultPreset()};
  config.groups = {{.name = "disks"}};
  Pipeline pipeline(config);
  Said said;
  for (int second = 0; second < 240; ++second) {
    const auto at = UnixFromSeconds(kStart + second);
    for (int i = 1; i <= 6; ++i) {
      const auto node = "io" + std::to_string(i);
      auto page = DiskPage(second, i == 1 ? 60 : 10);
      if (every != 0 && second % every == 0) {
        page += FactLines(node, second);
      }
      EXPECT_TRUE(IngestPage(pipeline, node, at, page));
    }
    for (auto& event : pipeline.Advance(at)) {
      if (auto* verdict = std::get_if<VerdictEvent>(&event)) {
        said.facts = verdict->facts;
        verdict->facts.clear();
      }
      said.lines += ToJsonLine(event);
    }
  }
  said.view = pipeline.View();
  return said;
}

TEST(Facts, StandBesideAVerdictAndChangeNothingElse) {
  const auto with = Watch(1);
  const auto without = Watch(0);
  EXPECT_THAT(without.lines, HasSubstr(R"("node":"io1")"));
  EXPECT_EQ(with.lines, without.lines);
  EXPECT_TRUE(without.facts.empty());
  std::vector<std::string> texts;
  for (const auto& fact : with.facts) {
    texts.push_back(fact.text);
  }
  EXPECT_THAT(texts, ElementsAre(HasSubstr("sda let 3 commands time out in the last"),
                                 "a RAID check is running on md0",
                                 "the I/O scheduler of sda is bfq, its peers' none (5 of 5)",
                                 "it runs Linux 6.1, its peers 5.10 (5 of 5)"));
  ASSERT_EQ(with.view.verdicts.size(), 1U);
  EXPECT_EQ(with.view.verdicts[0].facts, with.facts);
}

// As in recordings.
TEST(Facts, ThatComeOnceAMinuteAreTheSame) {
  const auto often = Watch(1);
  const auto seldom = Watch(60);
  EXPECT_EQ(seldom.lines, often.lines);
  ASSERT_FALSE(seldom.facts.empty());
  ASSERT_EQ(seldom.facts.size(), often.facts.size());
  for (std::size_t i = 0; i < seldom.facts.size(); ++i) {
    EXPECT_EQ(seldom.facts[i].fact, often.facts[i].fact);
    EXPECT_EQ(seldom.facts[i].detail, often.facts[i].detail);
  }
}

TEST(Facts, AreAKeyOfTheEventOnlyWhereThereAreAny) {
  VerdictEvent verdict{.node = "io1"};
  EXPECT_THAT(ToJsonLine(verdict), Not(HasSubstr("facts")));
  verdict.facts = {{.fact = "raid-check", .device = "md0", .text = "t", .next = "n"}};
  EXPECT_THAT(ToJsonLine(verdict),
              HasSubstr(R"("facts":[{"fact":"raid-check","device":"md0","detail":"","text":"t",)"
                        R"("next_step":"n"}])"));
}

// A page that has nothing but facts makes neither components nor windows.
TEST(Facts, AloneAreNobody) {
  PipelineConfig config;
  config.presets = {DefaultPreset()};
  config.groups = {{.name = "disks"}};
  Pipeline pipeline(config);
  const auto at = UnixFromSeconds(kStart);
  const auto stats = IngestPage(pipeline, "io1", at, FactLines("io1", 0));
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->mapped, 0U);
  EXPECT_EQ(stats->first, std::nullopt);
  EXPECT_TRUE(pipeline.View().components.empty());
}

// Twelve servers with two disks each; four disks of two servers hang in enclosure e2.
TEST(SharedParts, OfSeveralVerdictsAreNamedByTheirLabels) {
  PipelineConfig config;
  config.presets = {DefaultPreset()};
  config.groups = {{.name = "disks"}};
  Pipeline pipeline(config);
  for (int second = 0; second < 240; ++second) {
    const auto at = UnixFromSeconds(kStart + second);
    for (int i = 0; i < 12; ++i) {
      const auto node = "io" + std::to_string(i);
      const std::vector<std::pair<std::string, std::string>> labels = {
          {"enclosure", "e" + std::to_string(i / 2)}};
      const double await = i / 2 == 2 ? 80 : 10;
      const auto page = DiskPage(second, await, "sda") + DiskPage(second, await, "sdb");
      EXPECT_TRUE(pipeline.Ingest(
          {.source = node, .node = node, .role = "io", .labels = labels, .at = at, .text = page}));
    }
    (void)pipeline.Advance(at);
  }
  const auto view = pipeline.View();
  ASSERT_EQ(view.shared_parts.size(), 1U) << view.verdicts.size();
  EXPECT_EQ(view.shared_parts[0].kind, "enclosure");
  EXPECT_EQ(view.shared_parts[0].name, "e2");
  EXPECT_THAT(view.shared_parts[0].flagged,
              ElementsAre("io4/sda", "io4/sdb", "io5/sda", "io5/sdb"));
  EXPECT_EQ(view.shared_parts[0].members, 4U);
}

}  // namespace
}  // namespace limpet::facts_test
