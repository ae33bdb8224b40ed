// Files made by hand, part by part: what is read of each, and what is refused as a whole.
#include <gmock/gmock.h>

#include <limits>

#include "diagnoser/state/bytes.h"
#include "diagnoser/state/codec.h"
#include "diagnoser/state/parts.h"
#include "diagnoser/state/tails.h"

namespace limpet::decode_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr UnixTime kEnd = UnixFromSeconds(1'700'000'032);
constexpr PipelineLimits kManyBins = {.max_state_bins = 1000};

std::string Part(std::uint64_t kind, const ByteWriter& payload) {
  ByteWriter part;
  part.Fixed(kind, 4);
  part.Fixed(payload.Bytes().size(), 8);
  part.Fixed(PartChecksum(payload.Bytes()), 4);
  return part.Bytes() + payload.Bytes();
}
std::string Part(StatePart kind, const ByteWriter& payload) {
  return Part(static_cast<std::uint64_t>(kind), payload);
}

std::string File(const std::vector<std::string>& parts, std::uint64_t version = kStateVersion) {
  ByteWriter head;
  head.Fixed(version, 4);
  auto file = std::string(kStateMagic) + head.Bytes();
  for (const auto& part : parts) {
    file += part;
  }
  return file;
}

ParsedState Parse(const std::vector<std::string>& parts, const PipelineLimits& limits = kManyBins) {
  return ParseState(File(parts), limits).value();
}

std::string Unexpected(const std::string& part) {
  return "the part \"" + part + "\" does not hold what was expected and is ignored";
}

std::string PresetPart(const std::string& name, UnixTime end = kEnd,
                       std::uint64_t fingerprint = 1) {
  ByteWriter payload;
  payload.Text(name);
  payload.Fixed(fingerprint, 8);
  payload.Fixed(Nanoseconds(end), 8);
  return Part(StatePart::kPreset, payload);
}

// Of the preset "fast" and the group "disks". `count`: how many components the part promises.
std::string MetricPart(const std::string& metric, const std::vector<FilterEntry>& recent,
                       std::uint64_t fingerprint = 1, std::uint64_t count = 1) {
  ByteWriter payload;
  payload.Text("fast");
  payload.Text("disks");
  payload.Text(metric);
  payload.Fixed(fingerprint, 8);
  payload.Count(count);
  payload.Text("a/sda");
  payload.Count(7);
  payload.Count(recent.size());
  for (const auto& entry : recent) {
    payload.Fixed(Nanoseconds(entry.end), 8);
    payload.Double(entry.degree);
    payload.Fixed(entry.anomalous ? 1 : 0, 1);
  }
  return Part(StatePart::kMetric, payload);
}

// One episode of each of these metrics of a/sda. `count`: how many the part promises.
std::string EpisodesPart(const std::vector<std::string>& metrics, std::uint64_t count) {
  ByteWriter payload;
  payload.Count(count);
  for (const auto& metric : metrics) {
    for (const auto& text : {std::string("fast"), std::string("disks"), metric}) {
      payload.Text(text);
    }
    payload.Text("a/sda");
    payload.Fixed(1, 1);
    payload.Fixed(Nanoseconds(kEnd), 8);
    payload.Count(1);
    payload.Fixed(Nanoseconds(kEnd - 60s), 8);
  }
  return Part(StatePart::kEpisodes, payload);
}

// One disk with a column of three bins. `count`: how many disks the part promises.
std::string EntitiesPart(const std::string& node, std::uint64_t count = 1) {
  ByteWriter payload;
  payload.Count(1);
  payload.Text("fast");
  payload.Fixed(1, 8);
  payload.Count(count);
  WriteEntity({.kind = EntityKind::kDisk,
               .entity = {.node = node, .device = "sda"},
               .counters = {TrackTail{
                   .last = kEnd, .value = 9, .columns = {ColumnTail{.values = {1, 2, 3}}}}},
               .cwnd = {},
               .other = {}},
              payload);
  return Part(StatePart::kEntities, payload);
}

TEST(ParseState, OfOneNodeNoMoreIsReadThanItMayHave) {
  std::vector<std::string> parts = {EntitiesPart("a"), EntitiesPart("a"), EntitiesPart("b")};
  const auto read = Parse(parts, {.max_components_per_node = 1});
  ASSERT_THAT(read.saved.state.entities, SizeIs(2));
  EXPECT_EQ(read.saved.state.entities[0].entity.node, "a");
  EXPECT_EQ(read.saved.state.entities[1].entity.node, "b");
  EXPECT_THAT(
      Parse({MetricPart("await", {})}, {.max_components_per_node = 0}).saved.state.components,
      IsEmpty());
}

TEST(ParseState, RefusesWhatIsNoStateFile) {
  EXPECT_FALSE(ParseState("", kManyBins));
  EXPECT_FALSE(ParseState("LIMPETSX\1\0\0\0", kManyBins));
  const auto empty = File({});
  EXPECT_FALSE(ParseState(empty.substr(0, 11), kManyBins)) << "the version is cut";
  EXPECT_TRUE(ParseState(empty, kManyBins));
}

TEST(ParseState, RefusesAnotherVersion) {
  const auto read = ParseState(File({}, 2), kManyBins);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "expected a state file of version 1, got version 2");
}

TEST(ParseState, ADamagedPartIsLeftOutTheOthersAreUsed) {
  auto bytes = File({PresetPart("fast"), MetricPart("await", {}), PresetPart("slow")});
  bytes[File({PresetPart("fast")}).size() + 20] ^= 1;
  const auto read = ParseState(bytes, kManyBins);
  ASSERT_TRUE(read);
  EXPECT_THAT(read->ignored,
              ElementsAre("the part \"filters and accumulators of a metric\" is damaged (its "
                          "checksum is wrong) and is ignored"));
  EXPECT_THAT(read->saved.state.window_ends, SizeIs(2));
  EXPECT_THAT(read->saved.state.components, IsEmpty());
}

TEST(ParseState, ACutFileIsReadToItsLastWholePart) {
  const auto one = File({PresetPart("fast")});
  const auto two = File({PresetPart("fast"), PresetPart("slow")});
  for (auto length = one.size() + 1; length < two.size(); ++length) {
    const auto read = ParseState(std::string_view(two).substr(0, length), kManyBins);
    ASSERT_TRUE(read);
    ASSERT_THAT(read->ignored,
                ElementsAre("the file is cut short: what follows its last whole part is ignored"));
    ASSERT_THAT(read->saved.state.window_ends, SizeIs(1));
  }
  EXPECT_THAT(ParseState(one, kManyBins)->ignored, IsEmpty());
}

TEST(ParseState, APartOfALaterVersionIsPassedOver) {
  ByteWriter payload;
  payload.Text("anything");
  const auto read = Parse({Part(99, payload), PresetPart("fast")});
  EXPECT_THAT(read.ignored, IsEmpty());
  EXPECT_THAT(read.saved.state.window_ends, SizeIs(1));
}

TEST(ParseState, FilterEntriesFollowEachOtherAndAreFinite) {
  const auto part = Unexpected("filters and accumulators of a metric");
  const auto good = Parse({MetricPart("await", {{kEnd - 8s, 0.5, false}, {kEnd, 1e300, true}})});
  EXPECT_THAT(good.ignored, IsEmpty());
  ASSERT_THAT(good.saved.state.components, SizeIs(1));
  EXPECT_THAT(good.saved.state.components[0].recent, SizeIs(2));
  EXPECT_THAT(Parse({MetricPart("await", {{kEnd, 0.5, false}, {kEnd, 1, true}})}).ignored,
              ElementsAre(part));
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(Parse({MetricPart("await", {{kEnd, none, false}})}).ignored, ElementsAre(part));
  EXPECT_THAT(Parse({MetricPart("await", std::vector<FilterEntry>(kMaxRecent + 1))}).ignored,
              ElementsAre(part));
}

TEST(ParseState, OfTwoPartsWithDifferentSettingsTheFirstIsUsed) {
  const auto read = Parse({MetricPart("await", {}, 1), MetricPart("svctm", {}, 2)});
  EXPECT_THAT(read.ignored, ElementsAre(Unexpected("filters and accumulators of a metric")));
  ASSERT_THAT(read.saved.state.components, SizeIs(1));
  EXPECT_EQ(read.saved.state.components[0].metric, "await");
}

TEST(ParseState, AMetricThatEndsTooEarlySaysNothingAboutItsSettingsEither) {
  const auto read = Parse({MetricPart("await", {}, 1, 2), MetricPart("svctm", {}, 2)});
  EXPECT_THAT(read.ignored, ElementsAre(Unexpected("filters and accumulators of a metric")));
  ASSERT_THAT(read.saved.state.components, SizeIs(1));
  EXPECT_EQ(read.saved.state.components[0].metric, "svctm");
}

TEST(ParseState, AClockRunsForwards) {
  const auto clock = [](UnixTime first, UnixTime last) {
    ByteWriter payload;
    payload.Fixed(Nanoseconds(first), 8);
    payload.Fixed(Nanoseconds(last), 8);
    payload.Fixed(0, 1);
    payload.Count(1);
    payload.Text("a");
    payload.Double(1.5);
    return Part(StatePart::kClock, payload);
  };
  const auto good = Parse({clock(kEnd - 1s, kEnd)});
  EXPECT_THAT(good.ignored, IsEmpty());
  EXPECT_EQ(good.saved.state.last, kEnd);
  EXPECT_EQ(good.saved.state.exporter_starts.at("a"), 1.5);
  EXPECT_FALSE(good.saved.state.cwnd_done);
  const auto wrong = Parse({clock(kEnd, kEnd - 1s)});
  EXPECT_THAT(wrong.ignored, SizeIs(1));
  EXPECT_FALSE(wrong.saved.state.last);
  EXPECT_THAT(wrong.saved.state.exporter_starts, IsEmpty());
  const auto future = Parse({clock(kEnd, kEnd + 1000h * 1'600)});
  EXPECT_FALSE(future.saved.state.first) << "no instant is after 2100";
}

TEST(ParseState, EpisodesJoinTheirComponentsAndThoseOfOthersArePassedOver) {
  const auto read = Parse({MetricPart("await", {}), EpisodesPart({"svctm", "await"}, 2)});
  EXPECT_THAT(read.ignored, IsEmpty());
  const auto& episodes = read.saved.state.components.at(0).episodes;
  EXPECT_EQ(episodes.last_flagged, kEnd);
  EXPECT_THAT(episodes.began, ElementsAre(kEnd - 60s));
}

TEST(ParseState, EpisodesThatEndTooEarlyJoinNobody) {
  const auto read = Parse({MetricPart("await", {}), EpisodesPart({"await"}, 2)});
  EXPECT_THAT(read.ignored, ElementsAre(Unexpected("when components were flagged")));
  EXPECT_EQ(read.saved.state.components.at(0).episodes, Episodes());
  EXPECT_THAT(Parse({Part(StatePart::kEpisodes, {})}).ignored, SizeIs(1)) << "not even a count";
}

TEST(ParseState, FirstReadingsAreUsedAllOrNone) {
  const auto seen = [](std::uint64_t count) {
    ByteWriter payload;
    payload.Count(count);
    payload.Text("a/sda");
    payload.Fixed(Nanoseconds(kEnd), 8);
    return Part(StatePart::kFirstSeen, payload);
  };
  EXPECT_EQ(Parse({seen(1)}).saved.state.first_seen.at("a/sda"), kEnd);
  const auto wrong = Parse({seen(2)});
  EXPECT_THAT(wrong.ignored, ElementsAre(Unexpected("when components were first seen")));
  EXPECT_THAT(wrong.saved.state.first_seen, IsEmpty());
  EXPECT_THAT(Parse({Part(StatePart::kFirstSeen, {})}).ignored, SizeIs(1)) << "not even a count";
}

TEST(ParseState, EntitiesAreUsedAllOrNone) {
  EXPECT_THAT(Parse({EntitiesPart("a"), EntitiesPart("b")}).saved.state.entities, SizeIs(2));
  const auto wrong = Parse({EntitiesPart("a", 2), EntitiesPart("b")}, {.max_state_bins = 3});
  EXPECT_THAT(wrong.ignored, SizeIs(1));
  ASSERT_THAT(wrong.saved.state.entities, SizeIs(1));
  EXPECT_TRUE(wrong.saved.state.entities[0].counters[0]->columns[0])
      << "what is not used takes no bins from the others";
}

TEST(ParseState, AllPartsTogetherHaveOneBoundOnBins) {
  const auto read = Parse({EntitiesPart("a"), EntitiesPart("b")}, {.max_state_bins = 5});
  EXPECT_THAT(read.ignored, IsEmpty());
  ASSERT_THAT(read.saved.state.entities, SizeIs(2));
  EXPECT_TRUE(read.saved.state.entities[0].counters[0]->columns[0]);
  EXPECT_EQ(read.saved.state.entities[1].counters[0]->value, 9);
  EXPECT_FALSE(read.saved.state.entities[1].counters[0]->columns[0]) << "its bins are too many";
}

TEST(ParseState, HistogramsThatEndTooEarlyLeaveThoseBeforeAlone) {
  ByteWriter none;  // no node, no second of labels
  none.Fixed(5, 8);
  none.Fixed(Nanoseconds(kEnd), 8);
  none.Count(0);
  none.Fixed(0, 8);
  none.Count(0);
  ByteWriter cut;
  cut.Fixed(6, 8);
  cut.Fixed(Nanoseconds(kEnd), 8);
  const auto read = Parse({Part(StatePart::kProfiles, none), Part(StatePart::kProfiles, cut)});
  EXPECT_THAT(read.ignored, ElementsAre(Unexpected("histograms of the behaviour profiles")));
  EXPECT_EQ(read.saved.origin.model, 5U);
  ASSERT_TRUE(read.saved.state.profiles);
  EXPECT_EQ(read.saved.state.profiles->second, kEnd);
}

TEST(DecodeState, SaysWhatIsDamagedBeforeWhatIsNotConfigured) {
  const auto read =
      DecodeState(File({PresetPart("gone"), Part(StatePart::kFirstSeen, {})}), PipelineConfig());
  ASSERT_TRUE(read);
  EXPECT_THAT(read->ignored,
              ElementsAre(Unexpected("when components were first seen"),
                          "preset gone is not configured any more; what the state has of it is "
                          "ignored"));
}

}  // namespace
}  // namespace limpet::decode_test
