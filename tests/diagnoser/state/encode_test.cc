// What is in a file, seen from its bytes (format.md), without the reader of the codec.
#include <gmock/gmock.h>

#include "diagnoser/state/bytes.h"
#include "diagnoser/state/codec.h"
#include "diagnoser/state/fingerprint.h"
#include "diagnoser/state/parts.h"

namespace limpet::encode_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;
using namespace std::string_literals;

constexpr UnixTime kEnd = UnixFromSeconds(1'700'000'032);

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {DefaultPreset()};
  config.groups = {{.name = "disks"}, {.name = "tcp", .kind = GroupKind::kCwnd, .ports = {1}}};
  config.profiles = ProfilePlan{.model = {.metrics = {HostMetric::kUser},
                                          .sigma = {1},
                                          .profiles = {{.mean = {0}, .covariance = {1}}},
                                          .threshold = 0.5},
                                .roles = {}};
  return config;
}

ComponentState Component(const std::string& name, bool flagged) {
  ComponentState component{
      .preset = "default", .group = "disks", .metric = "await", .component = name};
  component.episodes.last_flagged = flagged ? std::optional(kEnd) : std::nullopt;
  return component;
}

// One of everything.
PipelineState State() {
  PipelineState state;
  state.window_ends = {{"default", kEnd}};
  state.components = {Component("a/sda", true)};
  state.first = kEnd - 60s;
  state.last = kEnd;
  state.first_seen = {{"a/sda", kEnd}};
  state.entities.resize(1);
  state.cwnd["tcp"] = {};
  state.profiles = ProfileMemory{.second = kEnd};
  state.host_entities.resize(1);
  return state;
}

struct Part {
  StatePart kind;
  std::string payload;
};

std::vector<Part> PartsOf(const std::string& bytes) {
  ByteReader file(bytes);
  (void)file.Raw(12);  // magic and version
  std::vector<Part> parts;
  while (file.Left() > 0) {
    const auto kind = static_cast<StatePart>(file.Fixed(4));
    const auto length = file.Fixed(8);
    const auto checksum = file.Fixed(4);
    parts.push_back({kind, std::string(file.Raw(length))});
    EXPECT_EQ(PartChecksum(parts.back().payload), checksum);
  }
  EXPECT_FALSE(file.Failed());
  return parts;
}

std::vector<StatePart> KindsOf(const std::string& bytes) {
  std::vector<StatePart> kinds;
  for (const auto& part : PartsOf(bytes)) {
    kinds.push_back(part.kind);
  }
  return kinds;
}

TEST(EncodeState, AnEmptyStateIsItsHeadAlone) {
  EXPECT_EQ(EncodeState({}, Config()), "LIMPETST\1\0\0\0"s);
}

TEST(EncodeState, ChecksumsAreThoseOfZlib) {
  EXPECT_EQ(PartChecksum("123456789"), 0xCBF43926U);  // the check value of CRC-32
  EXPECT_EQ(PartChecksum(""), 0U);
}

TEST(EncodeState, APartIsKindLengthChecksumAndPayload) {
  PipelineState state;
  state.first_seen = {{"ab", UnixTime(Duration(0x0102))}};
  const auto payload = "\1\2ab\2\1\0\0\0\0\0\0"s;  // how many; how long, the name; nanoseconds
  ByteWriter checksum;
  checksum.Fixed(PartChecksum(payload), 4);
  EXPECT_EQ(EncodeState(state, Config()),
            "LIMPETST\1\0\0\0"s + "\7\0\0\0"s + "\xc\0\0\0\0\0\0\0"s + checksum.Bytes() + payload);
}

TEST(EncodeState, EpisodesFollowTheirComponentsAndHistogramsComeLast) {
  EXPECT_THAT(KindsOf(EncodeState(State(), Config())),
              ElementsAre(StatePart::kPreset, StatePart::kMetric, StatePart::kEpisodes,
                          StatePart::kClock, StatePart::kFirstSeen, StatePart::kEntities,
                          StatePart::kCwnd, StatePart::kProfiles, StatePart::kHostEntities));
}

TEST(EncodeState, WhatIsNotConfiguredIsNotWritten) {
  PipelineConfig nothing;
  EXPECT_THAT(KindsOf(EncodeState(State(), nothing)),
              ElementsAre(StatePart::kClock, StatePart::kFirstSeen, StatePart::kEntities));
}

TEST(EncodeState, SettingsAreWrittenAsTheirFingerprint) {
  const auto parts = PartsOf(EncodeState(State(), Config()));
  ByteReader preset(parts.at(0).payload);
  EXPECT_EQ(preset.Text(), "default");
  EXPECT_EQ(preset.Fixed(8), Fingerprint(DefaultPreset()));
  EXPECT_EQ(preset.Fixed(8), 1'700'000'032'000'000'000U);
  EXPECT_EQ(preset.Left(), 0U);
  ByteReader metric(parts.at(1).payload);
  (void)metric.Text();
  EXPECT_EQ(metric.Text(), "disks");
  (void)metric.Text();
  EXPECT_EQ(metric.Fixed(8), Fingerprint(DefaultPreset(), Config().groups[0]));
}

TEST(EncodeState, AMetricIsAPartHoweverItsComponentsAreMixed) {
  PipelineState state;
  state.components = {Component("a/sda", false), Component("a/sda", false),
                      Component("b/sda", false)};
  state.components[1].metric = "svctm";
  const auto parts = PartsOf(EncodeState(state, Config()));
  ASSERT_THAT(parts, SizeIs(2));
  for (const auto& [metric, components] : {std::pair("await", 2U), std::pair("svctm", 1U)}) {
    ByteReader part(parts[metric == "await"s ? 0 : 1].payload);
    (void)part.Text();
    (void)part.Text();
    EXPECT_EQ(part.Text(), metric);
    (void)part.Fixed(8);
    EXPECT_EQ(part.Count(), components);
  }
}

TEST(EncodeState, OnlyWhoWasFlaggedHasEpisodes) {
  PipelineState state;
  state.components = {Component("a/sda", false)};
  EXPECT_THAT(KindsOf(EncodeState(state, Config())), ElementsAre(StatePart::kMetric));
  state.components.push_back(Component("b/sda", true));
  const auto parts = PartsOf(EncodeState(state, Config()));
  ASSERT_THAT(parts, SizeIs(2));
  EXPECT_EQ(ByteReader(parts[1].payload).Count(), 1U);
}

TEST(EncodeState, OnePartHasAtMost256Entities) {
  PipelineState state;
  state.entities.resize(257);
  const auto parts = PartsOf(EncodeState(state, Config()));
  ASSERT_THAT(parts, SizeIs(2));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    ByteReader part(parts[i].payload);
    EXPECT_EQ(part.Count(), 1U) << "each part lists the presets";
    (void)part.Text();
    (void)part.Fixed(8);
    EXPECT_EQ(part.Count(), i == 0 ? 256U : 1U);
  }
}

TEST(EncodeState, NothingIsWrittenOfAClockThatHasNotBegun) {
  PipelineState state;
  state.last = kEnd;
  EXPECT_THAT(KindsOf(EncodeState(state, Config())), IsEmpty());
}

TEST(EncodeState, CountersOfNodesGoWithTheirHistograms) {
  PipelineState state;
  state.host_entities.resize(1);
  state.profiles = ProfileMemory();  // no second was judged
  EXPECT_THAT(KindsOf(EncodeState(state, Config())), IsEmpty());
  state.profiles->second = kEnd;
  EXPECT_THAT(KindsOf(EncodeState(state, Config())),
              ElementsAre(StatePart::kProfiles, StatePart::kHostEntities));
}

}  // namespace
}  // namespace limpet::encode_test
