#include "diagnoser/runtime/incident_keeper.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "diagnoser/publish/sink_message.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kRound = 1s;
constexpr Duration kRemembered = 2h;  // an id is of an hour: longer ago it cannot begin again
constexpr Duration kTrimEvery = 10min;
constexpr std::int64_t kMostMemory = std::int64_t{64} << 20;  // while there is no disk
constexpr Duration kMessagesLast = 24h * 7;  // what a sink has not taken by then is about the past
constexpr Duration kBookEvery = 1min;        // masks run out
constexpr Duration kRepeatEvery = 1min;
// Without a verdict an incident may have ended for another diagnoser of the same targets, and a
// repetition would fire its alert anew: it waits as long as the alert lasts by itself.
constexpr Duration kAbsentUnrepeated = kAlertLasts - 2 * kRepeatEvery;
constexpr Duration kActsKnown =
    24h * 31;  // whoever was taken out longer ago is looked after by hand

}  // namespace

IncidentKeeper::IncidentKeeper(const Options& options, IncidentSettings settings,
                               const Clock& clock, LogSink log)
    : clock_(clock),
      own_thread_(options.own_thread),
      in_memory_(options.folder.empty()),
      file_(options.folder, settings, log),
      settings_(std::move(settings)),
      senders_(options.fetcher, [this] { wake_.notify_one(); }),
      sink_log_(std::move(log)) {
  senders_.SetSinks(settings_.sinks);
  if (auto recent = file_.Store().Recent(clock_.Now() - kRemembered); Handled(recent)) {
    recent_ = *std::move(recent);
  }
  if (auto acts = file_.Store().Acts(clock_.Now() - kActsKnown); Handled(acts)) {
    recent_acts_ = *std::move(acts);
  }
  for (const auto& record : recent_) {
    if (!record.ended) {
      open_[record.id] = record;
      absent_[record.id] = clock_.Steady();  // until it is seen again
    }
  }
  UpdateBook(clock_.Now());
  if (own_thread_) {
    reader_.emplace([this](HistoryReader::Question question) { (void)Ask(std::move(question)); });
    FollowFile();
    thread_ = std::thread([this] { Run(); });
  }
}

IncidentKeeper::~IncidentKeeper() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) {
    thread_.join();
  }
  reader_.reset();  // after the thread, which tells it of a new file
  Step();
}

void IncidentKeeper::Reload(IncidentSettings settings) {
  {
    const std::lock_guard lock(mutex_);
    reloaded_ = std::move(settings);
  }
  wake_.notify_one();
}

// Never waits. A disk that has been slow for thousands of changes loses the latest, and says so.
void IncidentKeeper::Put(std::vector<IncidentChange> changes) {
  if (changes.empty()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    ++put_;
    const auto room = kMaxWaiting - std::min(kMaxWaiting, waiting_.size());
    const auto taken = std::min(room, changes.size());
    status_.dropped += changes.size() - taken;
    std::move(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(taken),
              std::back_inserter(waiting_));
  }
  wake_.notify_one();
}

void IncidentKeeper::Put(std::vector<Act> acts) {
  if (acts.empty()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    std::move(acts.begin(), acts.end(), std::back_inserter(waiting_acts_));
    if (waiting_acts_.size() > kMaxWaiting) {
      status_.dropped += waiting_acts_.size() - kMaxWaiting;
      waiting_acts_.resize(kMaxWaiting);
    }
  }
  wake_.notify_one();
}

bool IncidentKeeper::WaitWritten(Duration most) {
  if (!own_thread_) {
    Step();
  }
  if (in_memory_) {
    return true;
  }
  std::unique_lock lock(mutex_);
  // A disk that failed before is not waited for.
  return status_.on_disk &&
         written_.wait_for(lock, most, [this, until = put_] { return done_ >= until; }) &&
         status_.on_disk;
}

// Questions are refused rather than queued without end: a web server asks again.
bool IncidentKeeper::Ask(Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || jobs_.size() >= kMaxJobs) {
      return false;
    }
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
  return true;
}

bool IncidentKeeper::Read(const Job& job) { return (reader_ && reader_->Ask(job)) || Ask(job); }

std::shared_ptr<const IncidentBook> IncidentKeeper::Book() const {
  const std::lock_guard lock(mutex_);
  return book_;
}

HistoryStatus IncidentKeeper::Status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void IncidentKeeper::Run() {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, kRound, [this] {
        return stopping_ || reloaded_ || !waiting_.empty() || !jobs_.empty();
      });
      if (stopping_) {
        return;
      }
    }
    Step();
  }
}

// Changes come before questions, so that an answer to an incident of this round finds it.
void IncidentKeeper::Step() {
  std::vector<IncidentChange> changes;
  std::vector<Act> acts;
  std::deque<Job> jobs;
  std::optional<IncidentSettings> reloaded;
  std::uint64_t until = 0;
  {
    const std::lock_guard lock(mutex_);
    changes.swap(waiting_);
    acts.swap(waiting_acts_);
    jobs.swap(jobs_);
    reloaded.swap(reloaded_);
    until = put_;
  }
  if (reloaded) {
    settings_ = *std::move(reloaded);
    file_.SetSettings(settings_);
    senders_.SetSinks(settings_.sinks);
  }
  Write(changes);
  // What cannot be written is not done: the program that acts reads it from the disk.
  if (!acts.empty()) {
    (void)Handled(file_.Store().Put(acts));
  }
  {
    const std::lock_guard lock(mutex_);
    done_ = until;
    status_.on_disk = file_.IsOnDisk();
    sink_log_.Lost(status_.dropped);
  }
  written_.notify_all();
  RunJobs(jobs);
  Watch(clock_.Now());
}

bool IncidentKeeper::Handled(const std::optional<Error>& error) {
  // Not there, and held by another program, say nothing against the file.
  if (error && error->code != ErrorCode::kNotFound && error->code != ErrorCode::kTimeout) {
    file_.Replace(*error, open_, clock_.Steady());
    FollowFile();
    book_is_old_ = true;
  }
  return !error;
}

void IncidentKeeper::FollowFile() {
  if (reader_) {
    reader_->Follow(file_.IsOnDisk() ? file_.Path() : "");
  }
}

template <class T>
bool IncidentKeeper::Handled(const Result<T>& result) {
  return Handled(result ? std::nullopt : std::optional(result.error()));
}

// Of several changes of one incident the latest is the row; each of them may be a message.
void IncidentKeeper::Write(const std::vector<IncidentChange>& changes) {
  if (changes.empty()) {
    return;
  }
  std::map<std::string, IncidentRecord> latest;
  for (const auto& change : changes) {
    latest[change.record.id] = change.record;
    if (change.present || change.record.ended) {
      absent_.erase(change.record.id);
    } else {
      absent_[change.record.id] = clock_.Steady();
    }
  }
  std::vector<IncidentRecord> records;
  for (auto& [id, record] : latest) {
    if (record.ended) {
      open_.erase(id);
    } else {
      open_[id] = record;
    }
    book_is_old_ = true;
    records.push_back(std::move(record));
  }
  const auto outbox = Messages(changes);
  // Once more where it failed: into what takes its place.
  if (!Handled(file_.Store().Put(records, outbox)) &&
      !Handled(file_.Store().Put(records, outbox))) {
    const std::lock_guard lock(mutex_);
    status_.dropped += changes.size();
  }
}

std::vector<OutboxEntry> IncidentKeeper::Messages(
    const std::vector<IncidentChange>& changes) const {
  std::vector<OutboxEntry> outbox;
  const auto now = clock_.Now();
  for (const auto& change : changes) {
    const bool ended = change.kind == IncidentChange::Kind::kEnded && change.record.indicted;
    if (!change.named && !ended) {
      continue;
    }
    const SinkMessage message{.change = ended ? "ended" : "began",
                              .record = change.record,
                              .answer = std::nullopt,
                              .at = now,
                              .url = settings_.url};
    for (const auto& sink : settings_.sinks) {
      outbox.push_back({.sink = sink.name,
                        .incident = change.record.id,
                        .change = message.change,
                        .at = now,
                        .next = now,
                        .body = SinkBody(sink, message)});
    }
  }
  return outbox;
}

// A question that finds the file damaged has it replaced, and the next one is answered again.
void IncidentKeeper::RunJobs(const std::deque<Job>& jobs) {
  for (const auto& job : jobs) {
    const auto written = file_.Store().Written();
    // An answer counts at once; a question changes nothing that is remembered.
    if (Handled(job(file_.Store())) && file_.Store().Written() != written) {
      book_is_old_ = true;
    }
  }
}

void IncidentKeeper::Watch(UnixTime now) {
  const auto steady = clock_.Steady();
  if (file_.Retry(steady)) {
    FollowFile();
    book_is_old_ = true;
  }
  if (const auto version = file_.Store().Version(); Handled(version) && *version != version_) {
    version_ = *version;
    book_is_old_ = true;
  }
  if (book_is_old_ || !book_at_ || steady - *book_at_ >= kBookEvery) {
    TellAnswers(now);
    UpdateBook(now);
    book_at_ = steady;
  }
  if (!trimmed_at_ || steady - *trimmed_at_ >= kTrimEvery) {
    trimmed_at_ = steady;
    Trim(now);
  }
  if (!repeated_at_ || steady - *repeated_at_ >= kRepeatEvery) {
    repeated_at_ = steady;
    Repeat(now);
  }
  SendDue(now);
}

// Whoever wrote them, the web server or a command: each is told once, which the store remembers.
void IncidentKeeper::TellAnswers(UnixTime now) {
  const auto untold = file_.Store().Untold();
  if (!Handled(untold)) {
    return;
  }
  auto at = now;
  for (const auto& one : *untold) {
    at += 1ms;  // a receiver tells two answers by their instants
    std::vector<OutboxEntry> outbox;
    for (const auto& sink : settings_.sinks) {
      const SinkMessage message{.change = "answered",
                                .record = one.incident,
                                .answer = one.answer,
                                .at = at,
                                .url = settings_.url};
      // An answer does not make an alert: that would begin again one that has ended.
      if (TakesAnswers(sink.kind) && one.incident.indicted) {
        outbox.push_back({.sink = sink.name,
                          .incident = one.incident.id,
                          .change = message.change,
                          .at = at,
                          .next = now,
                          .body = SinkBody(sink, message)});
      }
    }
    if (!Handled(file_.Store().Tell(one.number, outbox))) {
      return;
    }
  }
}

// Alertmanager forgets what is not repeated; one whose queue is not empty is behind anyhow.
void IncidentKeeper::Repeat(UnixTime now) {
  const auto book = Book();
  const auto is_repeated = [&](const IncidentRecord& record) {
    const auto absent = absent_.find(record.id);
    const auto answer = book->answers.find(record.id);
    return record.indicted &&
           (absent == absent_.end() || clock_.Steady() - absent->second >= kAbsentUnrepeated) &&
           (answer == book->answers.end() || answer->second != "known");
  };
  for (const auto& sink : settings_.sinks) {
    if (sink.kind != SinkKind::kAlertmanager) {
      continue;
    }
    const auto waiting = file_.Store().Waiting(sink.name);
    if (!Handled(waiting) || *waiting > 0) {
      continue;
    }
    std::vector<OutboxEntry> outbox;
    for (const auto& [id, record] : open_) {
      if (is_repeated(record)) {
        const SinkMessage message{
            .change = "goes-on", .record = record, .answer = {}, .at = now, .url = settings_.url};
        outbox.push_back({.sink = sink.name,
                          .incident = id,
                          .change = message.change,
                          .at = now,
                          .next = now,
                          .body = SinkBody(sink, message)});
      }
    }
    (void)Handled(file_.Store().Put({}, outbox));
  }
}

// The latest answer to each incident is the one that holds.
void IncidentKeeper::UpdateBook(UnixTime now) {
  book_is_old_ = false;
  const auto answers = file_.Store().AnswersSince(now - kPrecisionSpan);
  if (!Handled(answers)) {
    return;
  }
  auto book = std::make_shared<IncidentBook>();
  std::map<std::string, const IncidentStore::Answered*> latest;
  for (const auto& one : *answers) {
    latest[one.answer.incident] = &one;
  }
  for (const auto& [id, one] : latest) {
    const auto& answer = one->answer;
    if (answer.kind == AnswerKind::kMaintenance && answer.until && *answer.until > now) {
      book->masks.push_back({.node = one->incident.node, .until = *answer.until});
    }
    const bool holds = !answer.until || *answer.until > now;
    if (!one->incident.ended && holds) {
      const std::string name(Name(answer.kind));
      book->answers[id] = name;
      book->open.push_back(
          {.node = one->incident.node, .cause = one->incident.cause, .answer = name});
    }
  }
  auto measured = *answers;
  std::erase_if(measured, [&](const auto& one) { return one.answer.at < now - kPrecisionSpan; });
  book->precision = MeasurePrecision(measured);
  const std::lock_guard lock(mutex_);
  book_ = std::move(book);
  status_.on_disk = file_.IsOnDisk();
}

// By the wall clock; incidents have times of their own, so a clock that is set back drops nothing.
void IncidentKeeper::Trim(UnixTime now) {
  const auto most =
      file_.IsOnDisk() ? settings_.max_bytes : std::min(settings_.max_bytes, kMostMemory);
  const auto kept = file_.Store().Trim(now - settings_.max_age, most);
  if (!Handled(kept) || !Handled(file_.Store().DropMessagesBefore(now - kMessagesLast))) {
    return;
  }
  const std::lock_guard lock(mutex_);
  status_.bytes = kept->bytes;
}

// One message a sink at a time: the next one follows when it has been taken.
void IncidentKeeper::SendDue(UnixTime now) {
  auto& store = file_.Store();
  for (const auto& outcome : senders_.Take()) {
    const auto& entry = outcome.entry;
    const auto pause =
        std::min(IncidentStore::kLongestPause,
                 std::max(SinkPause(entry.attempts), outcome.retry_after.value_or(0s)));
    (void)Handled(outcome.ok || outcome.refused ? store.Sent(entry)
                                                : store.Postpone(entry, now + pause));
    if (outcome.refused) {
      sink_log_.Refused(entry.sink, outcome.error);
    } else {
      sink_log_.Attempted(entry.sink, outcome.ok ? "" : outcome.error);
    }
    const std::lock_guard lock(mutex_);
    auto& status = status_.sinks[entry.sink];
    ++(outcome.ok ? status.sent : outcome.refused ? status.dropped : status.failed);
  }
  std::map<std::string, SinkStatus> sinks;
  for (const auto& sink : settings_.sinks) {
    const auto dropped = file_.Store().DropOver(sink.name, sink.max_queue);
    const auto due = file_.Store().Due(sink.name, now, 1);
    const auto waiting = file_.Store().Waiting(sink.name);
    if (!Handled(dropped) || !Handled(due) || !Handled(waiting)) {
      return;
    }
    sink_log_.Overflowed(sink.name, static_cast<std::uint64_t>(*dropped), sink.max_queue);
    if (!due->empty() && !senders_.IsBusy(sink.name)) {
      senders_.Send(due->front());
    }
    const std::lock_guard lock(mutex_);
    auto& status = sinks[sink.name];
    status = status_.sinks[sink.name];
    status.waiting = *waiting;
    status.dropped += static_cast<std::uint64_t>(*dropped);
  }
  const std::lock_guard lock(mutex_);
  status_.sinks = std::move(sinks);
}

}  // namespace limpet
