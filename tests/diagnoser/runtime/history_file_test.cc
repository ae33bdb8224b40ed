#include "diagnoser/runtime/history_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temp_folder.h"

namespace limpet::history_file_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HistoryFileTest : public ::testing::Test {
 protected:
  HistoryFile Open(const std::string& folder) {
    return HistoryFile(folder, settings_,
                       [this](LogLevel, std::string_view line) { log_.emplace_back(line); });
  }
  static IncidentRecord Record() {
    IncidentRecord record;
    record.id = "0123456789abcdef";
    record.document = "{}";
    return record;
  }
  static constexpr SteadyTime kBegin{1h};

  const testing::TempFolder folder_;
  IncidentSettings settings_;
  std::vector<std::string> log_;
};

TEST_F(HistoryFileTest, WithoutAFolderItIsInMemory) {
  auto file = Open("");
  EXPECT_FALSE(file.IsOnDisk());
  ASSERT_TRUE(file.Store().Put(std::vector{Record()}));
  EXPECT_FALSE(file.Retry(kBegin));
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(HistoryFileTest, ALinkToTheFolderIsFollowedButNoneInIt) {
  std::filesystem::create_directory(folder_.Path("private"));
  std::filesystem::create_directory_symlink(folder_.Path("private"), folder_.Path("state"));
  EXPECT_TRUE(Open(folder_.Path("state")).IsOnDisk());
  std::filesystem::remove(folder_.Path("private/history.db"));
  std::ofstream(folder_.Path("victim")) << "";
  std::filesystem::create_symlink(folder_.Path("victim"), folder_.Path("private/history.db"));
  EXPECT_FALSE(Open(folder_.Path("state")).IsOnDisk());
  EXPECT_EQ(std::filesystem::file_size(folder_.Path("victim")), 0U);
}

TEST_F(HistoryFileTest, AFullDiskIsToldOnceAndWhatIsOpenGoesOn) {
  auto file = Open(folder_.Path());
  const Error full{ErrorCode::kTooLarge, "database or disk is full", ""};
  file.Replace(full, {{"0123456789abcdef", Record()}}, kBegin);
  EXPECT_FALSE(file.IsOnDisk());
  EXPECT_THAT(*file.Store().Recent(UnixTime()), SizeIs(1));
  EXPECT_THAT(log_,
              ElementsAre(HasSubstr("database or disk is full; incidents are kept in memory")));
  EXPECT_FALSE(file.Retry(kBegin + 59s));
  EXPECT_TRUE(file.Retry(kBegin + 60s));
  EXPECT_THAT(*file.Store().Recent(UnixTime()), ElementsAre(Record()));
  EXPECT_THAT(log_, SizeIs(2));
}

TEST_F(HistoryFileTest, WhatWasAnsweredMeanwhileIsWrittenToo) {
  auto file = Open(folder_.Path());
  file.Replace({ErrorCode::kUnavailable, "disk I/O error", ""}, {}, kBegin);
  ASSERT_TRUE(file.Store().Put(std::vector{Record()}));
  ASSERT_TRUE(file.Store().Add({.incident = Record().id, .at = UnixFromSeconds(5)}));
  ASSERT_TRUE(file.Retry(kBegin + 60s));
  EXPECT_THAT(*file.Store().AnswersTo(Record().id), SizeIs(1));
}

TEST_F(HistoryFileTest, NotAllMayReadIt) {
  auto file = Open(folder_.Path());
  ASSERT_TRUE(file.Store().Put(std::vector{Record()}));
  for (const auto* const name : {"history.db", "history.db-wal"}) {
    const auto mode = std::filesystem::status(folder_.Path(name)).permissions();
    EXPECT_EQ(mode & std::filesystem::perms::others_all, std::filesystem::perms::none) << name;
  }
}

// Less is kept from then on, but what is there is a history of ours.
TEST_F(HistoryFileTest, AFileThatWasWrittenUnderAHigherBoundIsKept) {
  auto record = Record();
  {
    auto file = Open(folder_.Path());
    record.document.assign(std::size_t{70} << 20U, ' ');
    ASSERT_TRUE(file.Store().Put(std::vector{record}));
  }
  settings_.max_bytes = 1 << 20;
  EXPECT_THAT(*Open(folder_.Path()).Store().Recent(UnixTime()), SizeIs(1));
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(HistoryFileTest, AnotherVersionIsKeptBeside) {
  { (void)Open(folder_.Path()); }
  ASSERT_TRUE(Database::Open(folder_.Path("history.db"), Database::Access::kReadWrite)
                  ->Run("PRAGMA user_version=9"));
  EXPECT_TRUE(Open(folder_.Path()).IsOnDisk());
  EXPECT_THAT(log_, ElementsAre(HasSubstr("is of version 9, expected 1; it is kept as")));
  EXPECT_TRUE(std::filesystem::exists(folder_.Path("history.db.refused")));
}

}  // namespace
}  // namespace limpet::history_file_test
