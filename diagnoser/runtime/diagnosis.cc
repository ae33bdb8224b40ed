#include "diagnoser/runtime/diagnosis.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "diagnoser/publish/events.h"
#include "diagnoser/runtime/process_use.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

// Pages of a stalled diagnosis wait here; without a bound they would take all memory.
constexpr std::size_t kMailboxBytes = std::size_t{256} << 20U;
constexpr Duration kSameMessage = 1min;
constexpr Duration kLinger = 20ms;        // readings are a second old at best
constexpr Duration kFramePeriod = 500ms;  // of the live page, while somebody watches

// How often windows are looked at: with every round of scrapes, once a second at most.
Duration ChooseTick(const std::vector<Target>& targets) {
  Duration tick = 1s;
  for (const auto& target : targets) {
    tick = std::min(tick, target.interval);
  }
  return tick;
}

}  // namespace

Diagnosis::Diagnosis(DiagnoserSettings settings, const DiagnosisPlan& plan, const Options& options,
                     const Clock& clock, SelfMetrics& metrics, LogSink log)
    : clock_(clock),
      metrics_(metrics),
      log_(log),
      limited_log_(std::move(log), clock, kSameMessage),
      process_(options.process),
      viewers_(options.viewers),
      own_thread_(options.own_thread),
      mailbox_(kMailboxBytes),
      event_file_(settings.events.file),
      mask_file_(settings.masked_file),
      keeper_(options.keeper),
      masks_of_file_(settings.masks_of_file),
      workers_(options.helpers),
      monitor_(std::move(settings), plan,
               options.store != nullptr ? options.store->Load(plan.pipeline) : PipelineState{},
               clock, metrics, log_, [this](const auto& events) { Write(events); }),
      last_tick_(clock.Steady()) {
  monitor_.SetProbeSink(options.probe);
  if (keeper_ != nullptr) {
    monitor_.SetKeeper(*keeper_);
  }
  monitor_.WorkBy(workers_.HandsOut());
  if (auto* const store = options.store; store != nullptr) {
    // Found out now, not after a day of accumulating, but no reason not to diagnose.
    if (const auto ready = store->Prepare(); !ready) {
      RecordSave(ready);
    }
    saver_.emplace([this, store](const std::string& encoded) { Save(*store, encoded); });
  }
}

void Diagnosis::Start() {
  next_tick_ = clock_.Steady();
  last_tick_ = next_tick_;
  if (own_thread_) {
    thread_ = std::thread([this] {
      while (!mailbox_.Closed()) {
        Step();
      }
    });
  }
}

void Diagnosis::Stop() {
  mailbox_.Close();
  if (thread_.joinable()) {
    thread_.join();
  }
  // Only once the thread has ended: the monitor may be used by one thread at a time.
  if (saver_) {
    saver_->Offer(monitor_.SnapshotState());
    saver_.reset();  // waits until it is written
  }
}

void Diagnosis::Ingest(FetchedPage page) {
  const auto bytes = page.result.body.capacity() + page.result.error.capacity();
  if (!mailbox_.Offer(std::move(page), bytes)) {
    limited_log_.Write(LogLevel::kWarning, "mailbox",
                       "the diagnosis cannot keep up and drops pages: scrape less often, or fewer "
                       "targets");
  }
}

void Diagnosis::Ingest(StoreBatch batch, std::function<void()> done) {
  // The reader waits for `done` before it sends another.
  mailbox_.Replace(BatchMessage{.batch = std::move(batch), .done = std::move(done)});
}

void Diagnosis::Reload(DiagnoserSettings settings, DiagnosisPlan plan) {
  // A plan that still waits is of the old settings: it could only rebuild groups for nothing.
  mailbox_.Replace<PlanMessage>(
      ReloadMessage{.settings = std::make_unique<DiagnoserSettings>(std::move(settings)),
                    .plan = std::make_unique<DiagnosisPlan>(std::move(plan))});
}

void Diagnosis::SetPlan(DiagnosisPlan plan) {
  mailbox_.Replace(PlanMessage{std::make_unique<DiagnosisPlan>(std::move(plan))});
}

void Diagnosis::SetStore(StoreStatus store) { mailbox_.Replace(std::move(store)); }

void Diagnosis::SetDiscovery(std::vector<SdStatus> sources) {
  mailbox_.Replace(DiscoveryMessage{std::move(sources)});
}

void Diagnosis::AddProbe(ProbeReadings readings) {
  // Three lines, and one round at a time: bounded without counting its bytes.
  (void)mailbox_.Offer(std::move(readings), 0);
}

void Diagnosis::Step() {
  // All that is there at once: waking up for each page would cost more than most pages.
  for (auto& message :
       own_thread_ ? mailbox_.Receive(NextTurn(), kLinger) : mailbox_.Receive(SteadyTime())) {
    std::visit([this](auto& one) { Handle(one); }, message);
  }
  const auto now = clock_.Steady();
  if (now >= next_tick_) {
    Tick(now);
    // After a stall it goes on from now: ticks that were missed are not made up for.
    next_tick_ = std::max(next_tick_ + ChooseTick(monitor_.Plan().targets), now);
    next_frame_ = now + kFramePeriod;
  } else if (now >= NextTurn()) {
    monitor_.PublishFrame();
    next_frame_ = now + kFramePeriod;
  }
}

SteadyTime Diagnosis::NextTurn() const {
  // Nobody watches: the frames of the ticks will do for whoever comes next.
  return viewers_ == nullptr || viewers_->watching == 0 ? next_tick_
                                                        : std::min(next_tick_, next_frame_);
}

void Diagnosis::Handle(FetchedPage& page) {
  if (own_thread_ && mailbox_.Closed()) {
    return;  // a backlog of seconds or more must not delay the end
  }
  longest_lag_ = std::max(longest_lag_, clock_.Steady() - page.arrived);
  monitor_.Ingest(page);
  unsaved_ = true;
}

void Diagnosis::Handle(BatchMessage& message) {
  monitor_.Ingest(message.batch);
  unsaved_ = true;
  message.done();
}

void Diagnosis::Handle(ReloadMessage& message) {
  // Reopened even under the same name: that is how the log is rotated.
  event_file_.Reopen(message.settings->events.file);
  mask_file_ = MaskFile(message.settings->masked_file);
  masks_of_file_ = message.settings->masks_of_file;
  masks_of_answers_.clear();  // to be set anew
  if (keeper_ != nullptr) {
    keeper_->Reload(message.settings->incidents);
  }
  monitor_.Reload(std::move(*message.settings), std::move(*message.plan));
}

void Diagnosis::Handle(PlanMessage& message) { monitor_.SetPlan(std::move(*message.plan)); }

void Diagnosis::Handle(StoreStatus& status) { monitor_.SetStore(std::move(status)); }

void Diagnosis::Handle(DiscoveryMessage& message) {
  monitor_.SetDiscovery(std::move(message.sources));
}

void Diagnosis::Handle(ProbeReadings& readings) { monitor_.AddProbe(readings); }

void Diagnosis::Tick(SteadyTime now) {
  metrics_.RecordIngest(mailbox_.Refused(), std::exchange(longest_lag_, Duration::zero()));
  if (viewers_ != nullptr) {
    metrics_.RecordLive(*viewers_, monitor_.HistoryBytes());
  }
  if (process_ != nullptr) {
    metrics_.RecordProcess(ReadProcessUse(*process_));
  }
  // Before windows are closed: a mask counts from the next window on.
  ReadMasks();
  (void)monitor_.Tick();
  OfferState(now);
  last_tick_ = now;
}

void Diagnosis::ReadMasks() {
  auto of_answers = MasksOfAnswers();
  const bool answered = of_answers != masks_of_answers_;
  masks_of_answers_ = std::move(of_answers);
  const auto masks = mask_file_.Changed();
  if (masks) {
    // The file of masks is part of the configuration, so a bad one shows as a bad reload.
    metrics_.RecordReload(masks->has_value());
    if (*masks) {
      masks_of_file_ = **masks;
    } else {
      log_(LogLevel::kError, masks->error().Text() + "; the masks stay as they were");
    }
  }
  if (answered || (masks && *masks)) {
    auto all = masks_of_file_;
    all.insert(all.end(), masks_of_answers_.begin(), masks_of_answers_.end());
    monitor_.SetMasks(all);
  }
}

// Of servers in maintenance, by what people have answered.
std::vector<std::string> Diagnosis::MasksOfAnswers() const {
  std::vector<std::string> masks;
  if (keeper_ != nullptr) {
    const auto now = clock_.Now();
    for (const auto& mask : keeper_->Book()->masks) {
      if (mask.until > now) {
        masks.push_back(mask.node);
      }
    }
  }
  return masks;
}

void Diagnosis::OfferState(SteadyTime now) {
  // Without pages the state is what was saved last; an idle diagnoser leaves the disk alone.
  if (saver_ && unsaved_ && now - saved_at_ >= monitor_.Settings().state_interval) {
    saver_->Offer(monitor_.SnapshotState());
    saved_at_ = now;
    unsaved_ = false;
  }
}

// On the saver's thread.
void Diagnosis::Save(StateStore& store, const std::string& encoded) {
  RecordSave(store.Save(encoded));
}

void Diagnosis::RecordSave(const Result<void>& saved) {
  metrics_.RecordStateSave(saved.has_value(), clock_.Now());
  // A disk may be full for a week: only changes are logged, the metric tells the rest.
  if (!saved && !save_failed_) {
    log_(LogLevel::kError,
         "cannot save the state (the diagnosis goes on): " + saved.error().Text());
  } else if (saved && save_failed_) {
    log_(LogLevel::kInfo, "the state is saved again");
  }
  save_failed_ = !saved;
}

void Diagnosis::Write(const std::vector<Event>& events) {
  const auto& options = monitor_.Settings().events;
  if (options.file.empty()) {
    return;
  }
  std::string lines;
  std::size_t count = 0;
  for (const auto& event : events) {
    if (options.windows || !std::holds_alternative<WindowEvent>(event)) {
      lines += ToJsonLine(event);
      ++count;
    }
  }
  const auto written = event_file_.Write(lines);
  metrics_.RecordEvents(written.has_value(), count);
  if (!written) {
    limited_log_.Write(LogLevel::kError, "events", written.error().Text());
  }
}

}  // namespace limpet
