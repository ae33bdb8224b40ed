// database.h: SQLite behind a small interface of our own: a file, statements, errors that say what
// to do.
//
// A file of a stranger is not trusted: no function of its schema runs, links are not followed and
// damaged pages are found before they are used.
// Errors:  kInvalid: it is no database, or a damaged one; kTooLarge: the disk, or the bound, is
//          full; kTimeout: another program holds it; kUnavailable: everything else.
// Threads: one at a time for each Database.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/common/result.h"
#include "exporter/common/time.h"

struct sqlite3;
struct sqlite3_stmt;

namespace limpet {

class Database;

// One SQL statement: bind its values in order, then step through its rows.
class Statement {
 public:
  Statement(Statement&&) noexcept = default;
  Statement& operator=(Statement&&) noexcept = default;

  // The next parameter. Views must live until the statement is gone.
  Statement& Bind(std::string_view text);
  Statement& Bind(std::int64_t value);
  Statement& Bind(double value);
  Statement& Bind(UnixTime at);  // milliseconds since 1970, rounded down
  Statement& Bind(const std::optional<UnixTime>& at);

  // True: there is a row. False: it is done.
  [[nodiscard]] Result<bool> Step();
  // Steps to its end; rows are ignored.
  [[nodiscard]] Result<void> Run();

  // Columns of the row, from 0.
  [[nodiscard]] std::string Text(int column) const;
  [[nodiscard]] std::int64_t Integer(int column) const;
  [[nodiscard]] double Number(int column) const;
  [[nodiscard]] UnixTime Time(int column) const;
  [[nodiscard]] std::optional<UnixTime> OptionalTime(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3* connection, sqlite3_stmt* statement)
      : connection_(connection), statement_(statement) {}

  sqlite3* connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
  int problem_ = 0;  // of a Bind
};

class Database {
 public:
  enum class Access { kReadWrite, kReadOnly };

  // ":memory:" is a database of its own that is gone with the object.
  [[nodiscard]] static Result<Database> Open(const std::string& path, Access access);

  [[nodiscard]] Result<Statement> Prepare(std::string_view sql) const;
  // Statements that have no values and no rows of interest.
  [[nodiscard]] Result<void> Run(const char* sql) const;
  // The one value of a statement such as "PRAGMA page_count".
  [[nodiscard]] Result<std::int64_t> Ask(std::string_view sql) const;
  // Rows that the latest statement has changed.
  [[nodiscard]] std::int64_t Changed() const;
  // Rows changed by this connection since it was opened.
  [[nodiscard]] std::int64_t TotalChanged() const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit Database(sqlite3* connection) : connection_(connection) {}

  std::unique_ptr<sqlite3, Close> connection_;
};

// All or nothing: what was not committed is undone.
class Transaction {
 public:
  [[nodiscard]] static Result<Transaction> Begin(const Database& database);
  ~Transaction();
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;

  [[nodiscard]] Result<void> Commit();

 private:
  explicit Transaction(const Database& database) : database_(&database) {}
  const Database* database_;
};

}  // namespace limpet
