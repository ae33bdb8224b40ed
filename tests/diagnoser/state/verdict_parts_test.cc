// Payloads made by hand: what is read of each, and that a bad one changes nothing.
#include "diagnoser/state/verdict_parts.h"

#include <gmock/gmock.h>

#include "diagnoser/state/tails.h"

namespace limpet::verdict_parts_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr UnixTime kEnd = UnixFromSeconds(1'700'000'032);
constexpr PipelineLimits kLimits;
constexpr auto kBusy = static_cast<std::uint64_t>(Cause::kDiskBusy);

PipelineState OneComponent() {
  PipelineState state;
  state.components.push_back(
      {.preset = "fast", .group = "disks", .metric = "await", .component = "a/sda"});
  return state;
}

void WriteKey(const std::string& metric, ByteWriter& out) {
  for (const auto& text : {std::string("fast"), std::string("disks"), metric}) {
    out.Text(text);
  }
  out.Text("a/sda");
}

// Of each of these metrics of a/sda. `count`: how many the part promises.
ByteWriter OnsetsPart(const std::vector<std::string>& metrics, std::uint64_t count) {
  ByteWriter out;
  out.Count(count);
  for (const auto& metric : metrics) {
    WriteKey(metric, out);
    out.Fixed(Nanoseconds(kEnd), 8);
  }
  return out;
}

ByteWriter EpisodesPart(std::uint64_t began) {
  ByteWriter out;
  out.Count(1);
  WriteKey("await", out);
  out.Fixed(1, 1);
  out.Fixed(Nanoseconds(kEnd), 8);
  out.Count(began);
  out.Fixed(Nanoseconds(kEnd - 60s), 8);
  return out;
}

ByteWriter IncidentPart(std::uint64_t cause, std::uint64_t count = 1) {
  ByteWriter out;
  out.Count(count);
  out.Text("fast");
  out.Text("a");
  out.Count(cause);
  out.Fixed(Nanoseconds(kEnd - 8s), 8);
  out.Fixed(Nanoseconds(kEnd), 8);
  out.Text("disks");
  out.Count(1);
  out.Text("disks");
  return out;
}

ByteWriter BeginningPart(std::uint64_t cause, const std::string& node = "a") {
  ByteWriter out;
  out.Count(1);
  out.Text("fast");
  out.Text(node);
  out.Count(cause);
  out.Fixed(1, 1);
  out.Fixed(Nanoseconds(kEnd - 60s), 8);
  out.Fixed(Nanoseconds(kEnd), 8);
  return out;
}

ByteWriter FirstSeenPart(const std::vector<std::string>& components, UnixTime at) {
  ByteWriter out;
  out.Count(components.size());
  for (const auto& component : components) {
    out.Text(component);
    out.Fixed(Nanoseconds(at), 8);
  }
  return out;
}

TEST(VerdictParts, OnsetsJoinTheirComponentsOrNone) {
  auto state = OneComponent();
  EXPECT_FALSE(ReadOnsets(ByteReader(OnsetsPart({"await"}, 2).Bytes()), state));
  EXPECT_FALSE(state.components[0].onset);
  EXPECT_TRUE(ReadOnsets(ByteReader(OnsetsPart({"svctm", "await"}, 2).Bytes()), state));
  EXPECT_EQ(state.components[0].onset, kEnd);
  EXPECT_THAT(state.components, SizeIs(1)) << "those of others are passed over";
}

TEST(VerdictParts, MoreEpisodesThanAreKeptMakeNoSense) {
  auto state = OneComponent();
  EXPECT_FALSE(ReadEpisodes(ByteReader(EpisodesPart(Episodes::kMax + 1).Bytes()), state));
  EXPECT_EQ(state.components[0].episodes, Episodes());
  EXPECT_TRUE(ReadEpisodes(ByteReader(EpisodesPart(1).Bytes()), state));
  EXPECT_THAT(state.components[0].episodes.began, ElementsAre(kEnd - 60s));
}

TEST(VerdictParts, AnIncidentMayHaveNoCauseButNoneThatIsUnknown) {
  PipelineState state;
  EXPECT_FALSE(ReadIncidents(ByteReader(IncidentPart(9999).Bytes()), kLimits, state));
  EXPECT_FALSE(ReadIncidents(ByteReader(IncidentPart(kBusy, 2).Bytes()), kLimits, state));
  EXPECT_THAT(state.incidents, IsEmpty());
  EXPECT_TRUE(ReadIncidents(ByteReader(IncidentPart(0).Bytes()), kLimits, state));
  EXPECT_TRUE(ReadIncidents(ByteReader(IncidentPart(kBusy).Bytes()), kLimits, state));
  ASSERT_THAT(state.incidents, SizeIs(2));
  EXPECT_EQ(state.incidents[1].cause, Cause::kDiskBusy);
  EXPECT_EQ(state.incidents[1].unknown, kEnd);
  EXPECT_THAT(state.incidents[1].groups, ElementsAre("disks"));
}

TEST(VerdictParts, ABeginningHasANodeAndACause) {
  PipelineState state;
  EXPECT_FALSE(ReadBeginnings(ByteReader(BeginningPart(0).Bytes()), kLimits, state));
  EXPECT_FALSE(ReadBeginnings(ByteReader(BeginningPart(kBusy, "").Bytes()), kLimits, state));
  EXPECT_THAT(state.beginnings, IsEmpty());
  EXPECT_TRUE(ReadBeginnings(ByteReader(BeginningPart(kBusy).Bytes()), kLimits, state));
  ASSERT_THAT(state.beginnings, SizeIs(1));
  EXPECT_EQ(state.beginnings[0].since, kEnd - 60s);
  EXPECT_EQ(state.beginnings[0].named, kEnd);
}

TEST(VerdictParts, OfFirstReadingsTheLaterPartCountsWithinTheBoundsOfANode) {
  PipelineState state;
  const PipelineLimits two = {.max_components_per_node = 2};
  const auto read = [&](const ByteWriter& payload) {
    return ReadFirstSeen(ByteReader(payload.Bytes()), two, state);
  };
  EXPECT_TRUE(read(FirstSeenPart({"a/sda", "b/sda"}, kEnd - 60s)));
  EXPECT_TRUE(read(FirstSeenPart({"a/sda", "a/sdb", "a/sdc"}, kEnd)));
  EXPECT_THAT(state.first_seen, SizeIs(3));
  EXPECT_EQ(state.first_seen.at("a/sda"), kEnd);
  EXPECT_EQ(state.first_seen.at("b/sda"), kEnd - 60s);
  EXPECT_FALSE(state.first_seen.contains("a/sdc"));
}

}  // namespace
}  // namespace limpet::verdict_parts_test
