#include "diagnoser/state/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnoser/state/fingerprint.h"
#include "diagnoser/state/store.h"
#include "tests/support/temp_folder.h"

namespace limpet::codec_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

const std::string kGone = " is not configured any more; what the state has of it is ignored";
const std::string kChanged =
    " has other settings than when the state was saved; what the state has of it is ignored";

constexpr UnixTime kEnd = UnixFromSeconds(1'700'000'032);

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {DefaultPreset(), ProductionPreset()};
  config.groups = {{.name = "disks"}, {.name = "net", .kind = GroupKind::kNetwork}};
  return config;
}

PipelineState State() {
  PipelineState state;
  state.window_ends = {{"default", kEnd}, {"production", kEnd - 8s}};
  state.components = {{.preset = "default",
                       .group = "disks",
                       .metric = "await",
                       .component = "a/sda",
                       .accumulator = 300,
                       .recent = {{kEnd - 32s, 0.5, false}, {kEnd, 1e300, true}}},
                      {.preset = "default", .group = "net", .metric = "rxbyt", .component = "b"},
                      {.preset = "production",
                       .group = "disks",
                       .metric = "await",
                       .component = "a/sda",
                       .accumulator = 4'000'000'000}};
  return state;
}

TEST(StateCodec, WhatIsWrittenIsRead) {
  const auto read = DecodeState(EncodeState(State(), Config()), Config());
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_THAT(read->ignored, IsEmpty());
  EXPECT_EQ(read->state.window_ends, State().window_ends);
  ASSERT_THAT(read->state.components, SizeIs(3));
  const auto& first = read->state.components[0];
  EXPECT_EQ(first.component, "a/sda");
  EXPECT_EQ(first.accumulator, 300U);
  ASSERT_THAT(first.recent, SizeIs(2));
  EXPECT_EQ(first.recent[1].end, kEnd);
  EXPECT_EQ(first.recent[1].degree, 1e300);
  EXPECT_TRUE(first.recent[1].anomalous);
  EXPECT_FALSE(first.recent[0].anomalous);
  EXPECT_EQ(read->state.components[2].accumulator, 4'000'000'000U);
}

TEST(StateCodec, WhenVerdictsBeganIsKept) {
  auto state = State();
  state.components[1].onset = kEnd - std::chrono::seconds(7);
  state.beginnings = {{.preset = Config().presets[0].name,
                       .node = "a",
                       .cause = Cause::kDiskBusy,
                       .indicted = true,
                       .since = kEnd - std::chrono::seconds(7),
                       .named = kEnd}};
  const auto read = DecodeState(EncodeState(state, Config()), Config());
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_THAT(read->ignored, IsEmpty());
  EXPECT_EQ(read->state.beginnings, state.beginnings);
  EXPECT_FALSE(read->state.components[0].onset);
  EXPECT_EQ(read->state.components[1].onset, state.components[1].onset);
}

ProfilePlan Plan() {
  return {.model = {.metrics = {HostMetric::kUser},
                    .sigma = {1},
                    .profiles = {{.mean = {0}, .covariance = {1}}},
                    .threshold = 0.5}};
}

PipelineState ProfileState() {
  PipelineState state;
  state.profiles = ProfileMemory{
      .second = kEnd,
      .nodes = {{"a",
                 {.history = {.counts = {60.5, 2}, .alarms = {7, 5.2}, .labelled = 1'700'000'030},
                  .label = 2}}},
      .counting_since = 1'699'999'000,
      .counts = {{1'700'000'029, 5, 1}, {1'700'000'030, 4, 0}}};
  state.profiles->nodes["a"].average[Index(HostMetric::kUser)] = 12.5;
  return state;
}

TEST(StateCodec, HistogramsOfProfilesBelongToTheirModel) {
  auto config = Config();
  config.profiles = Plan();
  const auto bytes = EncodeState(ProfileState(), config);
  config.profiles->model.threshold = 0.3;
  const auto read = DecodeState(bytes, config);
  ASSERT_TRUE(read && read->state.profiles);
  EXPECT_EQ(read->state.profiles->second, kEnd);
  const auto& node = read->state.profiles->nodes.at("a");
  EXPECT_EQ(node.history, ProfileState().profiles->nodes.at("a").history);
  EXPECT_EQ(node.label, 2U);
  EXPECT_EQ(node.average[Index(HostMetric::kUser)], 12.5);
  EXPECT_TRUE(IsMissing(node.average[Index(HostMetric::kSystem)]));
  EXPECT_EQ(read->state.profiles->counting_since, 1'699'999'000);
  EXPECT_EQ(read->state.profiles->counts, ProfileState().profiles->counts);

  config.profiles->model.profiles[0].mean = {1};
  const auto other = DecodeState(bytes, config);
  ASSERT_TRUE(other);
  EXPECT_FALSE(other->state.profiles);
  EXPECT_THAT(
      other->ignored,
      ElementsAre("behaviour profiles have another model than when the state was saved; their "
                  "histograms in the state are ignored"));
}

TEST(StateCodec, AChangedPresetLosesItsPartsOnly) {
  auto changed = Config();
  changed.presets[0].window = 32;
  const auto read = DecodeState(EncodeState(State(), Config()), changed);
  ASSERT_TRUE(read);
  EXPECT_THAT(read->ignored, ElementsAre("preset default" + kChanged,
                                         "peer group disks under preset default" + kChanged,
                                         "peer group net under preset default" + kChanged));
  ASSERT_THAT(read->state.components, SizeIs(1));
  EXPECT_EQ(read->state.components[0].preset, "production");
}

TEST(StateCodec, AChangedGroupLosesItsPartsOnly) {
  auto changed = Config();
  changed.groups[0].device = "^sd";
  const auto read = DecodeState(EncodeState(State(), Config()), changed);
  ASSERT_TRUE(read);
  EXPECT_THAT(read->ignored, SizeIs(2));
  ASSERT_THAT(read->state.components, SizeIs(1));
  EXPECT_EQ(read->state.components[0].group, "net");
  changed.groups.erase(changed.groups.begin());
  EXPECT_THAT(DecodeState(EncodeState(State(), Config()), changed)->ignored,
              ElementsAre("peer group disks under preset default" + kGone,
                          "peer group disks under preset production" + kGone));
}

TEST(StateCodec, ThresholdsAndRankingMayChange) {
  auto changed = Config();
  changed.presets[0].default_threshold = 2;
  changed.presets[0].rho = 5;
  changed.presets[0].ranking = false;
  EXPECT_THAT(DecodeState(EncodeState(State(), Config()), changed)->ignored, IsEmpty());
}

TEST(StateCodec, EverySettingThatMattersIsInTheFingerprint) {
  const auto base = DefaultPreset();
  const auto differs = [&](auto change) {
    auto other = DefaultPreset();
    change(other);
    return Fingerprint(other) != Fingerprint(base);
  };
  EXPECT_TRUE(differs([](auto& p) { p.step = 2s; }));
  EXPECT_TRUE(differs([](auto& p) { p.smoothing = 6; }));
  EXPECT_TRUE(differs([](auto& p) { p.shift = 16; }));
  EXPECT_TRUE(differs([](auto& p) { p.k = 2; }));
  EXPECT_TRUE(differs([](auto& p) { p.distance = DistanceKind::kKl; }));
  EXPECT_TRUE(differs([](auto& p) { p.svctm_gate = SvctmGate::kOff; }));
  EXPECT_TRUE(differs([](auto& p) { p.noise_floor["await"] = 6; }));
  EXPECT_TRUE(differs([](auto& p) { p.max_gap = 9s; }));
}

struct Messages {
  std::vector<std::string> texts;
  LogSink Sink() {
    return [this](LogLevel, std::string_view text) { texts.emplace_back(text); };
  }
};

TEST(StateStore, ASecondStartFindsWhatTheFirstSaved) {
  const testing::TempFolder folder;
  Messages messages;
  const auto path = folder.Path("a/b");
  StateStore store(path, messages.Sink());
  ASSERT_TRUE(store.Prepare());
  EXPECT_THAT(store.Load(Config()).components, IsEmpty());
  ASSERT_TRUE(store.Save(EncodeState(State(), Config())));
  EXPECT_THAT(StateStore(path, messages.Sink()).Load(Config()).components, SizeIs(3));
  EXPECT_THAT(messages.texts, IsEmpty());
}

TEST(StateStore, KeepsASecondDiagnoserOutOfItsFolder) {
  const testing::TempFolder folder;
  Messages messages;
  {
    StateStore first(folder.Path("a"), messages.Sink());
    ASSERT_TRUE(first.Lock());
    StateStore second(folder.Path("a"), messages.Sink());
    EXPECT_FALSE(second.Lock());
    ASSERT_THAT(messages.texts, SizeIs(1));
    EXPECT_THAT(messages.texts[0], HasSubstr("another diagnoser keeps its state here"));
    EXPECT_TRUE(StateStore(folder.Path("b"), messages.Sink()).Lock());
  }
  EXPECT_TRUE(StateStore(folder.Path("a"), messages.Sink()).Lock());
  EXPECT_FALSE(StateStore(folder.Write("file", ""), messages.Sink()).Lock());
}

TEST(StateStore, AFileThatCannotBeUsedIsSetAside) {
  const testing::TempFolder folder;
  Messages messages;
  folder.Write("state", "something else");
  EXPECT_THAT(StateStore(folder.Path(), messages.Sink()).Load(Config()).components, IsEmpty());
  ASSERT_THAT(messages.texts, SizeIs(1));
  EXPECT_THAT(
      messages.texts[0],
      HasSubstr("expected a state file, which begins with LIMPETST; starting without saved state"));
  EXPECT_EQ(folder.Read("state.refused"), "something else");
}

TEST(StateStore, WhatIsLeftOutIsSaid) {
  const testing::TempFolder folder;
  Messages messages;
  auto changed = Config();
  changed.groups[0].device = "x";
  folder.Write("state", EncodeState(State(), Config()));
  EXPECT_THAT(StateStore(folder.Path(), messages.Sink()).Load(changed).components, SizeIs(1));
  EXPECT_THAT(messages.texts, SizeIs(2));
}

TEST(StateStore, AFolderThatCannotBeMadeIsAnError) {
  const testing::TempFolder folder;
  folder.Write("file", "");
  Messages messages;
  StateStore store(folder.Path("file/below"), messages.Sink());
  for (const auto& made : {store.Prepare(), store.Save("state")}) {
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().Text(), HasSubstr("cannot create the folder"));
  }
  EXPECT_THAT(store.Load(Config()).components, IsEmpty());
  EXPECT_THAT(messages.texts, IsEmpty());
}

}  // namespace
}  // namespace limpet::codec_test
