#include "diagnoser/incidents/database.h"

#include <sqlite3.h>

#include <chrono>
#include <utility>

#include "exporter/common/instants.h"

namespace limpet {
namespace {

// A command of ours that writes at the same time is done within milliseconds.
constexpr int kBusyMilliseconds = 2000;

// The low byte is the kind of problem, the rest says more about it.
ErrorCode CodeOf(int problem) {
  switch (problem & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::kInvalid;
    case SQLITE_FULL:
      return ErrorCode::kTooLarge;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::kTimeout;
    default:
      return ErrorCode::kUnavailable;
  }
}

// Without a connection there was no memory for one.
Error ErrorOf(sqlite3* connection, int problem) {
  const auto* const path =
      connection == nullptr ? nullptr : ::sqlite3_db_filename(connection, "main");
  return {CodeOf(problem),
          connection == nullptr ? ::sqlite3_errstr(problem) : ::sqlite3_errmsg(connection),
          path == nullptr ? "" : path};
}

std::int64_t Milliseconds(UnixTime at) {
  return std::chrono::floor<std::chrono::milliseconds>(at.time_since_epoch()).count();
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  ::sqlite3_finalize(statement);
}

Statement& Statement::Bind(std::string_view text) {
  // Not null for an empty text, which may have no bytes to point to.
  const auto* const bytes = text.data() == nullptr ? "" : text.data();
  problem_ |= ::sqlite3_bind_text(statement_.get(), ++bound_, bytes, static_cast<int>(text.size()),
                                  SQLITE_STATIC);
  return *this;
}

Statement& Statement::Bind(std::int64_t value) {
  problem_ |= ::sqlite3_bind_int64(statement_.get(), ++bound_, value);
  return *this;
}

Statement& Statement::Bind(double value) {
  problem_ |= ::sqlite3_bind_double(statement_.get(), ++bound_, value);
  return *this;
}

Statement& Statement::Bind(UnixTime at) { return Bind(Milliseconds(at)); }

Statement& Statement::Bind(const std::optional<UnixTime>& at) {
  if (at) {
    return Bind(*at);
  }
  problem_ |= ::sqlite3_bind_null(statement_.get(), ++bound_);
  return *this;
}

// A value that could not be bound is an error of the statement: without it, it would mean something
// else.
Result<bool> Statement::Step() {
  if (problem_ != SQLITE_OK) {
    return ErrorOf(connection_, problem_);
  }
  const int problem = ::sqlite3_step(statement_.get());
  if (problem == SQLITE_ROW || problem == SQLITE_DONE) {
    return problem == SQLITE_ROW;
  }
  return ErrorOf(connection_, problem);
}

Result<void> Statement::Run() {
  auto more = Step();
  while (more && *more) {
    more = Step();
  }
  return more ? Result<void>() : more.error();
}

// By its length: a text may hold NUL.
std::string Statement::Text(int column) const {
  const auto* const text = ::sqlite3_column_text(statement_.get(), column);
  const auto bytes = static_cast<std::size_t>(::sqlite3_column_bytes(statement_.get(), column));
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text), bytes);
}

std::int64_t Statement::Integer(int column) const {
  return ::sqlite3_column_int64(statement_.get(), column);
}

double Statement::Number(int column) const {
  return ::sqlite3_column_double(statement_.get(), column);
}

UnixTime Statement::Time(int column) const {
  // What is no instant was not written by us: damaged, or made by hand.
  return InstantFromSeconds(static_cast<double>(Integer(column)) / 1000).value_or(UnixTime());
}

std::optional<UnixTime> Statement::OptionalTime(int column) const {
  return ::sqlite3_column_type(statement_.get(), column) == SQLITE_NULL
             ? std::nullopt
             : std::optional(Time(column));
}

void Database::Close::operator()(sqlite3* connection) const { ::sqlite3_close_v2(connection); }

// NOMUTEX: a connection belongs to one thread. The settings are those that SQLite recommends for
// files that others may have written (sqlite.org/security.html).
Result<Database> Database::Open(const std::string& path, Access access) {
  const int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW |
                    (access == Access::kReadOnly ? SQLITE_OPEN_READONLY
                                                 : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  sqlite3* connection = nullptr;
  const int problem = ::sqlite3_open_v2(path.c_str(), &connection, flags, nullptr);
  Database database(connection);
  if (problem != SQLITE_OK) {
    auto error = ErrorOf(connection, problem);
    error.where = path;
    return error;
  }
  ::sqlite3_busy_timeout(connection, kBusyMilliseconds);
  ::sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  ::sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  ::sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
  if (auto done = database.Run("PRAGMA cell_size_check=ON"); !done) {
    return done.error();
  }
  return database;
}

Result<Statement> Database::Prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int problem = ::sqlite3_prepare_v2(connection_.get(), sql.data(),
                                           static_cast<int>(sql.size()), &statement, nullptr);
  if (problem != SQLITE_OK) {
    return ErrorOf(connection_.get(), problem);
  }
  return Statement(connection_.get(), statement);
}

Result<void> Database::Run(const char* sql) const {
  const int problem = ::sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr);
  return problem == SQLITE_OK ? Result<void>() : ErrorOf(connection_.get(), problem);
}

// No row is 0, as of a PRAGMA that this version of SQLite does not know.
Result<std::int64_t> Database::Ask(std::string_view sql) const {
  auto statement = Prepare(sql);
  if (!statement) {
    return statement.error();
  }
  const auto row = statement->Step();
  if (!row) {
    return row.error();
  }
  return *row ? statement->Integer(0) : 0;
}

std::int64_t Database::Changed() const { return ::sqlite3_changes64(connection_.get()); }

std::int64_t Database::TotalChanged() const { return ::sqlite3_total_changes64(connection_.get()); }

Result<Transaction> Transaction::Begin(const Database& database) {
  // At once, not with the first write: a reader that becomes a writer may find another one there.
  if (auto begun = database.Run("BEGIN IMMEDIATE"); !begun) {
    return begun.error();
  }
  return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

// After a full disk SQLite has rolled back by itself, and this changes nothing.
Transaction::~Transaction() {
  if (database_ != nullptr) {
    (void)database_->Run("ROLLBACK");
  }
}

Result<void> Transaction::Commit() {
  auto committed = database_->Run("COMMIT");
  if (committed) {
    database_ = nullptr;
  }
  return committed;
}

}  // namespace limpet
