#include "diagnoser/runtime/store_replay.h"

#include <time.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "diagnoser/runtime/mailbox.h"
#include "diagnoser/sources/reading_spacing.h"
#include "exporter/common/exposition/numbers.h"
#include "exporter/common/instants.h"

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

// What comes from the fetcher's thread: a batch at a time, and how the reader is doing.
using Messages = Mailbox<std::variant<StoreBatch, StoreStatus>>;

// The next batch; an error when kMaxFailures queries in a row had no answer.
Result<StoreBatch> NextBatch(Messages& messages) {
  std::uint64_t failures = 0;
  while (true) {
    for (auto& message : messages.Receive()) {
      if (auto* const batch = std::get_if<StoreBatch>(&message)) {
        return std::move(*batch);  // nothing comes behind it before it has been used
      }
      const auto& status = std::get<StoreStatus>(message);
      if (status.tried && !status.good && ++failures >= kMaxFailures) {
        return Error{ErrorCode::kUnavailable, status.error, "prometheus"};
      }
    }
  }
}

void RecordSkew(const FetchedPage& page, ReplayReport& report) {
  if (!page.clock_skew) {
    return;
  }
  auto& most = report.clock_skew[page.target->node];
  if (std::chrono::abs(*page.clock_skew) > std::chrono::abs(most)) {
    most = *page.clock_skew;
  }
}

// How far apart the readings are, by the first batches: the others are like them.
class FirstSpacing {
 public:
  void Add(const StoreBatch& batch) {
    constexpr int kBatches = 4;
    if (batch.pages.empty() || ++batches_ > kBatches) {
      return;
    }
    for (const auto& page : batch.pages) {
      spacing_.AddPage(page.target->node, page.result.body);
    }
  }
  // Tells of readings between which there are gaps only: nothing can be compared.
  void LogSlip(const StoreSettings& settings, Duration longest_gap, const LogSink& log) const {
    const auto spacing = spacing_.Typical();
    const auto slip = FindStepSlip(settings, spacing);
    if (slip && *spacing > longest_gap) {
      log(LogLevel::kWarning, *slip);
    }
  }

 private:
  ReadingSpacing spacing_;
  int batches_ = 0;
};

// Reads the pages of a batch into the pipeline.
void IngestBatch(const StoreBatch& batch, Pipeline& pipeline, const LogSink& log,
                 ReplayReport& report) {
  for (const auto& page : batch.pages) {
    if (page.result.failure) {
      continue;  // the store has nothing of this node here
    }
    const auto& target = *page.target;
    const std::vector<std::pair<std::string, std::string>> labels(target.labels.begin(),
                                                                  target.labels.end());
    const auto stats = pipeline.Ingest({.source = FormatUrl(target.endpoint),
                                        .node = target.node,
                                        .role = target.role,
                                        .labels = labels,
                                        .at = batch.until,
                                        .text = page.result.body});
    if (stats) {
      AddPage(*stats, page.result.body.size(), report);
      RecordSkew(page, report);
    } else {
      log(LogLevel::kWarning, target.node + ": " + stats.error().Text());
    }
  }
}

}  // namespace

std::optional<UnixTime> ParseInstant(const std::string& text) {
  tm parts{};
  const char* const end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end != nullptr && *end == '\0') {
    const auto seconds = ::timegm(&parts);
    return IsInstant(static_cast<double>(seconds)) ? std::optional(UnixFromSeconds(seconds))
                                                   : std::nullopt;
  }
  const auto at = ParseUnixSeconds(text);
  return at && IsInstant(*at) ? at : std::nullopt;
}

Result<ReplayReport> ReplayStore(PipelineConfig config, StoreSpan span,
                                 const std::function<void(const Event&)>& sink, const LogSink& log,
                                 const ReplayProgress& progress) {
  const auto step = span.settings.step;
  const auto last = UnixTime(step * (span.end.time_since_epoch() / step));
  span.settings.lag = Duration::zero();  // it is all there
  // The reader passes over what is further back than catch_up; here that is the very span.
  span.settings.catch_up = std::max(last - span.begin + 2 * step, step);
  config.one_order = true;
  // A batch brings many steps of one node before the first of the next.
  config.limits.future = std::max(config.limits.future, (kMaxSteps + 4) * step);
  const auto longest_gap = config.presets.front().MaxGap();
  Pipeline pipeline(std::move(config));
  ReplayReport report;
  FirstSpacing spacing;
  const EndOfSpan clock(last);
  Messages messages(0);
  const auto fetcher = StartFetcher(clock);
  // A status is offered, not replaced: NextBatch counts failures and must see each of them.
  StoreReader reader(
      *fetcher, clock, [&](StoreBatch batch) { messages.Replace(std::move(batch)); },
      [&](const StoreStatus& status) { (void)messages.Offer(status, 0); }, log);
  reader.Start(span.settings, span.wants, span.begin);
  std::optional<Error> failed;
  for (UnixTime until; !failed && until < last;) {
    const auto batch = NextBatch(messages);
    if (!batch) {
      failed = batch.error();
      break;
    }
    until = batch->until;
    IngestBatch(*batch, pipeline, log, report);
    spacing.Add(*batch);
    for (const auto& event : pipeline.Advance(until)) {
      sink(event);
    }
    if (progress) {
      progress(until, report);
    }
    reader.ReadNext();
  }
  fetcher->Stop();  // before the reader that it calls goes
  if (failed) {
    return *failed;
  }
  for (const auto& event : pipeline.Finish()) {
    sink(event);
  }
  spacing.LogSlip(span.settings, longest_gap, log);
  report.view = pipeline.View();
  report.wwns = pipeline.ListWwns();
  return report;
}

}  // namespace limpet
