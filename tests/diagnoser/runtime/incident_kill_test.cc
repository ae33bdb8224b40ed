// Killed at any instant, the history has every incident that was published, each once.
//
// LIMPET_KILLS: how often; 20 by default.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "diagnoser/runtime/incident_keeper.h"
#include "tests/support/temp_folder.h"

namespace limpet::incident_kill_test {
namespace {

using namespace std::chrono_literals;

IncidentRecord Record(const std::string& node) {
  IncidentRecord record;
  record.node = node;
  record.id = IncidentId("", node, "disk", UnixTime());
  record.since = record.last = RealClock().Now();
  record.indicted = true;
  record.document = std::string(3'000, 'x');
  return record;
}

// A life of the diagnoser as far as incidents go: each is put, waited for, and then told to the
// world, which is `pipe`.
[[noreturn]] void Live(const std::string& folder, int life, int pipe) {
  const RealClock clock;
  IncidentKeeper keeper({.folder = folder}, {}, clock, [](LogLevel, std::string_view) {});
  for (int i = 0;; ++i) {
    const auto record = Record(std::to_string(life) + "-" + std::to_string(i));
    keeper.Put({{.kind = IncidentChange::Kind::kBegan, .record = record, .named = true}});
    if (keeper.WaitWritten(10s)) {
      (void)!::write(pipe, record.id.data(), record.id.size());
    }
    if (i % 3 == 0) {  // and some go on: the same row is written again
      keeper.Put({{.kind = IncidentChange::Kind::kWentOn, .record = record}});
    }
  }
}

std::string ReadAll(int pipe) {
  std::string all;
  std::string piece(4096, '\0');
  for (auto bytes = ::read(pipe, piece.data(), piece.size()); bytes > 0;
       bytes = ::read(pipe, piece.data(), piece.size())) {
    all.append(piece, 0, static_cast<std::size_t>(bytes));
  }
  return all;
}

// What one life has published before it was killed.
std::vector<std::string> KillOneLife(const std::string& folder, int life, Duration after) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const auto child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    Live(folder, life, ends[1]);
  }
  ::close(ends[1]);
  ::usleep(static_cast<useconds_t>(after / 1us));
  ::kill(child, SIGKILL);
  const auto text = ReadAll(ends[0]);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  std::vector<std::string> ids;
  for (std::size_t at = 0; at + 16 <= text.size(); at += 16) {
    ids.push_back(text.substr(at, 16));
  }
  return ids;
}

std::multiset<std::string> Kept(const std::string& path) {
  std::multiset<std::string> kept;
  const auto store = IncidentStore::Open(path, Database::Access::kReadWrite);
  EXPECT_TRUE(store) << store.error().Text();
  EXPECT_TRUE(store->ForEach({.to = UnixTime::max()}, [&](const IncidentRecord& record) {
    kept.insert(record.id);
    return true;
  }));
  return kept;
}

TEST(IncidentKill, WhatWasPublishedIsKeptOnce) {
  const testing::TempFolder folder;
  const auto* const wish = std::getenv("LIMPET_KILLS");  // NOLINT(concurrency-mt-unsafe)
  const int kills = wish == nullptr ? 20 : std::atoi(wish);
  std::mt19937 random(7);
  std::uniform_int_distribution<int> milliseconds(5, 120);
  std::size_t published = 0;
  for (int life = 0; life < kills; ++life) {
    const auto ids = KillOneLife(folder.Path(), life, milliseconds(random) * 1ms);
    published += ids.size();
    const auto kept = Kept(folder.Path("history.db"));
    for (const auto& id : ids) {
      ASSERT_EQ(kept.count(id), 1U) << "life " << life;
    }
  }
  EXPECT_GT(published, 0U);
  EXPECT_GE(Kept(folder.Path("history.db")).size(), published);
  EXPECT_FALSE(std::filesystem::exists(folder.Path("history.db.refused")));
  RecordProperty("published", static_cast<int>(published));
}

// The power goes while the journal is being written: what had been committed is there, what was
// torn is not.
TEST(IncidentKill, ATornJournalLosesNothingThatWasCommitted) {
  const testing::TempFolder folder;
  const auto path = folder.Path("history.db");
  auto store = *IncidentStore::Open(path, Database::Access::kReadWrite);
  std::vector<IncidentRecord> records;
  for (int i = 0; i < 20; ++i) {
    records.push_back(Record(std::to_string(i)));
    ASSERT_TRUE(store.Put(std::vector{records.back()}));
  }
  const auto whole = std::filesystem::file_size(path + "-wal");
  std::mt19937 random(3);
  for (int cut = 0; cut < 20; ++cut) {
    const auto copy = folder.Path("copy.db");
    for (const auto* const end : {"", "-wal"}) {
      std::filesystem::copy_file(path + end, copy + end,
                                 std::filesystem::copy_options::overwrite_existing);
    }
    std::filesystem::remove(copy + "-shm");
    {
      std::ofstream journal(copy + "-wal", std::ios::app | std::ios::binary);
      journal << std::string(random() % 9000, static_cast<char>(random()));
    }
    ASSERT_GE(std::filesystem::file_size(copy + "-wal"), whole);
    EXPECT_EQ(Kept(copy).size(), records.size()) << cut;
  }
}

}  // namespace
}  // namespace limpet::incident_kill_test
