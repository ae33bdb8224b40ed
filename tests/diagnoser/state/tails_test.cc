#include "diagnoser/state/tails.h"

#include <gmock/gmock.h>

#include <bit>
#include <limits>

#include "diagnoser/metrics/missing.h"

namespace limpet::tails_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr UnixTime kEnd = UnixFromSeconds(1'700'000'032);
constexpr std::size_t kManyBins = 1000;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A disk with two counters, the second without a reading; one column.
EntityState Disk() {
  EntityState state{.kind = EntityKind::kDisk,
                    .entity = {.node = "a",
                               .role = "io",
                               .device = "sda",
                               .labels = {{"model", "m"}},
                               .flash = true,
                               .wwn = "naa.5"},
                    .counters = {TrackTail{.last = kEnd, .value = 9, .columns = {}}, std::nullopt},
                    .cwnd = {},
                    .other = {}};
  state.counters[0]->columns = {ColumnTail{.values = {1, kMissing, 3}, .sum = 0.5, .whole = true}};
  return state;
}

ColumnTail& FirstColumn(EntityState& disk) { return *disk.counters[0]->columns[0]; }

EntityState Socket() {
  return {.kind = EntityKind::kSocket,
          .entity = {.node = "a",
                     .local_address = "10.0.0.1",
                     .remote_address = "10.0.0.2",
                     .local_port = "3334",
                     .remote_port = "50000"},
          .counters = {},
          .cwnd = {{kEnd - 1s, 10}, {kEnd, 20}},
          .other = {{kEnd, 1e6}}};
}

std::string Bytes(const EntityState& entity) {
  ByteWriter out;
  WriteEntity(entity, out);
  return out.Bytes();
}

std::optional<EntityState> Read(std::string_view bytes, std::size_t bins = kManyBins) {
  ByteReader in(bytes);
  return ReadEntity(in, 1, bins);
}

TEST(ReadInstant, IsFrom1970To2100) {
  const auto read = [](std::uint64_t nanoseconds) {
    ByteWriter out;
    out.Fixed(nanoseconds, 8);
    ByteReader in(out.Bytes());
    return ReadInstant(in);
  };
  EXPECT_EQ(read(0), UnixTime());
  EXPECT_EQ(read(4'102'444'800'000'000'000), UnixFromSeconds(4'102'444'800));
  EXPECT_FALSE(read(4'102'444'800'000'000'001));
  EXPECT_FALSE(read(UINT64_MAX)) << "a nanosecond before 1970";
  ByteReader cut("\1\2\3");
  EXPECT_FALSE(ReadInstant(cut));
}

TEST(Entities, ADiskIsReadAsItWasWritten) {
  const auto bytes = Bytes(Disk());
  ByteReader in(bytes);
  std::size_t bins = 10;
  const auto read = ReadEntity(in, 1, bins);
  ASSERT_TRUE(read);
  EXPECT_EQ(in.Left(), 0U);
  EXPECT_EQ(bins, 7U);
  EXPECT_EQ(read->kind, EntityKind::kDisk);
  EXPECT_EQ(read->entity.node, "a");
  EXPECT_EQ(read->entity.role, "io");
  EXPECT_EQ(read->entity.device, "sda");
  EXPECT_EQ(read->entity.wwn, "naa.5");
  EXPECT_TRUE(read->entity.flash);
  EXPECT_EQ(read->entity.labels.at("model"), "m");
  ASSERT_THAT(read->counters, SizeIs(2));
  EXPECT_FALSE(read->counters[1]);
  EXPECT_EQ(read->counters[0]->last, kEnd);
  EXPECT_EQ(read->counters[0]->value, 9);
  const auto& column = *read->counters[0]->columns[0];
  EXPECT_EQ(column.sum, 0.5);
  EXPECT_TRUE(column.whole);
  ASSERT_THAT(column.values, SizeIs(3));
  EXPECT_EQ(column.values[0], 1);
  EXPECT_TRUE(IsMissing(column.values[1]));
}

TEST(Entities, AConnectionIsReadAsItWasWritten) {
  const auto read = Read(Bytes(Socket()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, EntityKind::kSocket);
  EXPECT_EQ(read->entity.local_address, "10.0.0.1");
  EXPECT_EQ(read->entity.remote_address, "10.0.0.2");
  EXPECT_EQ(read->entity.local_port, "3334");
  EXPECT_EQ(read->entity.remote_port, "50000");
  ASSERT_THAT(read->cwnd, SizeIs(2));
  EXPECT_EQ(read->cwnd[1].at, kEnd);
  EXPECT_EQ(read->cwnd[1].value, 20);
  EXPECT_THAT(read->other, SizeIs(1));
}

TEST(Entities, ThatAreCutAreRefusedWhereverTheCutIs) {
  for (const auto& bytes : {Bytes(Disk()), Bytes(Socket())}) {
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      ASSERT_FALSE(Read(std::string_view(bytes).substr(0, length))) << length;
    }
  }
}

TEST(Entities, ThatCannotBeAreRefused) {
  using Change = void (*)(EntityState&);
  const std::vector<std::pair<const char*, Change>> changes = {
      {"a kind that does not exist",
       [](EntityState& disk) { disk.kind = static_cast<EntityKind>(kEntityKinds); }},
      {"65 labels",
       [](EntityState& disk) {
         for (int i = 0; i < 65; ++i) {
           disk.entity.labels[std::to_string(i)];
         }
       }},
      {"65 counters", [](EntityState& disk) { disk.counters.resize(65); }},
      {"a negative counter", [](EntityState& disk) { disk.counters[0]->value = -1; }},
      {"a reading before 1970", [](EntityState& disk) { disk.counters[0]->last = UnixTime(-1ns); }},
      {"an infinite increase", [](EntityState& disk) { FirstColumn(disk).values[0] = kInfinity; }},
      {"a negative sum", [](EntityState& disk) { FirstColumn(disk).sum = -1; }},
      {"a sum that is missing", [](EntityState& disk) { FirstColumn(disk).sum = kMissing; }},
      {"257 readings", [](EntityState& disk) { disk.cwnd.resize(257); }},
      {"a reading that is missing",
       [](EntityState& disk) {
         disk.other = {{kEnd, kMissing}};
       }},
  };
  for (const auto& [what, change] : changes) {
    auto disk = Disk();
    change(disk);
    EXPECT_FALSE(Read(Bytes(disk))) << what;
  }
}

TEST(Entities, MayHaveAsManyLabelsAndReadingsAsAreAllowed) {
  auto disk = Disk();
  for (int i = 0; i < 63; ++i) {
    disk.entity.labels[std::to_string(i)];
  }
  disk.cwnd.resize(256);
  EXPECT_TRUE(Read(Bytes(disk)));
}

TEST(Columns, OfZerosTakeNoBytesForTheirValues) {
  auto short_one = Disk();
  FirstColumn(short_one).values.assign(10, 0.0);
  auto long_one = Disk();
  FirstColumn(long_one).values.assign(100, 0.0);
  EXPECT_EQ(Bytes(long_one).size(), Bytes(short_one).size());
  const auto read = Read(Bytes(long_one));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->counters[0]->columns[0]->values, std::vector<double>(100, 0.0));
}

TEST(Columns, OverTheBoundAreLeftOutAndTheRestIsRead) {
  auto disk = Disk();
  disk.counters.push_back(disk.counters[0]);
  disk.counters[2]->columns[0]->values = {5};
  const auto read = Read(Bytes(disk), 2);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->counters[0]->columns[0]) << "three bins are too many";
  EXPECT_EQ(read->counters[0]->value, 9);
  EXPECT_THAT(read->counters[2]->columns[0]->values, ElementsAre(5)) << "one still fits";
}

TEST(Columns, AMissingOneIsReadAsOneWithoutBins) {
  auto disk = Disk();
  disk.counters[0]->columns[0].reset();
  const auto read = Read(Bytes(disk));
  ASSERT_TRUE(read);
  ASSERT_TRUE(read->counters[0]->columns[0]);
  EXPECT_THAT(read->counters[0]->columns[0]->values, IsEmpty());
  EXPECT_FALSE(read->counters[0]->columns[0]->whole);
}

TEST(Columns, EveryKindOfNanIsOneMissing) {
  auto disk = Disk();
  FirstColumn(disk).values[0] = -std::numeric_limits<double>::quiet_NaN();
  const auto read = Read(Bytes(disk));
  ASSERT_TRUE(read);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(read->counters[0]->columns[0]->values[0]),
            std::bit_cast<std::uint64_t>(kMissing));
}

// One server with two seconds on each side.
CwndTail Cwnd() {
  CwndTail tail;
  const CwndTail::Column column{.latest = 1'700'000'032, .values = {kMissing, 2.5}};
  tail.medians.fill(column);
  tail.servers = {{.name = "s1", .observed = {}, .logs = {}}};
  tail.servers[0].observed.fill(column);
  tail.servers[0].logs.fill(column);
  return tail;
}

std::string Bytes(const CwndTail& tail) {
  ByteWriter out;
  WriteCwnd(tail, out);
  return out.Bytes();
}

std::optional<CwndTail> ReadCwndOf(std::string_view bytes) {
  ByteReader in(bytes);
  return ReadCwnd(in);
}

TEST(CwndTails, AreReadAsTheyWereWritten) {
  const auto read = ReadCwndOf(Bytes(Cwnd()));
  ASSERT_TRUE(read);
  ASSERT_THAT(read->servers, SizeIs(1));
  EXPECT_EQ(read->servers[0].name, "s1");
  for (const auto* columns : {&read->medians, &read->servers[0].observed, &read->servers[0].logs}) {
    for (const auto& column : *columns) {
      EXPECT_EQ(column.latest, 1'700'000'032);
      ASSERT_THAT(column.values, SizeIs(2));
      EXPECT_TRUE(IsMissing(column.values[0]));
      EXPECT_EQ(column.values[1], 2.5);
    }
  }
}

TEST(CwndTails, ThatAreCutAreRefusedWhereverTheCutIs) {
  const auto bytes = Bytes(Cwnd());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ASSERT_FALSE(ReadCwndOf(std::string_view(bytes).substr(0, length))) << length;
  }
}

TEST(CwndTails, HaveNoMoreValuesThanSecondsSince1970) {
  auto tail = Cwnd();
  tail.medians[0] = {.latest = 1, .values = {1, 1}};  // seconds 0 and 1
  EXPECT_TRUE(ReadCwndOf(Bytes(tail)));
  tail.medians[0].values.push_back(1);
  EXPECT_FALSE(ReadCwndOf(Bytes(tail)));
  tail.medians[0] = {.latest = -1, .values = {}};  // nothing yet
  EXPECT_TRUE(ReadCwndOf(Bytes(tail)));
  tail.medians[0].latest = -2;
  EXPECT_FALSE(ReadCwndOf(Bytes(tail)));
  tail.medians[0].latest = 7'000'000'001;
  EXPECT_FALSE(ReadCwndOf(Bytes(tail)));
}

TEST(CwndTails, HoldNoNumberThatIsNone) {
  for (const double value : {-1.0, kInfinity}) {
    auto tail = Cwnd();
    tail.servers[0].logs[1].values[0] = value;
    EXPECT_FALSE(ReadCwndOf(Bytes(tail))) << value;
  }
}

}  // namespace
}  // namespace limpet::tails_test
