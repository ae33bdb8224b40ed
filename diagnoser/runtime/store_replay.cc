#include "diagnoser/runtime/store_replay.h"

#include <time.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "exporter/common/exposition/numbers.h"

namespace limpet {
namespace {

constexpr std::uint64_t kMaxFailures = 6;  // in a row: a minute of pauses

// The reader believes that it is always the end of the span, so that it reads up to there.
class EndOfSpan final : public Clock {
 public:
  explicit EndOfSpan(UnixTime now) : now_(now) {}
  [[nodiscard]] UnixTime Now() const override { return now_; }
  [[nodiscard]] SteadyTime Steady() const override { return RealClock().Steady(); }

 private:
  UnixTime now_;
};

// What comes from the fetcher's thread.
class Batches {
 public:
  void Put(StoreBatch batch) {
    const std::lock_guard lock(mutex_);
    batch_ = std::move(batch);
    failures_ = 0;
    came_.notify_one();
  }
  void Put(const StoreStatus& status) {
    const std::lock_guard lock(mutex_);
    if (!status.good && status.tried && ++failures_ >= kMaxFailures) {
      error_ = status.error;
      came_.notify_one();
    }
  }
  Result<StoreBatch> Next() {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [this] { return batch_ || error_; });
    if (!batch_) {
      return Error{ErrorCode::kUnavailable, *error_, "prometheus"};
    }
    return *std::exchange(batch_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::optional<StoreBatch> batch_;
  std::optional<std::string> error_;
  std::uint64_t failures_ = 0;
};

}  // namespace

std::optional<UnixTime> ParseInstant(const std::string& text) {
  tm parts{};
  const char* const end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end != nullptr && *end == '\0') {
    const auto seconds = ::timegm(&parts);
    return seconds < 0 ? std::nullopt : std::optional(UnixFromSeconds(seconds));
  }
  return ParseUnixSeconds(text);
}

Result<ReplayReport> ReplayStore(PipelineConfig config, StoreSpan span,
                                 const std::function<void(const Event&)>& sink, const LogSink& log,
                                 const ReplayProgress& progress) {
  const auto step = span.settings.step;
  const auto last = UnixTime(step * (span.end.time_since_epoch() / step));
  span.settings.lag = Duration::zero();
  span.settings.catch_up = std::max(last - span.begin + 2 * step, step);
  config.one_order = true;
  config.limits.future = std::max(config.limits.future, (kMaxSteps + 4) * step);
  Pipeline pipeline(std::move(config));
  ReplayReport report;
  const EndOfSpan clock(last);
  Batches batches;
  const auto fetcher = StartFetcher(clock);
  {
    StoreReader reader(
        *fetcher, clock, [&](StoreBatch batch) { batches.Put(std::move(batch)); },
        [&](const StoreStatus& status) { batches.Put(status); }, log);
    reader.Start(span.settings, span.wants, span.begin);
    std::optional<Error> failed;
    for (UnixTime until; !failed && until < last;) {
      const auto batch = batches.Next();
      if (!batch) {
        failed = batch.error();
        break;
      }
      until = batch->until;
      for (const auto& page : batch->pages) {
        if (page.result.failure) {
          continue;
        }
        const std::vector<std::pair<std::string, std::string>> labels(page.target->labels.begin(),
                                                                      page.target->labels.end());
        const auto stats = pipeline.Ingest({.source = FormatUrl(page.target->endpoint),
                                            .node = page.target->node,
                                            .role = page.target->role,
                                            .labels = labels,
                                            .at = until,
                                            .text = page.result.body});
        if (!stats) {
          log(LogLevel::kWarning, page.target->node + ": " + stats.error().Text());
          continue;
        }
        report.samples += stats->samples;
        report.bytes += page.result.body.size();
        report.late += stats->late;
        if (stats->first) {
          report.first = std::min(report.first.value_or(*stats->first), *stats->first);
          report.last = std::max(report.last.value_or(*stats->last), *stats->last);
        }
      }
      for (const auto& event : pipeline.Advance(until)) {
        sink(event);
      }
      if (progress) {
        progress(until, report);
      }
      reader.ReadNext();
    }
    fetcher->Stop();
    if (failed) {
      return *failed;
    }
  }
  for (const auto& event : pipeline.Finish()) {
    sink(event);
  }
  report.view = pipeline.View();
  return report;
}

}  // namespace limpet
