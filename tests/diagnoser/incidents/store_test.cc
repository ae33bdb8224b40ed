#include "diagnoser/incidents/store.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "tests/support/temp_folder.h"

namespace limpet::store_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TempFolder;

IncidentRecord Record(int number, std::optional<int> ended = std::nullopt) {
  IncidentRecord record;
  record.id = IncidentId("site", "io" + std::to_string(number), "disk", UnixTime());
  record.cluster = "site";
  record.node = "io" + std::to_string(number);
  record.family = "disk";
  record.cause = "disk-busy";
  record.preset = "default";
  record.metric = "await";
  record.since = UnixFromSeconds(1000 + number);
  record.named = record.since + 90s;
  record.last = record.named + 10s;
  if (ended) {
    record.ended = UnixFromSeconds(*ended);
    record.ending = "like its peers";
  }
  record.indicted = true;
  record.degree = 7.2;
  record.text = "io: disk-busy";
  record.document = R"({"schema":"limpet.verdict.v1"})";
  return record;
}

IncidentStore OpenStore(const std::string& path = ":memory:") {
  auto store = IncidentStore::Open(path, Database::Access::kReadWrite);
  EXPECT_TRUE(store) << store.error().Text();
  return *std::move(store);
}

std::vector<std::string> Nodes(const std::vector<IncidentRecord>& records) {
  std::vector<std::string> nodes;
  for (const auto& record : records) {
    nodes.push_back(record.node);
  }
  return nodes;
}

TEST(IncidentStore, AnIncidentHasOneRowHoweverOftenItIsPut) {
  auto store = OpenStore();
  auto record = Record(1);
  ASSERT_TRUE(store.Put(std::vector{record}));
  record.ended = UnixFromSeconds(5000);
  record.ending = "like its peers";
  ASSERT_TRUE(store.Put(std::vector{record}));
  EXPECT_THAT(*store.Recent(UnixTime()), ElementsAre(record));
  EXPECT_EQ(*store.Find(record.id), record);
  EXPECT_EQ(*store.Find("0000000000000000"), std::nullopt);
}

TEST(IncidentStore, WhatWasPutIsThereAfterTheNextStart) {
  const TempFolder folder;
  const auto path = folder.Path() + "/history.db";
  {
    auto store = OpenStore(path);
    ASSERT_TRUE(store.Put(std::vector{Record(1), Record(2, 1500)}));
  }
  EXPECT_THAT(Nodes(*OpenStore(path).Recent(UnixFromSeconds(2000))), ElementsAre("io1"));
  const auto reader = *IncidentStore::Open(path, Database::Access::kReadOnly);
  EXPECT_THAT(*reader.Recent(UnixFromSeconds(1000)), SizeIs(2));
}

TEST(IncidentStore, AListHasWhatOverlapsASpan) {
  auto store = OpenStore();
  ASSERT_TRUE(store.Put(std::vector{Record(1, 1500), Record(2, 2500), Record(3)}));
  const auto list = [&](int from, int to, std::size_t limit = 10, std::string node = {}) {
    return Nodes(*store.List({.from = UnixFromSeconds(from),
                              .to = UnixFromSeconds(to),
                              .node = std::move(node),
                              .limit = limit}));
  };
  EXPECT_THAT(list(0, 9000), ElementsAre("io1", "io2", "io3"));
  EXPECT_THAT(list(2000, 9000), ElementsAre("io2", "io3"));
  EXPECT_THAT(list(0, 1001), ElementsAre("io1"));
  EXPECT_THAT(list(0, 9000, 2), ElementsAre("io2", "io3"));
  EXPECT_THAT(list(0, 9000, 10, "io2"), ElementsAre("io2"));
  EXPECT_EQ(store.List({.to = UnixFromSeconds(9000)})->front().document, "");
}

TEST(IncidentStore, AListIsReadInPartsWhateverBeganTogether) {
  auto store = OpenStore();
  std::vector<IncidentRecord> all;
  for (int number = 0; number < 7; ++number) {
    all.push_back(Record(number));
    all.back().since = UnixFromSeconds(1000 + number / 3);
  }
  ASSERT_TRUE(store.Put(all));
  std::set<std::string> seen;
  std::string before;
  for (int part = 0; part < 4; ++part) {
    const auto list = *store.List({.to = UnixTime::max(), .before = before, .limit = 2});
    ASSERT_EQ(list.size(), part < 3 ? 2U : 1U);
    for (const auto& one : list) {
      EXPECT_TRUE(seen.insert(one.id).second) << one.node;
    }
    before = list.front().id;
  }
  EXPECT_THAT(*store.List({.to = UnixTime::max(), .before = before}), IsEmpty());
  EXPECT_THAT(*store.List({.to = UnixTime::max(), .before = "0000000000000000"}), IsEmpty());
}

// Bytes that this process has read so far by system calls.
std::int64_t BytesRead() {
  std::ifstream io("/proc/self/io");
  std::string key;
  std::int64_t bytes = -1;
  io >> key >> bytes;
  return key == "rchar:" ? bytes : -1;
}

// Documents are nearly all of the file. Keys that were compared with them took a month's list 80
// times as long.
TEST(IncidentStore, AListWithoutDocumentsReadsLittleOfTheFile) {
  const TempFolder folder;
  const auto path = folder.Path("history.db");
  {
    auto store = OpenStore(path);
    std::vector<IncidentRecord> all;
    for (int number = 0; number < 3000; ++number) {
      all.push_back(Record(number, 2000 + number));
      all.back().document = std::string(10'000, 'd');
    }
    ASSERT_TRUE(store.Put(all));
  }
  auto store = OpenStore(path);
  const auto before = BytesRead();
  ASSERT_GE(before, 0);
  ASSERT_THAT(*store.List({.from = UnixFromSeconds(4700), .to = UnixTime::max()}), SizeIs(300));
  EXPECT_LT(BytesRead() - before, 4'000'000);
}

TEST(IncidentStore, AnAnswerWantsAnIncident) {
  auto store = OpenStore();
  ASSERT_TRUE(store.Put(std::vector{Record(1)}));
  IncidentAnswer answer{.incident = Record(1).id,
                        .at = UnixFromSeconds(2000),
                        .kind = AnswerKind::kMaintenance,
                        .until = UnixFromSeconds(9000),
                        .note = "new cable",
                        .by = "op"};
  ASSERT_TRUE(store.Add(answer));
  EXPECT_THAT(*store.AnswersTo(answer.incident), ElementsAre(answer));
  // Old, but it still holds.
  const auto since = *store.AnswersSince(UnixFromSeconds(3000));
  ASSERT_THAT(since, SizeIs(1));
  EXPECT_EQ(since[0].answer, answer);
  EXPECT_EQ(since[0].incident.node, "io1");
  // It holds as long as the incident goes on.
  EXPECT_THAT(*store.AnswersSince(UnixFromSeconds(9001)), SizeIs(1));
  auto ended = Record(1);
  ended.ended = UnixFromSeconds(5000);
  ASSERT_TRUE(store.Put(std::vector{ended}));
  EXPECT_THAT(*store.AnswersSince(UnixFromSeconds(9001)), IsEmpty());
  answer.incident = "0000000000000000";
  const auto refused = store.Add(answer);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNotFound);
}

TEST(IncidentStore, AnAnswerIsToldOnce) {
  auto store = OpenStore();
  ASSERT_TRUE(store.Put(std::vector{Record(1)}));
  ASSERT_TRUE(store.Add({.incident = Record(1).id, .at = UnixFromSeconds(1)}));
  const auto untold = *store.Untold();
  ASSERT_THAT(untold, SizeIs(1));
  EXPECT_EQ(untold[0].incident, Record(1));
  ASSERT_TRUE(store.Tell(untold[0].number, std::vector<OutboxEntry>{{.sink = "hook"}}));
  EXPECT_THAT(*store.Untold(), IsEmpty());
  EXPECT_EQ(*store.Waiting("hook"), 1);
}

TEST(IncidentStore, AnotherProcessIsNoticed) {
  const TempFolder folder;
  const auto path = folder.Path() + "/history.db";
  auto ours = OpenStore(path);
  ASSERT_TRUE(ours.Put(std::vector{Record(1)}));
  const auto before = *ours.Version();
  EXPECT_EQ(*ours.Version(), before);
  auto theirs = OpenStore(path);
  ASSERT_TRUE(theirs.Add({.incident = Record(1).id, .at = UnixFromSeconds(1)}));
  EXPECT_NE(*ours.Version(), before);
}

TEST(IncidentStore, TwoAnswersAtOnceAreBothKept) {
  const TempFolder folder;
  const auto path = folder.Path() + "/history.db";
  ASSERT_TRUE(OpenStore(path).Put(std::vector{Record(1)}));
  constexpr int kEach = 50;
  const auto answer = [&](const std::string& by) {
    auto store = OpenStore(path);
    for (int i = 0; i < kEach; ++i) {
      EXPECT_TRUE(store.Add({.incident = Record(1).id, .at = UnixFromSeconds(i), .by = by}));
    }
  };
  std::thread other(answer, "ann");
  answer("bob");
  other.join();
  EXPECT_THAT(*OpenStore(path).AnswersTo(Record(1).id), SizeIs(2 * kEach));
}

TEST(IncidentStore, WhatIsTooOldGoes) {
  auto store = OpenStore();
  ASSERT_TRUE(store.Put(std::vector{Record(1, 1500), Record(2, 2500), Record(3)}));
  ASSERT_TRUE(store.Add({.incident = Record(1).id, .at = UnixFromSeconds(1)}));
  const auto kept = *store.Trim(UnixFromSeconds(2000), 1 << 30);
  EXPECT_EQ(kept.dropped, 1U);
  EXPECT_THAT(Nodes(*store.List({.to = UnixFromSeconds(9000)})), ElementsAre("io2", "io3"));
  EXPECT_THAT(*store.AnswersTo(Record(1).id), IsEmpty());
}

TEST(IncidentStore, AFullHistoryLosesItsOldestAndNothingThatIsOpen) {
  const TempFolder folder;
  auto store = OpenStore(folder.Path() + "/history.db");
  std::vector<IncidentRecord> records;
  for (int i = 1; i <= 2000; ++i) {
    records.push_back(Record(i, 10'000 + i));
    records.back().document = std::string(1000, 'x');
  }
  records.push_back(Record(2001));
  ASSERT_TRUE(store.Put(records));
  const auto kept = *store.Trim(UnixTime(), 1'500'000);
  EXPECT_LE(kept.bytes, 1'500'000);
  EXPECT_GT(kept.dropped, 0U);
  const auto left = *store.List({.to = UnixFromSeconds(90'000), .limit = 9999});
  EXPECT_EQ(left.size() + kept.dropped, 2001U);
  EXPECT_EQ(left.back().node, "io2001");
  EXPECT_FALSE(left.back().ended);
}

TEST(IncidentStore, AFileThatIsNotOursIsRefused) {
  const TempFolder folder;
  const auto path = folder.Path() + "/history.db";
  const auto refused = [&] {
    const auto store = IncidentStore::Open(path, Database::Access::kReadWrite);
    return store ? std::string("opened") : store.error().message;
  };
  std::ofstream(path) << std::string(100'000, 'x');
  EXPECT_NE(refused(), "opened");
  std::filesystem::remove(path);
  ASSERT_TRUE(Database::Open(path, Database::Access::kReadWrite)->Run("CREATE TABLE t(a)"));
  EXPECT_EQ(refused(), "is no history of limpet-diagnoser");
  std::filesystem::remove(path);
  (void)OpenStore(path);
  ASSERT_TRUE(Database::Open(path, Database::Access::kReadWrite)->Run("PRAGMA user_version=7"));
  EXPECT_EQ(refused(), "is of version 7, expected 1");
}

TEST(IncidentStore, ADamagedOrShortenedFileIsAnErrorAndNoCrash) {
  const TempFolder folder;
  const auto path = folder.Path() + "/history.db";
  std::vector<IncidentRecord> records;
  for (int i = 1; i <= 300; ++i) {
    records.push_back(Record(i));
  }
  {
    auto store = OpenStore(path);
    ASSERT_TRUE(store.Put(records));
  }
  const auto size = std::filesystem::file_size(path);
  for (const auto at : {size / 5, size / 3, size / 2, size - 4096}) {
    std::filesystem::copy_file(path, path + ".bad",
                               std::filesystem::copy_options::overwrite_existing);
    {
      std::fstream file(path + ".bad", std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(at));
      file << std::string(4096, '\xa5');
    }
    auto store = IncidentStore::Open(path + ".bad", Database::Access::kReadWrite);
    const auto read = store ? store->Recent(UnixTime()) : store.error();
    EXPECT_TRUE(!read || read->size() == 300U) << at;
    std::filesystem::resize_file(path + ".bad", at);
    store = IncidentStore::Open(path + ".bad", Database::Access::kReadWrite);
    const auto cut = store ? store->Recent(UnixTime()) : store.error();
    EXPECT_FALSE(cut) << at;
  }
}

}  // namespace
}  // namespace limpet::store_test
