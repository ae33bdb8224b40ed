#include "diagnoser/config/settings.h"

#include <gmock/gmock.h>

#include <map>
#include <utility>
#include <vector>

#include "diagnoser/detect/default_presets.h"

namespace limpet::settings_test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;

using Files = std::map<std::string, std::string>;

Result<DiagnoserSettings> Parse(std::string_view text, const Files& files = {},
                                ConfigUse use = ConfigUse::kDiagnose) {
  const auto read = [&](const std::string& path) -> Result<std::string> {
    const auto file = files.find(path);
    return file == files.end()
               ? Result<std::string>(Error{ErrorCode::kNotFound, "No such file or directory", path})
               : file->second;
  };
  return ParseSettings(text, "d.yml", read, use);
}

// Of a text without problems.
DiagnoserSettings Read(std::string_view text, const Files& files = {}) {
  auto settings = Parse(text, files);
  EXPECT_TRUE(settings) << settings.error().Text();
  return settings ? *std::move(settings) : DiagnoserSettings{};
}

// One a line; "ok" when there are none.
std::string Problems(std::string_view text, const Files& files = {}) {
  const auto settings = Parse(text, files);
  return settings ? "ok" : settings.error().Text();
}

std::string NameOfPreset(std::string_view text) {
  const auto settings = Read(text);
  return settings.presets.empty() ? "none" : settings.presets[0].name;
}

TEST(ParseSettings, RecordingsChooseThePresetThatNobodyChose) {
  const auto read = [](const std::string& path) -> Result<std::string> {
    return Error{ErrorCode::kNotFound, "none", path};
  };
  const auto preset = [&](std::string_view text, Duration step) {
    return ParseSettings(text, "d.yml", read, ConfigUse::kDiagnose, step)->presets.at(0);
  };
  EXPECT_EQ(preset("", 15s), SlowDefaultPreset());
  EXPECT_EQ(preset("", 1s), DefaultPreset());
  EXPECT_EQ(preset("targets: [{address: a}]", 15s).name, "default-15s");
  EXPECT_EQ(preset("preset: bare", 15s).name, "bare");
  EXPECT_EQ(preset("presets: [{base: production}]", 1s).name, "production");
  // What was measured at 1 s alone is left out by itself, unless it is asked for by name.
  constexpr auto kShipped = "presets: [{scatter: residuals, scales: [{name: fast}]}]";
  EXPECT_EQ(preset(kShipped, 15s).scatter, Scatter::kOwn);
  EXPECT_EQ(preset(kShipped, 1s).scatter, Scatter::kResiduals);
  EXPECT_EQ(preset("presets: [{base: default-15s, scatter: residuals}]", 15s).scatter,
            Scatter::kResiduals);
}

TEST(ParseSettings, AnEmptyFileHasTheDefaults) {
  const auto settings = Read("");
  EXPECT_THAT(settings.fixed_targets, IsEmpty());
  EXPECT_THAT(settings.groups, IsEmpty());
  EXPECT_EQ(settings.presets, DefaultPresets());
  EXPECT_FALSE(settings.store);
  EXPECT_FALSE(settings.sharded);
  EXPECT_FALSE(settings.fixed_lateness);
  EXPECT_EQ(settings.publish.detail, Detail::kAuto);
  EXPECT_EQ(settings.publish.top, 20U);
  EXPECT_EQ(settings.history, HistorySettings());
  EXPECT_EQ(settings.events.file, "");
  EXPECT_FALSE(settings.events.windows);
  EXPECT_EQ(settings.state_interval, 10s);
  EXPECT_EQ(settings.log_level, LogLevel::kInfo);
}

TEST(ParseSettings, EverySectionIsRead) {
  const auto settings = Read(
      "targets: [{address: io01}, {file_sd: {files: [a.json]}}]\n"
      "peer_groups: [{name: luns, kind: storage}]\n"
      "preset: testbench\n"
      "publish: {detail: top, top: 5, history: {duration: 30m, max_bytes: 5MiB}}\n"
      "events: {file: stderr, windows: true}\n"
      "state: {interval: 5s}\n"
      "log: {level: debug}\n"
      "lateness: 500ms\n"
      "addresses: {10.0.0.1: io01}\n");
  EXPECT_THAT(settings.fixed_targets, SizeIs(1));
  EXPECT_THAT(settings.discovery, SizeIs(1));
  EXPECT_THAT(settings.groups, SizeIs(1));
  EXPECT_THAT(settings.presets, ElementsAre(TestbenchPreset()));
  EXPECT_EQ(settings.publish.detail, Detail::kTop);
  EXPECT_EQ(settings.publish.top, 5U);
  EXPECT_EQ(settings.history.duration, std::chrono::minutes(30));
  EXPECT_EQ(settings.history.max_bytes, 5U << 20U);
  EXPECT_EQ(settings.events.file, "stderr");
  EXPECT_TRUE(settings.events.windows);
  EXPECT_EQ(settings.state_interval, 5s);
  EXPECT_EQ(settings.log_level, LogLevel::kDebug);
  EXPECT_EQ(settings.fixed_lateness, 500ms);
  EXPECT_THAT(settings.addresses, ElementsAre(Pair("10.0.0.1", "io01")));
}

TEST(ParseSettings, AFileThatIsNoYamlIsRefusedAsAWhole) {
  EXPECT_THAT(Problems("targets: [\n"), StartsWith("d.yml:"));
}

TEST(ParseSettings, EveryProblemIsReportedWithItsPlace) {
  const auto problems = Problems(
      "targts: []\n"
      "scrape:\n"
      "  interval: fast\n"
      "targets:\n"
      "  - address: http://io01\n"
      "  - addres: io02\n"
      "peer_groups:\n"
      "  - name: a\n"
      "    kind: disk\n"
      "    device: '('\n"
      "preset: best\n");
  for (const auto* expected :
       {"d.yml:1: targts: unknown key",
        "d.yml:3: scrape.interval: expected a duration such as 1s or 500ms, got \"fast\"",
        "d.yml:5: targets[0].address: expected an address such as io01:9836",
        "d.yml:6: targets[1].addres: unknown key",
        "d.yml:6: targets[1].address: expected an address",
        "d.yml:9: peer_groups[0].kind: expected one of storage network cwnd, got \"disk\"",
        "d.yml:10: peer_groups[0].device: expected a regular expression",
        "d.yml:11: preset: expected one of default default-15s bare bare-15s testbench "
        "production"}) {
    EXPECT_THAT(problems, HasSubstr(expected));
  }
}

TEST(ParseSettings, SmallSectionsSayWhatTheyExpect) {
  EXPECT_EQ(Problems("publish: {detail: some}\n"),
            "d.yml:1: publish.detail: expected one of auto all flagged top, got \"some\"");
  for (const auto* bytes : {"1", "1MB", "-1MiB", "MiB", "99999999999999GiB"}) {
    EXPECT_THAT(Problems("publish: {history: {max_bytes: \"" + std::string(bytes) + "\"}}\n"),
                HasSubstr("publish.history.max_bytes: expected at least 1MiB"))
        << bytes;
  }
  EXPECT_THAT(Problems("publish: {top: 0}\n"), HasSubstr("a whole number from 1 to 100000"));
  EXPECT_THAT(Problems("events: {windows: 1}\n"), HasSubstr("expected true or false"));
  EXPECT_THAT(Problems("state: {interval: 99ms}\n"), HasSubstr("a duration of at least 0.1s"));
  EXPECT_THAT(Problems("log: {level: loud}\n"),
              HasSubstr("expected one of debug info warning error"));
  EXPECT_THAT(Problems("lateness: soon\n"), HasSubstr("lateness: expected a duration"));
  for (const auto* section : {"publish", "events", "state", "log", "shard"}) {
    EXPECT_THAT(Problems(std::string(section) + ": {zz: 1}\n"),
                HasSubstr(std::string(section) + ".zz: unknown key"));
  }
}

TEST(ParseSettings, SlowScrapesGetTheSlowDefault) {
  EXPECT_EQ(NameOfPreset("scrape: {interval: 5s}\ntargets: [{address: a}]\n"), "default-5s");
  EXPECT_EQ(NameOfPreset("scrape: {interval: 2s}\ntargets: [{address: a}]\n"), "default");
  EXPECT_EQ(NameOfPreset("scrape: {interval: 1m}\ntargets: [{address: a}]\n"), "default-60s");
  EXPECT_EQ(NameOfPreset("scrape: {interval: 15s}\ntargets: [{address: a}]\n"), "default-15s");
  // Nobody is scraped that slowly.
  EXPECT_EQ(NameOfPreset("scrape: {interval: 15s}\n"), "default");
}

TEST(ParseSettings, APresetWithoutABaseOverridesWhatWouldBeUsedWithoutIt) {
  const std::string presets = "presets: [{rho: 5, scales: []}]\n";
  auto expected = DefaultPreset();
  expected.rho = 5;
  EXPECT_THAT(Read(presets + "targets: [{address: a}]\n").presets, ElementsAre(expected));
  EXPECT_EQ(NameOfPreset(presets + "targets: [{address: a, interval: 15s}]\n"), "default-15s");
}

TEST(ParseSettings, NoScrapeIsSlowerThanThePresetBears) {
  EXPECT_THAT(Problems("preset: bare\nscrape: {interval: 15s}\ntargets: [{address: a}]\n"),
              AllOf(StartsWith("d.yml:3: targets: preset bare wants scrapes at most 5000 ms "
                               "apart, got an interval of 15000 ms"),
                    EndsWith("or leave presets out: what fits is chosen then")));
  EXPECT_EQ(Problems("presets: [{base: default, max_gap: 15s}]\n"
                     "targets: [{address: a, interval: 15s}]\n"),
            "ok");
  EXPECT_THAT(Problems("source: prometheus\npreset: production\n"
                       "prometheus: {url: \"http://a\", step: 1m}\n"),
              HasSubstr("prometheus.step: preset production wants scrapes at most 37500 ms apart"));
  EXPECT_EQ(NameOfPreset("source: prometheus\nprometheus: {url: \"http://a\", step: 1m}\n"),
            "default-60s");
}

// 5 s and some milliseconds, or one scrape left out, are no gap.
TEST(ParseSettings, OneScrapeMayBeMissing) {
  const auto gap = [](const std::string& text) {
    return Read(text + "targets: [{address: a, interval: 5s}]\n").presets.at(0).MaxGap();
  };
  EXPECT_EQ(gap(""), 12'500ms);
  EXPECT_EQ(gap("preset: bare\n"), 12'500ms);
  EXPECT_EQ(gap("presets: [{base: bare, max_gap: 6s}]\n"), 6s);
}

TEST(ParseSettings, ListsAreHeldToTheShortestGapOfThePresets) {
  const auto settings = Read(
      "targets: [{file_sd: {files: [a.json]}}]\n"
      "presets: [{base: default, max_gap: 9s}, {name: b, base: default, max_gap: 7s}]\n");
  EXPECT_EQ(settings.discovery.at(0).base.longest_interval, 7s);
}

TEST(ParseSettings, AShardHasIndexAndCount) {
  const auto settings = Read("shard: {index: 1, count: 4}\n");
  EXPECT_TRUE(settings.sharded);
  EXPECT_EQ(settings.shard.index, 1U);
  EXPECT_EQ(settings.shard.count, 4U);
  EXPECT_TRUE(Read("shard: {index: 0, count: 1}\n").sharded);  // be it the only one
  EXPECT_EQ(Problems("shard: {count: 2}\n"),
            "d.yml:1: shard.index: expected both, such as {index: 0, count: 4}");
  EXPECT_THAT(Problems("shard: {index: 0}\n"), HasSubstr("shard.count: expected both"));
  EXPECT_EQ(Problems("shard: {index: 2, count: 2}\n"),
            "d.yml:1: shard.index: expected 0 to 1, got 2");
}

TEST(ParseSettings, NoShardIsBeyondTheSetsOfTheFilesGroups) {
  const std::string racks =
      "peer_groups:\n"
      "  - {name: d1, kind: storage, labels: {rack: r1}}\n"
      "  - {name: d2, kind: storage, labels: {rack: r2}}\n";
  EXPECT_EQ(Problems(racks + "shard: {index: 1, count: 3}\n"), "ok");
  EXPECT_THAT(Problems(racks + "shard: {index: 2, count: 3}\n"),
              StartsWith("d.yml:4: shard.count: there are 2 sets of peer groups that share no "
                         "server, so shard 2 has none; expected a count of at most 2"));
  // Roles may come while we run.
  EXPECT_EQ(Problems("targets: [{address: a}]\nshard: {index: 2, count: 3}\n"), "ok");
}

TEST(ParseSettings, MasksComeFromTheConfigurationAndFromAFile) {
  const auto settings = Read("masked: [io07]\nmasked_file: m\n", {{"m", "io08/sdc  # a swap\n"}});
  EXPECT_THAT(settings.masked, ElementsAre("io07"));
  EXPECT_EQ(settings.masked_file, "m");
  EXPECT_THAT(settings.masks_of_file, ElementsAre("io08/sdc"));
}

TEST(ParseSettings, MasksMayHaveTimes) {
  const auto settings =
      Read("masked: [io07, {node: io03/sdb, from: \"02:00\", to: \"5:30\", days: [sun, sat]}]\n");
  EXPECT_THAT(settings.masked, ElementsAre("io07"));
  ASSERT_EQ(settings.timed_masks.size(), 1U);
  EXPECT_EQ(settings.timed_masks[0],
            (TimedMask{.what = "io03/sdb", .from = 120, .to = 330, .days = 0b100'0001}));
  const auto daily = Read("masked: [{node: io03, from: \"23:00\", to: \"01:00\"}]\n");
  EXPECT_TRUE(daily.timed_masks.at(0).days.all());
}

TEST(ParseSettings, TimesOfMasksThatAreNoneAreProblems) {
  EXPECT_THAT(Problems("masked: [{from: \"02:00\", to: \"05:00\"}]\n"),
              StartsWith("d.yml:1: masked[0].node: expected node or node/device"));
  EXPECT_THAT(Problems("masked: [{node: io03, from: \"25:00\", to: \"05:00\"}]\n"),
              StartsWith("d.yml:1: masked[0].from: expected a time of the day in UTC"));
  EXPECT_THAT(Problems("masked: [{node: io03, from: \"02:00\"}]\n"),
              StartsWith("d.yml:1: masked[0].to: expected a time of the day in UTC"));
  EXPECT_THAT(Problems("masked: [{node: io03, from: \"02:00\", to: \"02:00\"}]\n"),
              StartsWith("d.yml:1: masked[0].to: expected another time than from"));
  EXPECT_THAT(
      Problems("masked: [{node: io03, from: \"02:00\", to: \"05:00\", days: [sunday]}]\n"),
      StartsWith("d.yml:1: masked[0].days: expected days such as [sat, sun], got \"sunday\""));
  EXPECT_THAT(Problems("masked: [{node: io03, from: \"02:00\", to: \"05:00\", at: x}]\n"),
              StartsWith("d.yml:1: masked[0].at"));
  EXPECT_THAT(Problems("masked: [[io03]]\n"),
              StartsWith("d.yml:1: masked: expected a list of texts or maps"));
}

TEST(ParseSettings, AFileOfMasksThatCannotBeReadIsAProblem) {
  EXPECT_THAT(Problems("masked_file: m\n", {{"m", "what is this\n"}}),
              StartsWith("d.yml:1: masked_file: m:1: expected one node"));
  EXPECT_EQ(
      Problems("masked_file: m\n"),
      "d.yml:1: masked_file: m: No such file or directory; create it, even if nobody is masked "
      "now");
}

TEST(ParseSettings, WithAStoreNobodyElseIsATarget) {
  const std::string store = "source: prometheus\nprometheus: {url: \"http://a\"}\n";
  EXPECT_TRUE(Read(store).store);
  EXPECT_EQ(NameOfPreset(store), "default-15s");
  for (const auto* targets :
       {"targets: [{address: io01}]\n", "targets: [{file_sd: {files: [a.json]}}]\n"}) {
    EXPECT_EQ(
        Problems(store + targets),
        "d.yml:3: targets: with source: prometheus the nodes are those of the store; expected "
        "none");
  }
}

TEST(ParseSettings, ProfilesWantEverySecondAndKnownRoles) {
  const Files files = {{"m.yml",
                        "version: 1\nmetrics: [user]\nsigma: [1]\n"
                        "profiles: [{mean: [1], covariance: [[1]]}]\nthreshold: 0.3\n"}};
  const std::string store = "source: prometheus\nprometheus: {url: \"http://a\"}\n";
  EXPECT_THAT(Problems(store + "profiles: {model: m.yml}\n", files),
              StartsWith("d.yml:3: profiles: behaviour profiles want every second of a node"));
  const std::string list = "targets: [{file_sd: {files: [a.json]}}]\n";
  EXPECT_THAT(Problems(list + "profiles: {model: m.yml}\n", files),
              HasSubstr("d.yml:2: profiles.roles: expected the roles that do the same work; those "
                        "of targets that are yet to be found are not known"));
  EXPECT_EQ(Problems(list + "profiles: {model: m.yml, roles: [oss]}\n", files), "ok");
}

TEST(ParseSettings, TrainingNeedsNoModelYet) {
  const std::string text = "targets: [{address: io01}]\nprofiles: {model: m.yml}\n";
  EXPECT_THAT(Problems(text), HasSubstr("profiles.model: m.yml: No such file"));
  const auto settings = Parse(text, {}, ConfigUse::kTrain);
  ASSERT_TRUE(settings) << settings.error().Text();
  EXPECT_EQ(settings->profiles.model, "m.yml");
  EXPECT_THAT(settings->profiles.plan.model.profiles, IsEmpty());
}

TEST(LongestInterval, IsThatOfTheSlowestTarget) {
  const DiagnoserSettings settings;
  EXPECT_EQ(LongestInterval(settings, {}), 0s);
  EXPECT_EQ(LongestInterval(settings, {{.node = "a", .interval = 1s},
                                       {.node = "b", .interval = 15s},
                                       {.node = "c", .interval = 2s}}),
            15s);
}

TEST(LongestInterval, CountsListsAndTheStoreToo) {
  DiagnoserSettings settings;
  settings.discovery.emplace_back();
  settings.discovery[0].base.target.interval = 10s;
  EXPECT_EQ(LongestInterval(settings, {{.node = "a", .interval = 1s}}), 10s);
  settings.store.emplace();
  settings.store->step = 30s;
  EXPECT_EQ(LongestInterval(settings, {}), 30s);
}

}  // namespace
}  // namespace limpet::settings_test
