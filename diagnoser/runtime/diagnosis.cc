#include "diagnoser/runtime/diagnosis.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "diagnoser/publish/events.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kInboxBytes = std::size_t{256} << 20U;

ProcessUse ReadProcess(FileReader& proc) {
  ProcessUse use;
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    const auto of = [](const timeval& time) {
      return Duration(std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec));
    };
    use.cpu_time = of(usage.ru_utime) + of(usage.ru_stime);
  }
  if (const auto text = proc.Read("statm")) {
    Fields fields(*text);
    fields.Next();
    const auto pages = ParseU64(fields.Next()).value_or(0);
    use.resident_bytes = static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  }
  return use;
}

// How often windows are looked at: with every round of scrapes, once a second at most.
Duration TickOf(const DiagnoserConfig& config) {
  Duration tick = 1s;
  for (const auto& target : config.targets) {
    tick = std::min(tick, target.interval);
  }
  return tick;
}

}  // namespace

Diagnosis::Diagnosis(const DiagnoserConfig& config, StateStore* store, const Clock& clock,
                     SelfMetrics& metrics, LogSink log)
    : clock_(clock),
      metrics_(metrics),
      log_(log),
      limited_log_(std::move(log), clock, 1min),
      proc_(OpenRealFiles("/proc/self")),
      inbox_(kInboxBytes),
      event_file_(config.events.file),
      mask_file_(config.masked_file),
      monitor_(config, store != nullptr ? store->Load(config.pipeline) : PipelineState{}, clock,
               metrics, log_, [this](const auto& events) { Write(events); }) {
  if (store != nullptr) {
    saver_.emplace([this, store](const std::string& encoded) { Save(*store, encoded); });
  }
}

void Diagnosis::Start() {
  last_tick_ = clock_.Steady();
  thread_ = std::thread([this] { Run(); });
}

void Diagnosis::Stop() {
  stopping_ = true;
  inbox_.Wake();
  thread_.join();
  if (saver_) {
    saver_->Offer(monitor_.EncodedState());
    saver_.reset();
  }
}

void Diagnosis::Take(FetchedPage page) {
  if (!inbox_.Put(std::move(page))) {
    limited_log_.Write(LogLevel::kWarning, "inbox",
                       "the diagnosis cannot keep up: pages are thrown away; scrape less often or "
                       "fewer targets");
  }
}

void Diagnosis::Reload(DiagnoserConfig config) {
  const std::lock_guard lock(mutex_);
  reloaded_ = std::move(config);
  retargeted_.reset();
  inbox_.Wake();
}

void Diagnosis::SetTargets(DiagnoserConfig config) {
  const std::lock_guard lock(mutex_);
  (reloaded_ ? reloaded_ : retargeted_) = std::move(config);
  inbox_.Wake();
}

void Diagnosis::Take(StoreBatch batch, std::function<void()> taken) {
  const std::lock_guard lock(mutex_);
  batch_ = std::move(batch);
  taken_ = std::move(taken);
  inbox_.Wake();
}

void Diagnosis::SetStore(StoreStatus store) {
  const std::lock_guard lock(mutex_);
  store_ = std::move(store);
}

void Diagnosis::SetDiscovery(std::vector<SdStatus> sources) {
  const std::lock_guard lock(mutex_);
  discovery_ = std::move(sources);
}

void Diagnosis::Run() {
  auto next = clock_.Steady();
  Duration lag{};
  while (!stopping_) {
    for (const auto& page : inbox_.Take(next)) {
      lag = std::max(lag, clock_.Steady() - page.arrived);
      monitor_.Take(page);
      unsaved_ = true;
    }
    TakeReload();
    TakeBatch();
    const auto now = clock_.Steady();
    if (now >= next) {
      metrics_.RecordIngest(inbox_.Refused(), std::exchange(lag, Duration::zero()));
      metrics_.RecordProcess(ReadProcess(*proc_));
      TakeMasks();
      (void)monitor_.Tick();
      OfferState(now);
      last_tick_ = now;
      next = std::max(next + TickOf(monitor_.Config()), now);
    }
  }
}

void Diagnosis::TakeReload() {
  std::optional<DiagnoserConfig> config;
  std::optional<DiagnoserConfig> targets;
  std::optional<std::vector<SdStatus>> discovery;
  {
    const std::lock_guard lock(mutex_);
    config = std::exchange(reloaded_, std::nullopt);
    targets = std::exchange(retargeted_, std::nullopt);
    discovery = std::exchange(discovery_, std::nullopt);
  }
  if (targets) {
    monitor_.SetTargets(std::move(*targets));
  }
  if (discovery) {
    monitor_.SetDiscovery(std::move(*discovery));
  }
  if (config) {
    event_file_.Reopen(config->events.file);
    mask_file_ = MaskFile(config->masked_file);
    monitor_.Reload(std::move(*config));
  }
}

void Diagnosis::TakeBatch() {
  std::optional<StoreBatch> batch;
  std::function<void()> taken;
  {
    const std::lock_guard lock(mutex_);
    batch = std::exchange(batch_, std::nullopt);
    taken = std::exchange(taken_, nullptr);
    if (store_) {
      monitor_.SetStore(*store_);
    }
  }
  if (batch) {
    monitor_.TakeBatch(*batch);
    unsaved_ = true;
    taken();
  }
}

void Diagnosis::TakeMasks() {
  const auto masks = mask_file_.Changed();
  if (!masks) {
    return;
  }
  metrics_.RecordReload(masks->has_value());
  if (*masks) {
    monitor_.SetMasks(**masks);
  } else {
    log_(LogLevel::kError, masks->error().Text() + "; the masks stay as they were");
  }
}

void Diagnosis::OfferState(SteadyTime now) {
  if (saver_ && unsaved_ && now - saved_at_ >= monitor_.Config().state_interval) {
    saver_->Offer(monitor_.EncodedState());
    saved_at_ = now;
    unsaved_ = false;
  }
}

void Diagnosis::Save(StateStore& store, const std::string& encoded) {
  const auto saved = store.Save(encoded);
  metrics_.RecordStateSave(saved.has_value(), clock_.Now());
  if (!saved) {
    limited_log_.Write(LogLevel::kError, "state",
                       "the state is not saved, the diagnosis goes on: " + saved.error().Text());
  }
}

void Diagnosis::Write(const std::vector<Event>& events) {
  const auto& options = monitor_.Config().events;
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
