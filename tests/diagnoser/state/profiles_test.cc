#include "diagnoser/state/profiles.h"

#include <gmock/gmock.h>

#include <limits>

namespace limpet::profiles_test {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr UnixTime kEnd = UnixFromSeconds(1'700'000'032);

// Node a has two labels, and of its averages only that of user time.
ProfileMemory Memory() {
  ProfileMemory memory{
      .second = kEnd,
      .nodes = {{"a",
                 {.history = {.counts = {60.5, 2}, .alarms = {7, 5.2}, .labelled = 1'700'000'030},
                  .label = 2}}},
      .counting_since = 1'699'999'000,
      .counts = {{1'700'000'029, 5, 1}, {1'700'000'030, 4, 0}}};
  memory.nodes["a"].average[Index(HostMetric::kUser)] = 12.5;
  return memory;
}

std::string Bytes(const ProfileMemory& memory) {
  ByteWriter out;
  WriteProfiles(memory, out);
  return out.Bytes();
}

std::optional<ProfileMemory> Read(std::string_view bytes) {
  ByteReader in(bytes);
  return ReadProfiles(in);
}

TEST(Profiles, AreReadAsTheyWereWritten) {
  const auto read = Read(Bytes(Memory()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->second, kEnd);
  ASSERT_THAT(read->nodes, SizeIs(1));
  const auto& node = read->nodes.at("a");
  EXPECT_EQ(node.history, Memory().nodes.at("a").history);
  EXPECT_EQ(node.label, 2U);
  EXPECT_EQ(node.average[Index(HostMetric::kUser)], 12.5);
  EXPECT_TRUE(IsMissing(node.average[Index(HostMetric::kSystem)]));
  EXPECT_EQ(read->counting_since, 1'699'999'000);
  EXPECT_EQ(read->counts, Memory().counts);
}

TEST(Profiles, ANodeWithoutALabelStaysOne) {
  auto memory = Memory();
  memory.nodes["a"].label.reset();
  const auto read = Read(Bytes(memory));
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->nodes.at("a").label);
}

TEST(Profiles, ThatAreCutAreRefusedWhereverTheCutIs) {
  const auto bytes = Bytes(Memory());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ASSERT_FALSE(Read(std::string_view(bytes).substr(0, length))) << length;
  }
}

TEST(Profiles, ThatCannotBeAreRefused) {
  using Change = void (*)(ProfileMemory&, ProfileNodeMemory&);
  const std::vector<std::pair<const char*, Change>> changes = {
      {"a count that is no number",
       [](auto&, auto& node) {
         node.history.counts[0] = std::numeric_limits<double>::quiet_NaN();
       }},
      {"a count over 100", [](auto&, auto& node) { node.history.counts[0] = 102; }},
      {"a label after the last second",
       [](auto&, auto& node) { node.history.labelled = 1'700'000'999; }},
      {"the third of two labels", [](auto&, auto& node) { node.label = 3; }},
      {"a weight over 10", [](auto&, auto& node) { node.history.alarms.weight = 10.5; }},
      {"a negative load", [](auto&, auto& node) { node.average[0] = -1; }},
      {"a load that overflows", [](auto&, auto& node) { node.average[0] = 1e301; }},
      {"histograms of two sizes",
       [](auto& memory, auto&) {
         memory.nodes["b"].history.counts = {1, 2, 3};
       }},
      {"five unknown ones of four", [](auto& memory, auto&) { memory.counts[1].unknown = 5; }},
      {"a second twice", [](auto& memory, auto&) { memory.counts[1].second = 1'700'000'029; }},
      {"a second of the future",
       [](auto& memory, auto&) { memory.counts[1].second = 1'700'000'033; }},
      {"counting since the future",
       [](auto& memory, auto&) { memory.counting_since = 1'700'000'033; }},
      {"601 seconds", [](auto& memory, auto&) { memory.counts.resize(601); }},
  };
  for (const auto& [what, change] : changes) {
    auto memory = Memory();
    change(memory, memory.nodes["a"]);
    EXPECT_FALSE(Read(Bytes(memory))) << what;
  }
}

HostEntityState Host() {
  HostEntityState host{
      .kind = EntityKind::kHost, .entity = {.node = "a", .role = "io"}, .tail = {}};
  host.tail.counters = {TrackTail{.last = kEnd, .value = 3, .columns = {}}};
  host.tail.counters[0]->columns = {ColumnTail{.values = {1, 2}, .sum = 0.5, .whole = true}};
  host.tail.gauges[2] = {{kEnd - 1s, 0.25}, {kEnd, 0.5}};
  host.tail.first = kEnd - 60s;
  return host;
}

std::string Bytes(const HostEntityState& host) {
  ByteWriter out;
  WriteHostEntity(host, out);
  return out.Bytes();
}

std::optional<HostEntityState> ReadHost(std::string_view bytes, std::size_t bins = 10) {
  ByteReader in(bytes);
  return ReadHostEntity(in, bins);
}

TEST(HostEntities, AreReadAsTheyWereWritten) {
  const auto read = ReadHost(Bytes(Host()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, EntityKind::kHost);
  EXPECT_EQ(read->entity.node, "a");
  EXPECT_EQ(read->entity.role, "io");
  ASSERT_THAT(read->tail.counters, SizeIs(1));
  EXPECT_EQ(read->tail.counters[0]->value, 3);
  EXPECT_THAT(read->tail.counters[0]->columns[0]->values, ElementsAre(1, 2));
  ASSERT_THAT(read->tail.gauges[2], SizeIs(2));
  EXPECT_EQ(read->tail.gauges[2][1].at, kEnd);
  EXPECT_EQ(read->tail.gauges[2][1].value, 0.5);
  EXPECT_EQ(read->tail.first, kEnd - 60s);
}

TEST(HostEntities, ADiskHasNoFirstReading) {
  auto disk = Host();
  disk.kind = EntityKind::kDisk;
  disk.tail.first.reset();
  const auto read = ReadHost(Bytes(disk));
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->tail.first);
}

TEST(HostEntities, ColumnsOverTheBoundAreLeftOut) {
  const auto read = ReadHost(Bytes(Host()), 1);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->tail.counters[0]->columns[0]);
  EXPECT_EQ(read->tail.counters[0]->value, 3);
}

TEST(HostEntities, ThatAreCutAreRefusedWhereverTheCutIs) {
  const auto bytes = Bytes(Host());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ASSERT_FALSE(ReadHost(std::string_view(bytes).substr(0, length))) << length;
  }
}

TEST(HostEntities, AGaugeIsNotNegative) {
  auto host = Host();
  host.tail.gauges[0] = {{kEnd, -1}};
  EXPECT_FALSE(ReadHost(Bytes(host)));
}

}  // namespace
}  // namespace limpet::profiles_test
