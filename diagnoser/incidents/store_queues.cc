// The queues of the store: messages for sinks and acts to be run.
#include <algorithm>
#include <chrono>
#include <utility>

#include "diagnoser/incidents/store.h"

namespace limpet {

Result<void> IncidentStore::PutOutbox(std::span<const OutboxEntry> outbox) {
  for (const auto& one : outbox) {
    auto row = database_.Prepare(
        "INSERT INTO outbox(sink, incident, change, at, attempts, next, body) "
        "VALUES(?,?,?,?,?,?,?)");
    if (!row) {
      return row.error();
    }
    row->Bind(one.sink).Bind(one.incident).Bind(one.change).Bind(one.at);
    row->Bind(std::int64_t{one.attempts}).Bind(one.next).Bind(one.body);
    if (auto done = row->Run(); !done) {
      return done;
    }
  }
  return {};
}

Result<void> IncidentStore::Put(std::span<const Act> acts) {
  auto transaction = Transaction::Begin(database_);
  if (!transaction) {
    return transaction.error();
  }
  for (const auto& act : acts) {
    auto row = database_.Prepare(
        "INSERT INTO acts(incident, node, step, state, reason, at, document) "
        "VALUES(?,?,?,?,?,?,?)");
    if (!row) {
      return row.error();
    }
    row->Bind(act.incident).Bind(act.node).Bind(Name(act.step)).Bind(act.state);
    if (auto done = row->Bind(act.reason).Bind(act.at).Bind(act.document).Run(); !done) {
      return done;
    }
  }
  return transaction->Commit();
}

Result<std::vector<Act>> IncidentStore::ReadActs(Statement rows) {
  std::vector<Act> found;
  auto more = rows.Step();
  for (; more && *more; more = rows.Step()) {
    const auto step = ParseActStep(rows.Text(3));
    if (step) {  // otherwise it was not written by us
      found.push_back({.number = rows.Integer(0),
                       .incident = rows.Text(1),
                       .node = rows.Text(2),
                       .step = *step,
                       .state = rows.Text(4),
                       .reason = rows.Text(5),
                       .at = rows.Time(6),
                       .document = rows.Text(7)});
    }
  }
  return more ? Result<std::vector<Act>>(std::move(found)) : more.error();
}

namespace {

constexpr std::string_view kActColumns =
    "SELECT number, incident, node, step, state, reason, at, document FROM acts ";

}  // namespace

Result<std::vector<Act>> IncidentStore::Acts(UnixTime since) const {
  auto rows =
      database_.Prepare(std::string(kActColumns) +
                        "WHERE at >= ? AND state <> 'refused' ORDER BY number DESC LIMIT ?");
  if (!rows) {
    return rows.error();
  }
  rows->Bind(since).Bind(static_cast<std::int64_t>(ActPlanner::kMaxActs));
  auto found = ReadActs(*std::move(rows));
  if (found) {
    std::ranges::reverse(*found);
  }
  return found;
}

Result<std::vector<Act>> IncidentStore::ActsOf(const std::string& incident) const {
  auto rows =
      database_.Prepare(std::string(kActColumns) + "WHERE incident = ? ORDER BY number LIMIT 1000");
  if (!rows) {
    return rows.error();
  }
  rows->Bind(incident);
  return ReadActs(*std::move(rows));
}

Result<std::vector<Act>> IncidentStore::OrderedActs() const {
  auto rows = database_.Prepare(std::string(kActColumns) +
                                "WHERE state = 'ordered' ORDER BY number LIMIT 100");
  return rows ? ReadActs(*std::move(rows)) : rows.error();
}

Result<std::vector<Act>> IncidentStore::FailedReturns(UnixTime since) const {
  auto rows = database_.Prepare(
      std::string(kActColumns) +
      "WHERE at >= ? AND step = 'end' AND state = 'failed' AND NOT EXISTS(SELECT 1 FROM acts later "
      "WHERE later.node = acts.node AND later.number > acts.number AND later.state <> 'refused' "
      "AND later.step <> 'answer') ORDER BY number LIMIT 100");
  if (!rows) {
    return rows.error();
  }
  rows->Bind(since);
  return ReadActs(*std::move(rows));
}

Result<void> IncidentStore::FinishAct(std::int64_t number, const std::string& state,
                                      const std::string& reason) {
  auto row = database_.Prepare("UPDATE acts SET state = ?, reason = ? WHERE number = ?");
  return row ? row->Bind(state).Bind(reason).Bind(number).Run() : Result<void>(row.error());
}

// Up to the first that is to wait: what comes behind it waits as well.
Result<std::vector<OutboxEntry>> IncidentStore::Due(const std::string& sink, UnixTime now,
                                                    std::size_t limit) const {
  auto rows = database_.Prepare(
      "SELECT number, sink, incident, change, at, attempts, next, body FROM outbox "
      "WHERE sink = ? ORDER BY number LIMIT ?");
  if (!rows) {
    return rows.error();
  }
  rows->Bind(sink).Bind(static_cast<std::int64_t>(limit));
  std::vector<OutboxEntry> found;
  auto more = rows->Step();
  for (; more && *more; more = rows->Step()) {
    OutboxEntry entry{.number = rows->Integer(0),
                      .sink = rows->Text(1),
                      .incident = rows->Text(2),
                      .change = rows->Text(3),
                      .at = rows->Time(4),
                      .attempts = static_cast<std::uint32_t>(rows->Integer(5)),
                      .next = rows->Time(6),
                      .body = rows->Text(7)};
    // In order: an end must not overtake its begin. One that has not been tried, or that seems to
    // wait for longer than it can, was written before the clock was set back.
    if (entry.attempts > 0 && entry.next > now && entry.next - now <= kLongestPause) {
      break;
    }
    found.push_back(std::move(entry));
  }
  return more ? Result<std::vector<OutboxEntry>>(std::move(found)) : more.error();
}

// As texts, which become numbers again in columns of numbers; numbers of rows are given anew.
Result<void> IncidentStore::CopyRows(const IncidentStore& other, const std::string& table,
                                     const std::string& columns) {
  auto rows = other.database_.Prepare("SELECT " + columns + " FROM " + table + " ORDER BY number");
  if (!rows) {
    return rows.error();
  }
  const auto count = 1 + static_cast<int>(std::ranges::count(columns, ','));
  auto insert = std::string("INSERT INTO ").append(table).append("(").append(columns);
  insert.append(") VALUES(?");
  for (int i = 1; i < count; ++i) {
    insert.append(",?");
  }
  insert.append(")");
  auto more = rows->Step();
  for (; more && *more; more = rows->Step()) {
    auto row = database_.Prepare(insert);
    if (!row) {
      return row.error();
    }
    std::vector<std::string> texts(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      if (!rows->OptionalTime(i)) {  // NULL
        row->Bind(std::optional<UnixTime>());
        continue;
      }
      auto& text = texts[static_cast<std::size_t>(i)];
      text = rows->Text(i);
      row->Bind(text);
    }
    if (auto done = row->Run(); !done) {
      return done;
    }
  }
  return more ? Result<void>() : more.error();
}

Result<void> IncidentStore::TakeOver(const IncidentStore& other,
                                     std::span<const IncidentRecord> incidents) {
  auto transaction = Transaction::Begin(database_);
  if (!transaction) {
    return transaction.error();
  }
  if (auto done = PutIncidents(incidents); !done) {
    return done;
  }
  for (const auto& [table, columns] :
       {std::pair("answers", "incident, at, kind, until, note, by, told"),
        std::pair("acts", "incident, node, step, state, reason, at, document"),
        std::pair("outbox", "sink, incident, change, at, attempts, next, body")}) {
    if (auto done = CopyRows(other, table, columns); !done) {
      return done;
    }
  }
  return transaction->Commit();
}

Result<std::int64_t> IncidentStore::Waiting(const std::string& sink) const {
  auto row = database_.Prepare("SELECT count(*) FROM outbox WHERE sink = ?");
  if (!row) {
    return row.error();
  }
  row->Bind(sink);
  const auto found = row->Step();
  return found ? Result<std::int64_t>(row->Integer(0)) : found.error();
}

namespace {

// The oldest of those that say the same: messages of a sink are sent in order.
constexpr std::string_view kThisOne =
    "number = (SELECT number FROM outbox WHERE sink = ? AND incident = ? AND change = ? "
    "AND at = ? ORDER BY number LIMIT 1)";

Statement& BindThisOne(Statement& row, const OutboxEntry& entry) {
  return row.Bind(entry.sink).Bind(entry.incident).Bind(entry.change).Bind(entry.at);
}

}  // namespace

Result<void> IncidentStore::Sent(const OutboxEntry& entry) {
  auto row = database_.Prepare("DELETE FROM outbox WHERE " + std::string(kThisOne));
  return row ? BindThisOne(*row, entry).Run() : Result<void>(row.error());
}

Result<void> IncidentStore::Postpone(const OutboxEntry& entry, UnixTime next) {
  auto row = database_.Prepare("UPDATE outbox SET attempts = attempts + 1, next = ? WHERE " +
                               std::string(kThisOne));
  return row ? BindThisOne(row->Bind(next), entry).Run() : Result<void>(row.error());
}

// Behind the newest `most`, whatever there is.
Result<std::int64_t> IncidentStore::DropOver(const std::string& sink, std::int64_t most) {
  auto row = database_.Prepare(
      "DELETE FROM outbox WHERE number IN (SELECT number FROM outbox WHERE sink = ? "
      "ORDER BY number DESC LIMIT -1 OFFSET ?)");
  if (!row) {
    return row.error();
  }
  if (auto done = row->Bind(sink).Bind(most).Run(); !done) {
    return done.error();
  }
  return database_.Changed();
}

Result<void> IncidentStore::DropMessagesBefore(UnixTime at) {
  auto row = database_.Prepare("DELETE FROM outbox WHERE at < ?");
  return row ? row->Bind(at).Run() : Result<void>(row.error());
}

}  // namespace limpet
