#include "diagnoser/incidents/store.h"

#include <algorithm>
#include <utility>

namespace limpet {
namespace {

// "Limp", so that `file` and a wrong file can be told.
constexpr std::int64_t kApplication = 0x4c696d70;

// Incidents have row ids: in a table without, SQLite reads whole documents to find its way among
// keys, and a month of a year took 240 ms in the place of 3 (2026-11).
constexpr const char* kSchema = R"(
CREATE TABLE incidents(
  id TEXT PRIMARY KEY, cluster TEXT NOT NULL, node TEXT NOT NULL, family TEXT NOT NULL,
  cause TEXT NOT NULL, preset TEXT NOT NULL, metric TEXT NOT NULL, since INTEGER NOT NULL,
  named INTEGER NOT NULL, last INTEGER NOT NULL, ended INTEGER, ending TEXT NOT NULL,
  indicted INTEGER NOT NULL, degree REAL NOT NULL, episodes INTEGER NOT NULL, text TEXT NOT NULL,
  document TEXT NOT NULL);
CREATE INDEX incidents_since ON incidents(since, ended);
CREATE INDEX incidents_ended ON incidents(ended);
CREATE TABLE answers(
  number INTEGER PRIMARY KEY, incident TEXT NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
  until INTEGER, note TEXT NOT NULL, by TEXT NOT NULL, told INTEGER NOT NULL);
CREATE INDEX answers_incident ON answers(incident);
CREATE INDEX answers_at ON answers(at);
CREATE INDEX answers_told ON answers(number) WHERE told = 0;
CREATE TABLE outbox(
  number INTEGER PRIMARY KEY, sink TEXT NOT NULL, incident TEXT NOT NULL, change TEXT NOT NULL,
  at INTEGER NOT NULL, attempts INTEGER NOT NULL, next INTEGER NOT NULL, body TEXT NOT NULL);
CREATE INDEX outbox_sink ON outbox(sink, number);
CREATE TABLE acts(
  number INTEGER PRIMARY KEY, incident TEXT NOT NULL, node TEXT NOT NULL, step TEXT NOT NULL,
  state TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL, document TEXT NOT NULL);
CREATE INDEX acts_incident ON acts(incident);
CREATE INDEX acts_ordered ON acts(number) WHERE state = 'ordered';
PRAGMA application_id=1281977712;
PRAGMA user_version=1;
)";
static_assert(kApplication == 1281977712);

// Without documents, which are most of a row.
constexpr std::string_view kColumns =
    "i.id, i.cluster, i.node, i.family, i.cause, i.preset, i.metric, i.since, i.named, i.last, "
    "i.ended, i.ending, i.indicted, i.degree, i.episodes, i.text";
constexpr int kDocument = 16;  // the column after them

constexpr std::size_t kMostAnswers = 10'000;
constexpr std::int64_t kTrimStep = 500;

std::string Columns(bool documents) {
  return std::string(kColumns) + (documents ? ", i.document" : ", ''");
}

Result<void> Run(const Database& database, std::string_view sql) {
  auto statement = database.Prepare(sql);
  return statement ? statement->Run() : Result<void>(statement.error());
}

}  // namespace

// The schema is looked at before anything is written, so that a file of somebody else stays as it
// is.
Result<IncidentStore> IncidentStore::Open(const std::string& path, Database::Access access) {
  auto database = Database::Open(path, access);
  if (!database) {
    return database.error();
  }
  IncidentStore store(*std::move(database));
  if (auto ready = store.Prepare(access); !ready) {
    return ready.error();
  }
  return store;
}

Result<void> IncidentStore::Prepare(Database::Access access) {
  const auto application = database_.Ask("PRAGMA application_id");
  const auto version = database_.Ask("PRAGMA user_version");
  const auto tables = database_.Ask("SELECT count(*) FROM sqlite_schema");
  for (const auto* const one : {&application, &version, &tables}) {
    if (!*one) {
      return one->error();
    }
  }
  const bool is_new = *application == 0 && *version == 0 && *tables == 0;
  if (!is_new && (*application != kApplication || *version != kVersion)) {
    return Error{ErrorCode::kInvalid,
                 *application == kApplication
                     ? "is of version " + std::to_string(*version) + ", expected 1"
                     : "is no history of limpet-diagnoser",
                 ""};
  }
  if (access == Database::Access::kReadOnly) {
    return is_new ? Result<void>(Error{ErrorCode::kNotFound, "holds no incidents yet", ""})
                  : Result<void>();
  }
  // Before there are tables: room of what is dropped can be given back later.
  if (auto done = database_.Run("PRAGMA auto_vacuum=INCREMENTAL"); is_new && !done) {
    return done;
  }
  // A commit is one append and one fsync, and readers do not wait for it.
  for (const auto* const pragma : {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
                                   "PRAGMA journal_size_limit=16777216"}) {
    if (auto done = database_.Run(pragma); !done) {
      return done;
    }
  }
  if (!is_new) {
    return {};
  }
  auto transaction = Transaction::Begin(database_);
  if (!transaction) {
    return transaction.error();
  }
  if (auto made = database_.Run(kSchema); !made) {
    return made;
  }
  return transaction->Commit();
}

// REPLACE: an incident that goes on is the same row, however often it is written.
Result<void> IncidentStore::PutIncidents(std::span<const IncidentRecord> incidents) {
  for (const auto& one : incidents) {
    auto row = database_.Prepare(
        "INSERT OR REPLACE INTO incidents(id, cluster, node, family, cause, preset, metric, since, "
        "named, last, ended, ending, indicted, degree, episodes, text, document) "
        "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    if (!row) {
      return row.error();
    }
    row->Bind(one.id).Bind(one.cluster).Bind(one.node).Bind(one.family).Bind(one.cause);
    row->Bind(one.preset).Bind(one.metric).Bind(one.since).Bind(one.named).Bind(one.last);
    row->Bind(one.ended).Bind(one.ending).Bind(std::int64_t{one.indicted ? 1 : 0});
    row->Bind(one.degree).Bind(std::int64_t{one.episodes}).Bind(one.text).Bind(one.document);
    if (auto done = row->Run(); !done) {
      return done;
    }
  }
  return {};
}

Result<void> IncidentStore::Put(std::span<const IncidentRecord> incidents,
                                std::span<const OutboxEntry> outbox) {
  auto transaction = Transaction::Begin(database_);
  if (!transaction) {
    return transaction.error();
  }
  if (auto done = PutIncidents(incidents); !done) {
    return done;
  }
  if (auto done = PutOutbox(outbox); !done) {
    return done;
  }
  return transaction->Commit();
}

// In one statement, so that an incident which is dropped at the same moment gets no answer.
Result<void> IncidentStore::Add(const IncidentAnswer& answer) {
  auto row = database_.Prepare(
      "INSERT INTO answers(incident, at, kind, until, note, by, told) "
      "SELECT ?,?,?,?,?,?,0 WHERE EXISTS(SELECT 1 FROM incidents WHERE id=?)");
  if (!row) {
    return row.error();
  }
  row->Bind(answer.incident).Bind(answer.at).Bind(Name(answer.kind)).Bind(answer.until);
  row->Bind(answer.note).Bind(answer.by).Bind(answer.incident);
  if (auto done = row->Run(); !done) {
    return done;
  }
  if (database_.Changed() == 0) {
    return Error{ErrorCode::kNotFound, "there is no incident of that id", answer.incident};
  }
  return {};
}

Result<void> IncidentStore::Tell(std::int64_t answer, std::span<const OutboxEntry> outbox) {
  auto transaction = Transaction::Begin(database_);
  if (!transaction) {
    return transaction.error();
  }
  auto row = database_.Prepare("UPDATE answers SET told = 1 WHERE number = ?");
  if (!row) {
    return row.error();
  }
  if (auto done = row->Bind(answer).Run(); !done) {
    return done;
  }
  if (auto done = PutOutbox(outbox); !done) {
    return done;
  }
  return transaction->Commit();
}

// In the order of kColumns.
IncidentRecord IncidentStore::ReadRow(const Statement& row) {
  int column = 0;
  IncidentRecord record;
  for (auto* const text : {&record.id, &record.cluster, &record.node, &record.family, &record.cause,
                           &record.preset, &record.metric}) {
    *text = row.Text(column++);
  }
  record.since = row.Time(column++);
  record.named = row.Time(column++);
  record.last = row.Time(column++);
  record.ended = row.OptionalTime(column++);
  record.ending = row.Text(column++);
  record.indicted = row.Integer(column++) != 0;
  record.degree = row.Number(column++);
  record.episodes = static_cast<std::uint32_t>(row.Integer(column++));
  record.text = row.Text(column++);
  record.document = row.Text(column);
  return record;
}

Result<std::vector<IncidentRecord>> IncidentStore::Recent(UnixTime since) const {
  auto rows = database_.Prepare("SELECT " + Columns(true) +
                                " FROM incidents i WHERE i.ended IS NULL OR i.ended >= ? "
                                "ORDER BY i.since, i.id");
  if (!rows) {
    return rows.error();
  }
  rows->Bind(since);
  std::vector<IncidentRecord> found;
  auto more = rows->Step();
  for (; more && *more; more = rows->Step()) {
    found.push_back(ReadRow(*rows));
  }
  return more ? Result<std::vector<IncidentRecord>>(std::move(found)) : more.error();
}

Result<Statement> IncidentStore::Select(const Query& query, bool newest_first) const {
  auto rows = database_.Prepare(
      "SELECT " + Columns(query.documents) +
      " FROM incidents i WHERE i.since <= ? AND (i.ended IS NULL OR i.ended >= ?) " +
      (query.node.empty() ? "" : "AND i.node = ? ") +
      (query.before.empty()
           ? ""
           : "AND (i.since, i.id) < (SELECT since, id FROM incidents WHERE id = ?) ") +
      "ORDER BY i.since" + (newest_first ? " DESC, i.id DESC LIMIT ?" : ", i.id"));
  if (!rows) {
    return rows.error();
  }
  rows->Bind(query.to).Bind(query.from);
  if (!query.node.empty()) {
    rows->Bind(query.node);
  }
  if (!query.before.empty()) {
    rows->Bind(query.before);
  }
  if (newest_first) {
    rows->Bind(static_cast<std::int64_t>(query.limit));
  }
  return rows;
}

// The newest are read first, so that a limit leaves out the oldest; the answer is in order of time.
Result<std::vector<IncidentRecord>> IncidentStore::List(const Query& query) const {
  auto rows = Select(query, true);
  if (!rows) {
    return rows.error();
  }
  std::vector<IncidentRecord> found;
  auto more = rows->Step();
  for (; more && *more; more = rows->Step()) {
    found.push_back(ReadRow(*rows));
  }
  if (!more) {
    return more.error();
  }
  std::ranges::reverse(found);
  return found;
}

Result<std::optional<IncidentRecord>> IncidentStore::Find(const std::string& id) const {
  auto rows = database_.Prepare("SELECT " + Columns(true) + " FROM incidents i WHERE i.id = ?");
  if (!rows) {
    return rows.error();
  }
  rows->Bind(id);
  const auto found = rows->Step();
  if (!found) {
    return found.error();
  }
  return *found ? std::optional(ReadRow(*rows)) : std::nullopt;
}

namespace {

IncidentAnswer ReadAnswer(const Statement& row, int column) {
  IncidentAnswer answer;
  answer.incident = row.Text(column);
  answer.at = row.Time(column + 1);
  answer.kind = ParseAnswerKind(row.Text(column + 2)).value_or(AnswerKind::kFixed);
  answer.until = row.OptionalTime(column + 3);
  answer.note = row.Text(column + 4);
  answer.by = row.Text(column + 5);
  return answer;
}

constexpr std::string_view kAnswerColumns =
    "a.incident, a.at, a.kind, a.until, a.note, a.by, a.number";

}  // namespace

Result<std::vector<IncidentAnswer>> IncidentStore::AnswersTo(const std::string& id) const {
  auto rows =
      database_.Prepare("SELECT " + std::string(kAnswerColumns) +
                        " FROM answers a WHERE a.incident = ? ORDER BY a.number LIMIT 1000");
  if (!rows) {
    return rows.error();
  }
  rows->Bind(id);
  std::vector<IncidentAnswer> found;
  auto more = rows->Step();
  for (; more && *more; more = rows->Step()) {
    found.push_back(ReadAnswer(*rows, 0));
  }
  return more ? Result<std::vector<IncidentAnswer>>(std::move(found)) : more.error();
}

Result<std::vector<IncidentStore::Answered>> IncidentStore::ReadAnswered(Statement rows) {
  std::vector<Answered> found;
  auto more = rows.Step();
  for (; more && *more; more = rows.Step()) {
    found.push_back({.answer = ReadAnswer(rows, kDocument + 1),
                     .incident = ReadRow(rows),
                     .number = rows.Integer(kDocument + 7)});
  }
  return more ? Result<std::vector<Answered>>(std::move(found)) : more.error();
}

Result<std::vector<IncidentStore::Answered>> IncidentStore::AnswersSince(UnixTime since) const {
  auto rows = database_.Prepare(
      "SELECT " + Columns(false) + ", " + std::string(kAnswerColumns) +
      " FROM answers a JOIN incidents i ON i.id = a.incident "
      "WHERE a.at >= ? OR a.until >= ? OR i.ended IS NULL ORDER BY a.number DESC LIMIT ?");
  if (!rows) {
    return rows.error();
  }
  rows->Bind(since).Bind(since).Bind(static_cast<std::int64_t>(kMostAnswers));
  auto found = ReadAnswered(*std::move(rows));
  if (found) {
    std::ranges::reverse(*found);
  }
  return found;
}

Result<std::vector<IncidentStore::Answered>> IncidentStore::Untold() const {
  auto rows = database_.Prepare("SELECT " + Columns(true) + ", " + std::string(kAnswerColumns) +
                                " FROM answers a JOIN incidents i ON i.id = a.incident "
                                "WHERE a.told = 0 ORDER BY a.number LIMIT 100");
  return rows ? ReadAnswered(*std::move(rows)) : rows.error();
}

Result<std::int64_t> IncidentStore::Version() const { return database_.Ask("PRAGMA data_version"); }

// Some hundreds at a time, until there is room; what is open is never dropped. The pages that
// become free are given back to the file system at the end, once.
Result<IncidentStore::Kept> IncidentStore::Trim(UnixTime oldest, std::int64_t max_bytes) {
  Kept kept;
  const auto used = [this]() -> Result<std::int64_t> {
    const auto pages = database_.Ask("PRAGMA page_count");
    const auto unused = database_.Ask("PRAGMA freelist_count");
    const auto size = database_.Ask("PRAGMA page_size");
    if (!pages || !unused || !size) {
      return !pages ? pages.error() : !unused ? unused.error() : size.error();
    }
    return (*pages - *unused) * *size;
  };
  auto row = database_.Prepare("DELETE FROM incidents WHERE ended IS NOT NULL AND ended < ?");
  if (!row) {
    return row.error();
  }
  if (auto done = row->Bind(oldest).Run(); !done) {
    return done.error();
  }
  kept.dropped = static_cast<std::uint64_t>(database_.Changed());
  auto bytes = used();
  while (bytes && *bytes > max_bytes) {
    auto more = Run(database_,
                    "DELETE FROM incidents WHERE id IN (SELECT id FROM incidents WHERE "
                    "ended IS NOT NULL ORDER BY ended LIMIT " +
                        std::to_string(kTrimStep) + ")");
    if (!more) {
      return more.error();
    }
    const auto dropped = database_.Changed();
    kept.dropped += static_cast<std::uint64_t>(dropped);
    if (dropped == 0) {
      break;  // what is left is open
    }
    bytes = used();
  }
  if (!bytes) {
    return bytes.error();
  }
  kept.bytes = *bytes;
  if (kept.dropped > 0) {
    for (const auto* const sql :
         {"DELETE FROM answers WHERE incident NOT IN (SELECT id FROM incidents)",
          "DELETE FROM acts WHERE incident NOT IN (SELECT id FROM incidents)",
          "PRAGMA incremental_vacuum"}) {
      if (auto done = Run(database_, sql); !done) {
        return done.error();
      }
    }
  }
  return kept;
}

}  // namespace limpet
