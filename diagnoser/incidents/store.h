// store.h: incidents and answers in one SQLite file ("history.db" in the state folder), for years.
//
// What is put is on the disk when Put returns: a crash or a power cut at any instant leaves the
// incident before or after it, and an id has one row.
// Bounded: Trim keeps the file within an age and a size.
// Errors:  those of database.h; kNotFound for an incident that is not there. After kInvalid the
//          file is not to be used any more.
// Threads: one at a time. Another process may read and answer meanwhile.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/incidents/acts.h"
#include "diagnoser/incidents/database.h"
#include "diagnoser/incidents/incident.h"

namespace limpet {

// A message that a sink is still to get.
struct OutboxEntry {
  std::int64_t number = 0;  // given by the store
  std::string sink;
  std::string incident;
  std::string change;  // "began", "answered", "ended"
  UnixTime at;
  std::uint32_t attempts = 0;
  UnixTime next;  // not before
  std::string body;
};

class IncidentStore {
 public:
  static constexpr std::int64_t kVersion = 1;
  // The longest that a message may have to wait before it is tried again.
  static constexpr Duration kLongestPause = std::chrono::minutes(30);

  struct Query {
    UnixTime from;  // incidents that overlap the span
    UnixTime to;
    std::string node;    // empty: all
    std::string before;  // those that began before this incident, an id; empty: all
    std::size_t limit = 1000;
    bool documents = false;  // otherwise they are left empty
  };
  struct Kept {
    std::int64_t bytes = 0;  // of the file that hold something
    std::uint64_t dropped = 0;
  };

  // Creates the file where there is none, unless it is read-only. A file of another version is
  // kInvalid.
  [[nodiscard]] static Result<IncidentStore> Open(const std::string& path, Database::Access access);

  // All of them, and what sinks are to be told of them, or nothing.
  [[nodiscard]] Result<void> Put(std::span<const IncidentRecord> incidents,
                                 std::span<const OutboxEntry> outbox = {});
  [[nodiscard]] Result<void> Add(const IncidentAnswer& answer);

  // Those that are open, and those that have ended since; with documents.
  [[nodiscard]] Result<std::vector<IncidentRecord>> Recent(UnixTime since) const;
  // The latest `limit` of them, by begin.
  [[nodiscard]] Result<std::vector<IncidentRecord>> List(const Query& query) const;
  // Each row of List to `use`, without a limit; stops when it returns false.
  template <class Use>
  [[nodiscard]] Result<void> ForEach(const Query& query, Use use) const;
  [[nodiscard]] Result<std::optional<IncidentRecord>> Find(const std::string& id) const;

  // Answers to one incident, the oldest first.
  [[nodiscard]] Result<std::vector<IncidentAnswer>> AnswersTo(const std::string& id) const;
  // Each with its incident (without document), by time; those to open ones whenever they were
  // given; the latest 10,000.
  struct Answered {
    IncidentAnswer answer;
    IncidentRecord incident;
    std::int64_t number = 0;
  };
  [[nodiscard]] Result<std::vector<Answered>> AnswersSince(UnixTime since) const;
  // Those that sinks have not been told of, whoever wrote them; at most 100 at once, with
  // documents.
  [[nodiscard]] Result<std::vector<Answered>> Untold() const;
  // Once, whatever happens: the answer is told and the messages are in the outbox.
  [[nodiscard]] Result<void> Tell(std::int64_t answer, std::span<const OutboxEntry> outbox);
  // Another number: another process has written.
  [[nodiscard]] Result<std::int64_t> Version() const;
  // Rows that this object has written so far.
  [[nodiscard]] std::int64_t Written() const { return database_.TotalChanged(); }

  [[nodiscard]] Result<void> Put(std::span<const Act> acts);
  // Acts by number, without those that were refused; the latest ActPlanner::kMaxActs.
  [[nodiscard]] Result<std::vector<Act>> Acts(UnixTime since) const;
  [[nodiscard]] Result<std::vector<Act>> ActsOf(const std::string& incident) const;
  // Acts to be run; the oldest 100.
  [[nodiscard]] Result<std::vector<Act>> OrderedActs() const;
  // Returns that failed since: their servers are still out, unless something was done about them
  // later; the oldest 100.
  [[nodiscard]] Result<std::vector<Act>> FailedReturns(UnixTime since) const;
  [[nodiscard]] Result<void> FinishAct(std::int64_t number, const std::string& state,
                                       const std::string& reason);

  // Messages of a sink, in order, up to the first that is to wait.
  [[nodiscard]] Result<std::vector<OutboxEntry>> Due(const std::string& sink, UnixTime now,
                                                     std::size_t limit) const;
  [[nodiscard]] Result<std::int64_t> Waiting(const std::string& sink) const;
  // By what it says: another store, which has taken over this one's messages, numbers them anew.
  [[nodiscard]] Result<void> Sent(const OutboxEntry& entry);
  [[nodiscard]] Result<void> Postpone(const OutboxEntry& entry, UnixTime next);
  // Drops the oldest messages of a sink over `most`; returns how many.
  [[nodiscard]] Result<std::int64_t> DropOver(const std::string& sink, std::int64_t most);

  // Drops messages from before; those of sinks that are no more would stay for ever.
  [[nodiscard]] Result<void> DropMessagesBefore(UnixTime at);

  // Takes over what another store has beside its incidents: answers, acts and messages; and these
  // incidents. All of it, or nothing.
  [[nodiscard]] Result<void> TakeOver(const IncidentStore& other,
                                      std::span<const IncidentRecord> incidents);

  // Drops incidents that ended before `oldest`, then the oldest until the file holds `max_bytes`.
  [[nodiscard]] Result<Kept> Trim(UnixTime oldest, std::int64_t max_bytes);

 private:
  explicit IncidentStore(Database database) : database_(std::move(database)) {}
  [[nodiscard]] Result<void> Prepare(Database::Access access);
  [[nodiscard]] Result<void> PutIncidents(std::span<const IncidentRecord> incidents);
  [[nodiscard]] Result<void> PutOutbox(std::span<const OutboxEntry> outbox);
  [[nodiscard]] Result<void> CopyRows(const IncidentStore& other, const std::string& table,
                                      const std::string& columns);
  [[nodiscard]] Result<Statement> Select(const Query& query, bool newest_first) const;
  [[nodiscard]] static IncidentRecord ReadRow(const Statement& row);
  [[nodiscard]] static Result<std::vector<Answered>> ReadAnswered(Statement rows);
  [[nodiscard]] static Result<std::vector<Act>> ReadActs(Statement rows);

  Database database_;
};

template <class Use>
Result<void> IncidentStore::ForEach(const Query& query, Use use) const {
  auto rows = Select(query, false);
  if (!rows) {
    return rows.error();
  }
  auto more = rows->Step();
  while (more && *more) {
    if (!use(ReadRow(*rows))) {
      return {};
    }
    more = rows->Step();
  }
  return more ? Result<void>() : more.error();
}

}  // namespace limpet
