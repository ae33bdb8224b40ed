// The power goes at any instant: the history has every incident that had been kept by then, each
// once.
//
// A file system of SQLite's in between writes down every write and fsync. A cut at one of them is
// the file with all that was synced, and of the sectors written since then some, others, or none.
//
// LIMPET_KILLS: how often; 20 by default.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <random>
#include <set>

#include "diagnoser/incidents/store.h"
#include "tests/support/temp_folder.h"

namespace limpet::incident_power_test {
namespace {

// What has been done to one file.
struct Step {
  enum class Kind : std::uint8_t { kWrite, kTruncate, kSync };
  Kind kind = Kind::kWrite;
  std::string path;
  std::int64_t offset = 0;  // or the new length
  std::string bytes;
};
using Steps = std::vector<Step>;

// The file that SQLite sees; the real one lies behind it in the same memory.
struct RecordedFile {
  sqlite3_file base;
  Steps* steps;
  const char* path;  // SQLite's, valid until the file is closed
};

sqlite3_file* Real(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<RecordedFile*>(file) + 1);
}

void Record(sqlite3_file* file, Step::Kind kind, std::int64_t offset, std::string bytes = {}) {
  const auto* const recorded = reinterpret_cast<RecordedFile*>(file);
  if (recorded->path != nullptr) {
    recorded->steps->push_back(
        {.kind = kind, .path = recorded->path, .offset = offset, .bytes = std::move(bytes)});
  }
}

// Calls the same function of the real file.
template <auto Member, class... Arguments>
auto Pass(sqlite3_file* file, Arguments... arguments) {
  auto* const real = Real(file);
  return (real->pMethods->*Member)(real, arguments...);
}

int Write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
  const auto size = static_cast<std::size_t>(count);
  Record(file, Step::Kind::kWrite, offset, std::string(static_cast<const char*>(bytes), size));
  return Pass<&sqlite3_io_methods::xWrite>(file, bytes, count, offset);
}

int Truncate(sqlite3_file* file, sqlite3_int64 length) {
  Record(file, Step::Kind::kTruncate, length);
  return Pass<&sqlite3_io_methods::xTruncate>(file, length);
}

int Sync(sqlite3_file* file, int flags) {
  Record(file, Step::Kind::kSync, 0);
  return Pass<&sqlite3_io_methods::xSync>(file, flags);
}

// Version 2: without memory mapping, through which writes would not be seen.
const sqlite3_io_methods kMethods = {
    .iVersion = 2,
    .xClose = Pass<&sqlite3_io_methods::xClose>,
    .xRead = Pass<&sqlite3_io_methods::xRead, void*, int, sqlite3_int64>,
    .xWrite = Write,
    .xTruncate = Truncate,
    .xSync = Sync,
    .xFileSize = Pass<&sqlite3_io_methods::xFileSize, sqlite3_int64*>,
    .xLock = Pass<&sqlite3_io_methods::xLock, int>,
    .xUnlock = Pass<&sqlite3_io_methods::xUnlock, int>,
    .xCheckReservedLock = Pass<&sqlite3_io_methods::xCheckReservedLock, int*>,
    .xFileControl = Pass<&sqlite3_io_methods::xFileControl, int, void*>,
    .xSectorSize = Pass<&sqlite3_io_methods::xSectorSize>,
    .xDeviceCharacteristics = Pass<&sqlite3_io_methods::xDeviceCharacteristics>,
    .xShmMap = Pass<&sqlite3_io_methods::xShmMap, int, int, int, void volatile**>,
    .xShmLock = Pass<&sqlite3_io_methods::xShmLock, int, int, int>,
    .xShmBarrier = Pass<&sqlite3_io_methods::xShmBarrier>,
    .xShmUnmap = Pass<&sqlite3_io_methods::xShmUnmap, int>,
    .xFetch = nullptr,
    .xUnfetch = nullptr};

// SQLite's own files, written down while it lives.
class RecordingDisk {
 public:
  RecordingDisk() : real_(::sqlite3_vfs_find(nullptr)), vfs_(*real_) {
    vfs_.zName = "recording";
    vfs_.pAppData = this;
    vfs_.szOsFile += static_cast<int>(sizeof(RecordedFile));
    vfs_.xOpen = [](sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
      auto* const self = static_cast<RecordingDisk*>(vfs->pAppData);
      const auto* const path =
          (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) != 0 ? name : nullptr;
      auto* const recorded =
          new (file) RecordedFile{.base = {}, .steps = &self->steps_, .path = path};
      const int problem = self->real_->xOpen(self->real_, name, Real(file), flags, out);
      recorded->base.pMethods = problem == SQLITE_OK ? &kMethods : nullptr;
      return problem;
    };
    ::sqlite3_vfs_register(&vfs_, 1);
  }
  ~RecordingDisk() {
    ::sqlite3_vfs_register(real_, 1);
    ::sqlite3_vfs_unregister(&vfs_);
  }
  RecordingDisk(const RecordingDisk&) = delete;
  RecordingDisk& operator=(const RecordingDisk&) = delete;

  [[nodiscard]] const Steps& Done() const { return steps_; }

 private:
  sqlite3_vfs* real_;
  sqlite3_vfs vfs_;
  Steps steps_;
};

constexpr std::size_t kSector = 512;

// What of an unsynced write has come to the disk. Sectors are whole.
void Tear(std::string& content, const Step& step, std::mt19937& random) {
  for (std::size_t at = 0; at < step.bytes.size(); at += kSector) {
    if (random() % 2 == 0) {
      const auto piece = step.bytes.substr(at, kSector);
      const auto place = static_cast<std::size_t>(step.offset) + at;
      content.resize(std::max(content.size(), place + piece.size()));
      content.replace(place, piece.size(), piece);
    }
  }
}

void Apply(std::string& content, const Step& step) {
  const auto offset = static_cast<std::size_t>(step.offset);
  if (step.kind == Step::Kind::kTruncate) {
    content.resize(offset);
  } else if (step.kind == Step::Kind::kWrite) {
    content.resize(std::max(content.size(), offset + step.bytes.size()));
    content.replace(offset, step.bytes.size(), step.bytes);
  }
}

// The files after a power cut before step `end`, by path.
std::map<std::string, std::string> AfterCut(const Steps& steps, std::size_t end,
                                            std::mt19937& random) {
  std::map<std::string, std::size_t> synced;
  for (std::size_t i = 0; i < end; ++i) {
    if (steps[i].kind == Step::Kind::kSync) {
      synced[steps[i].path] = i;
    }
  }
  std::map<std::string, std::string> files;
  const bool nothing = random() % 4 == 0;  // has come to the disk since
  for (std::size_t i = 0; i < end; ++i) {
    const auto& step = steps[i];
    auto& content = files[step.path];
    if (synced.contains(step.path) && i < synced[step.path]) {
      Apply(content, step);
    } else if (!nothing && step.kind == Step::Kind::kTruncate && random() % 2 == 0) {
      Apply(content, step);
    } else if (!nothing && step.kind == Step::Kind::kWrite) {
      Tear(content, step, random);
    }
  }
  return files;
}

IncidentRecord Incident(int number) {
  IncidentRecord record;
  record.node = "io" + std::to_string(number);
  record.id = IncidentId("", record.node, "disk", UnixTime());
  record.since = record.last = UnixFromSeconds(1'795'312'800 + number);
  record.document = std::string(9'500, static_cast<char>('a' + number % 26));
  return record;
}

// Each incident with how many steps had been done when it was kept.
std::map<std::string, std::size_t> KeepMany(const std::string& path, const RecordingDisk& disk,
                                            int many) {
  std::map<std::string, std::size_t> kept;
  auto store = *IncidentStore::Open(path, Database::Access::kReadWrite);
  for (int i = 0; i < many; ++i) {
    const auto record = Incident(i);
    const OutboxEntry entry{.sink = "hook", .incident = record.id, .change = "began", .body = "{}"};
    EXPECT_TRUE(store.Put(std::vector{record}, std::vector{entry}));
    kept.emplace(record.id, disk.Done().size());
    if (i % 3 == 0) {  // one of before goes on
      EXPECT_TRUE(store.Put(std::vector{Incident(i / 2)}));
    }
  }
  return kept;
}

TEST(IncidentPower, WhatWasKeptIsThereOnceAfterACutAtAnyInstant) {
  const testing::TempFolder folder;
  const auto* const wish = std::getenv("LIMPET_KILLS");  // NOLINT(concurrency-mt-unsafe)
  const int cuts = wish == nullptr ? 20 : std::atoi(wish);
  constexpr int kIncidents = 400;  // some checkpoints
  const auto path = folder.Path("history.db");
  Steps steps;
  std::map<std::string, std::size_t> kept;
  {
    const RecordingDisk disk;
    kept = KeepMany(path, disk, kIncidents);
    steps = disk.Done();
  }
  ASSERT_TRUE(std::ranges::any_of(steps, [&](const Step& step) { return step.path == path; }));
  std::mt19937 random(11);
  std::size_t wanted = 0;
  for (int cut = 0; cut < cuts; ++cut) {
    const auto end = random() % steps.size();
    const testing::TempFolder after;
    for (const auto& [name, content] : AfterCut(steps, end, random)) {
      std::ofstream(after.Path(std::filesystem::path(name).filename().string()), std::ios::binary)
          << content;
    }
    std::multiset<std::string> found;
    const auto store = IncidentStore::Open(after.Path("history.db"), Database::Access::kReadWrite);
    ASSERT_TRUE(store) << "step " << end << ": " << store.error().Text();
    ASSERT_TRUE(store->ForEach({.to = UnixTime::max(), .documents = true},
                               [&](const IncidentRecord& record) {
                                 found.insert(record.id);
                                 return true;
                               }))
        << "step " << end;
    for (const auto& [id, done] : kept) {
      if (done <= end) {
        ++wanted;
        ASSERT_EQ(found.count(id), 1U) << "step " << end << " of " << steps.size();
      }
    }
  }
  EXPECT_GT(wanted, static_cast<std::size_t>(cuts));
  RecordProperty("incidents that had been kept at the cuts", static_cast<int>(wanted));
}

}  // namespace
}  // namespace limpet::incident_power_test
