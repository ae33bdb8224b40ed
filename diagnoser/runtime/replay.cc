#include "diagnoser/runtime/replay.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "diagnoser/publish/foreign_pages.h"
#include "diagnoser/runtime/pages_ahead.h"
#include "diagnoser/sources/open_recording.h"
#include "diagnoser/sources/recording_set.h"

namespace limpet {
namespace {

constexpr int kMaxSteps = 1000;         // that an observer sees of a silence
constexpr std::uint64_t kMaxTold = 20;  // of pages of another machine; the rest is only counted

void TellForeign(const IngestStats& stats, const LogSink& log, ReplayReport& report) {
  const auto tell = [&](const auto& one) {
    if (report.foreign++ < kMaxTold) {
      log(LogLevel::kWarning, Text(one));
    }
  };
  for (const auto& one : stats.replaced) {
    tell(one);
  }
  for (const auto& one : stats.examples) {
    tell(one);
  }
}

// Some of what an observer looks at is not kept by instant: what was read last is what it sees.
constexpr Duration kObservedTurn = std::chrono::seconds(1);

// Turns read ahead: a few for each thread that reads, and no more than one thread can ingest while
// others read (a turn takes 2 MB and more).
constexpr std::size_t kTurnsAThread = 4;
constexpr std::size_t kMaxTurnsAhead = 32;
// Turns ingested side by side: a few for each thread, since some are longer than others.
constexpr std::size_t kTurnsTogether = 4;
constexpr std::size_t kMaxTurnsTogether = 32;

// Paths that were given more than once: they are one source, which no two threads may read.
std::set<std::string, std::less<>> FindTwice(const std::vector<Recording>& recordings) {
  std::set<std::string, std::less<>> once;
  std::set<std::string, std::less<>> twice;
  for (const auto& recording : recordings) {
    if (!once.insert(recording.Path()).second) {
      twice.insert(recording.Path());
    }
  }
  return twice;
}

RecordingSet::Settings ReadBy(const ReplayInput& input, bool observed,
                              const std::vector<Recording>& recordings, Pipeline& pipeline,
                              PagesPool& pool) {
  // What a file says once is said again at a begin in its middle, which takes lines.
  RecordingSet::Settings settings{.range = input.range,
                                  .launch = nullptr,
                                  .await = nullptr,
                                  .use = nullptr,
                                  .rows = input.range.from == UnixTime::min(),
                                  .turn = observed ? kObservedTurn : RecordingSet::kTurn};
  if (auto* const workers = input.workers; workers != nullptr && workers->Threads() > 0) {
    settings.turns_ahead = std::min(1 + kTurnsAThread * workers->Threads(), kMaxTurnsAhead);
    if (!observed) {  // who looks at every step of time
      settings.turns_together =
          std::min(kTurnsTogether * (1 + workers->Threads()), kMaxTurnsTogether);
      settings.turns_ahead += settings.turns_together;
    }
    settings.launch = [workers](std::function<Slice()> read) {
      return workers->Start(std::move(read));
    };
    settings.await = [workers](const std::future<Slice>& slice) { workers->Await(slice); };
    settings.use = [&pipeline, &pool, twice = FindTwice(recordings)](std::string_view source,
                                                                     UnixTime watermark) {
      return twice.contains(source) ? nullptr
                                    : pool.Take(pipeline.ReadAhead(source), source, watermark);
    };
  }
  return settings;
}

Result<std::vector<Recording>> OpenRecordings(const ReplayInput& input, const LogSink& log) {
  const auto paths = FindRecordings(input.paths);
  if (!paths) {
    return paths.error();
  }
  // All are opened before one is read: a missing file must not turn up after hours of replay.
  std::vector<Recording> recordings;
  for (const auto& path : *paths) {
    auto recording = OpenRecording(path, log);
    if (!recording) {
      return recording.error();
    }
    recordings.push_back(*std::move(recording));
  }
  return recordings;
}

// 0 when one of them is no file: nobody knows how much a pipe will give.
std::uint64_t SumFileSizes(const std::vector<std::string>& inputs) {
  std::uint64_t sum = 0;
  const auto paths = FindRecordings(inputs);
  for (const auto& path : paths ? *paths : std::vector<std::string>()) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    if (failed) {
      return 0;
    }
    sum += size;
  }
  return sum;
}

// Advances a pipeline and hands on what comes of it.
class Delivery {
 public:
  Delivery(Pipeline& pipeline, Duration step, const ReplayHooks& hooks)
      : pipeline_(pipeline), step_(step), hooks_(hooks) {}

  void AdvanceTo(UnixTime watermark) {
    // Only a later instant can close anything; pieces of the same one come from many files.
    if (begun_ && watermark == watermark_) {
      return;
    }
    // Files take turns of many seconds, and an observer wants to see every step in between. Events
    // are the same however often time advances.
    if (hooks_.observer && begun_ && watermark - watermark_ <= kMaxSteps * step_) {
      for (auto at = watermark_ + step_; at < watermark; at += step_) {
        Deliver(at, pipeline_.Advance(at));
      }
    }
    watermark_ = watermark;
    begun_ = true;
    Deliver(watermark, pipeline_.Advance(watermark));
  }
  void Finish() { Deliver(watermark_, pipeline_.Finish()); }

 private:
  void Deliver(UnixTime at, const std::vector<Event>& events) const {
    if (!events.empty()) {
      hooks_.events(events);
    }
    if (hooks_.observer) {
      hooks_.observer(pipeline_, at, events);
    }
  }

  Pipeline& pipeline_;
  Duration step_;
  const ReplayHooks& hooks_;
  UnixTime watermark_;  // since begun_
  bool begun_ = false;
};

}  // namespace

void AddPage(const IngestStats& stats, std::size_t bytes, ReplayReport& report) {
  report.samples += stats.samples;
  report.mapped += stats.mapped;
  if (stats.first) {
    report.first = std::min(report.first.value_or(*stats.first), *stats.first);
    report.last = std::max(report.last.value_or(*stats.last), *stats.last);
  }
  report.bytes += bytes;
  report.bad_lines += stats.bad_lines;
  report.late += stats.late;
}

namespace {

void Tell(const PageOfTurn& page, const LogSink& log, ReplayReport& report) {
  const std::string source(page.scrape.source);
  if (!page.stats) {
    log(LogLevel::kWarning, source + ": " + page.stats.error().Text());
    return;
  }
  AddPage(*page.stats, page.scrape.text.size(), report);
  if (page.stats->late > 0) {
    report.late_files[source] += page.stats->late;
  }
  TellForeign(*page.stats, log, report);
}

}  // namespace

Result<ReplayReport> Replay(PipelineConfig config, const std::vector<std::string>& inputs,
                            const std::function<void(const Event&)>& sink, const LogSink& log,
                            const ReplayProgress& progress, const ReplayObserver& observer) {
  const auto each = [&](const std::vector<Event>& events) {
    for (const auto& event : events) {
      sink(event);
    }
  };
  return Replay(std::move(config), {.paths = inputs},
                {.events = each, .progress = progress, .observer = observer}, log);
}

Result<ReplayReport> Replay(PipelineConfig config, const ReplayInput& input,
                            const ReplayHooks& hooks, const LogSink& log) {
  auto recordings = OpenRecordings(input, log);
  if (!recordings) {
    return recordings.error();
  }
  // No event is urgent here, so presets wait for each other: readers get one order of time.
  config.one_order = true;
  const auto step = config.presets.front().step;
  Pipeline pipeline(std::move(config));
  if (auto* const workers = input.workers; workers != nullptr) {
    pipeline.WorkBy(workers->HandsOut());
  }
  PagesPool pool;
  auto read_by = ReadBy(input, static_cast<bool>(hooks.observer), *recordings, pipeline, pool);
  RecordingSet set(*std::move(recordings), std::move(read_by));
  ReplayReport report{.total_bytes = SumFileSizes(input.paths), .first = {}, .last = {}};
  Delivery delivery(pipeline, step, hooks);
  std::vector<PageOfTurn> pages;
  while (true) {
    const auto next = set.NextPieces();
    if (!next) {
      log(LogLevel::kWarning, next.error().Text());  // the set goes on with the other files
      continue;
    }
    if (next->empty()) {
      break;
    }
    delivery.AdvanceTo(next->front().watermark);
    pages.clear();
    for (const auto& piece : *next) {
      pages.push_back({.scrape = RecordedScrape(piece.source, piece.watermark, piece.format,
                                                piece.text, piece.rows),
                       .ahead = AheadOf(piece),
                       .latest = {}});
    }
    pipeline.IngestTogether(pages);
    report.file_bytes = set.BytesRead();
    for (const auto& page : pages) {
      Tell(page, log, report);
      if (hooks.progress) {
        hooks.progress(page.scrape.at, report);
      }
    }
  }
  delivery.Finish();
  report.view = pipeline.View();
  report.wwns = pipeline.ListWwns();
  report.cut = set.CutPaths();
  return report;
}

}  // namespace limpet
