#include "diagnoser/incidents/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temp_folder.h"

namespace limpet::database_test {
namespace {

using testing::TempFolder;

TEST(Database, ValuesComeBackAsTheyWere) {
  const auto database = *Database::Open(":memory:", Database::Access::kReadWrite);
  ASSERT_TRUE(database.Run("CREATE TABLE t(a TEXT, b INTEGER, c REAL, d INTEGER, e INTEGER)"));
  auto insert = *database.Prepare("INSERT INTO t VALUES(?,?,?,?,?)");
  const std::string text("a\0b", 3);
  ASSERT_TRUE(insert.Bind(text)
                  .Bind(std::int64_t{-5})
                  .Bind(0.1)
                  .Bind(UnixFromMilliseconds(1'234))
                  .Bind(std::optional<UnixTime>())
                  .Run());
  auto row = *database.Prepare("SELECT * FROM t");
  ASSERT_TRUE(*row.Step());
  EXPECT_EQ(row.Text(0), text);
  EXPECT_EQ(row.Integer(1), -5);
  EXPECT_EQ(row.Number(2), 0.1);
  EXPECT_EQ(row.Time(3), UnixFromMilliseconds(1'234));
  EXPECT_FALSE(row.OptionalTime(4));
  EXPECT_FALSE(*row.Step());
}

TEST(Database, WhatIsNotCommittedIsUndone) {
  const auto database = *Database::Open(":memory:", Database::Access::kReadWrite);
  ASSERT_TRUE(database.Run("CREATE TABLE t(a)"));
  {
    const auto transaction = Transaction::Begin(database);
    ASSERT_TRUE(database.Run("INSERT INTO t VALUES(1)"));
  }
  EXPECT_EQ(*database.Ask("SELECT count(*) FROM t"), 0);
  {
    auto transaction = *Transaction::Begin(database);
    ASSERT_TRUE(database.Run("INSERT INTO t VALUES(1)"));
    ASSERT_TRUE(transaction.Commit());
  }
  EXPECT_EQ(*database.Ask("SELECT count(*) FROM t"), 1);
}

TEST(Database, AnInstantThatNoClockShowsIsNotTrusted) {
  const auto database = *Database::Open(":memory:", Database::Access::kReadWrite);
  auto row = *database.Prepare("SELECT 9223372036854775807");
  ASSERT_TRUE(*row.Step());
  EXPECT_EQ(row.Time(0), UnixTime());
}

TEST(Database, ALinkIsNotFollowed) {
  const TempFolder folder;
  std::filesystem::create_symlink("/etc/passwd", folder.Path() + "/link");
  EXPECT_FALSE(Database::Open(folder.Path() + "/link", Database::Access::kReadWrite));
}

TEST(Database, WhatIsNoDatabaseIsInvalid) {
  const TempFolder folder;
  const auto path = folder.Path() + "/text";
  std::ofstream(path) << std::string(5'000, 'x');
  const auto database = Database::Open(path, Database::Access::kReadWrite);
  const auto asked = database ? database->Ask("PRAGMA user_version") : database.error();
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace limpet::database_test
