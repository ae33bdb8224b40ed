// incident_keeper.h: the history of incidents on a thread of its own, since a sick disk may take
// minutes and neither the diagnosis nor the web server may wait for it.
//
//   keeper.Put(changes); keeper.WaitWritten(250ms);  // then publish
//
// Bounded: kMaxWaiting changes and kMaxJobs questions wait for the disk; what is over is dropped
// and counted, or refused.
// Threads: all functions may be called from any thread, Recent before the first Put. Callbacks run
// on the keeper's thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "diagnoser/incidents/precision.h"
#include "diagnoser/incidents/settings.h"
#include "diagnoser/incidents/tracker.h"
#include "diagnoser/publish/incident_metrics.h"
#include "diagnoser/runtime/history_file.h"
#include "diagnoser/runtime/history_reader.h"
#include "diagnoser/runtime/sink_log.h"
#include "diagnoser/runtime/sink_senders.h"
#include "exporter/common/log.h"
#include "exporter/common/time.h"

namespace limpet {

// The answers of people, as the diagnosis and the pages need it; does not change.
struct IncidentBook {
  struct Mask {
    std::string node;
    UnixTime until;
    bool operator==(const Mask&) const = default;
  };
  std::vector<Mask> masks;                     // that hold
  std::map<std::string, std::string> answers;  // to open incidents, by id: "known"
  std::vector<OpenAnswer> open;                // the same, for metrics
  std::vector<MeasuredPrecision> precision;
};

class IncidentKeeper {
 public:
  static constexpr std::size_t kMaxWaiting = 10'000;
  static constexpr std::size_t kMaxJobs = 64;

  struct Options {
    std::string folder;          // empty: in memory alone
    Fetcher* fetcher = nullptr;  // null: sinks are not told
    bool own_thread = true;      // false: the caller steps (tests)
  };
  // Clock and fetcher must outlive it.
  IncidentKeeper(const Options& options, IncidentSettings settings, const Clock& clock,
                 LogSink log);
  // Writes what still waits, but for a disk that fails.
  ~IncidentKeeper();
  IncidentKeeper(const IncidentKeeper&) = delete;
  IncidentKeeper& operator=(const IncidentKeeper&) = delete;

  void Reload(IncidentSettings settings);

  // The incidents known at the start: open ones, and those that ended in the last two hours.
  [[nodiscard]] std::vector<IncidentRecord> Recent() const { return recent_; }
  void Put(std::vector<IncidentChange> changes);
  // Acts of the last month, of the start.
  [[nodiscard]] std::vector<Act> RecentActs() const { return recent_acts_; }
  void Put(std::vector<Act> acts);
  // False: it took longer, or the disk does not work. True where nothing goes to a disk.
  bool WaitWritten(Duration most);

  // Something to be asked of the store, or added to it. The error is that of the store, if any.
  using Job = std::function<std::optional<Error>(IncidentStore&)>;
  // False: too many wait, or it has been stopped; the job is not called.
  [[nodiscard]] bool Ask(Job job);
  // The same of a job that only reads: beside what is written, while there is a file. It may run on
  // another thread than the keeper's.
  [[nodiscard]] bool Read(const Job& job);

  // Never null.
  [[nodiscard]] std::shared_ptr<const IncidentBook> Book() const;
  [[nodiscard]] HistoryStatus Status() const;

  // One round of its thread.
  void Step();

 private:
  void Run();
  void Write(const std::vector<IncidentChange>& changes);
  [[nodiscard]] std::vector<OutboxEntry> Messages(const std::vector<IncidentChange>& changes) const;
  void RunJobs(const std::deque<Job>& jobs);
  void Watch(UnixTime now);
  void TellAnswers(UnixTime now);
  void Repeat(UnixTime now);
  void UpdateBook(UnixTime now);
  void Trim(UnixTime now);
  void SendDue(UnixTime now);
  void FollowFile();
  // True when there was none.
  bool Handled(const std::optional<Error>& error);
  template <class T>
  bool Handled(const Result<T>& result);

  const Clock& clock_;
  const bool own_thread_;
  const bool in_memory_;
  HistoryFile file_;
  IncidentSettings settings_;  // the thread's; Reload hands over new ones
  std::vector<IncidentRecord> recent_;
  std::vector<Act> recent_acts_;
  std::map<std::string, IncidentRecord> open_;  // the thread's
  std::map<std::string, SteadyTime> absent_;    // of those, without a verdict since then
  SinkSenders senders_;
  SinkLog sink_log_;
  // The thread's: when things were done last.
  std::optional<SteadyTime> trimmed_at_;
  std::optional<SteadyTime> book_at_;
  std::optional<SteadyTime> repeated_at_;
  std::int64_t version_ = -1;
  bool book_is_old_ = true;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable written_;
  std::vector<IncidentChange> waiting_;
  std::vector<Act> waiting_acts_;
  std::deque<Job> jobs_;
  std::optional<IncidentSettings> reloaded_;
  std::uint64_t put_ = 0;   // batches that were put
  std::uint64_t done_ = 0;  // and written, or given up
  bool stopping_ = false;
  std::shared_ptr<const IncidentBook> book_ = std::make_shared<const IncidentBook>();
  HistoryStatus status_;
  std::optional<HistoryReader> reader_;  // with own_thread
  std::thread thread_;                   // last: it uses the others
};

}  // namespace limpet
