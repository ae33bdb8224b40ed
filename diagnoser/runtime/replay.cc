#include "diagnoser/runtime/replay.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "diagnoser/publish/foreign_pages.h"
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

Result<RecordingSet> OpenRecordings(const std::vector<std::string>& inputs) {
  const auto paths = FindRecordings(inputs);
  if (!paths) {
    return paths.error();
  }
  // All are opened before one is read: a missing file must not turn up after hours of replay.
  std::vector<Recording> recordings;
  for (const auto& path : *paths) {
    auto file = OpenFile(path);
    if (!file) {
      return file.error();
    }
    recordings.emplace_back(path, std::move(*file));
  }
  return RecordingSet(std::move(recordings));
}

// Advances a pipeline and hands on what comes of it.
class Delivery {
 public:
  Delivery(Pipeline& pipeline, Duration step, const std::function<void(const Event&)>& sink,
           const ReplayObserver& observer)
      : pipeline_(pipeline), step_(step), sink_(sink), observer_(observer) {}

  void AdvanceTo(UnixTime watermark) {
    // Only a later instant can close anything; pieces of the same one come from many files.
    if (begun_ && watermark == watermark_) {
      return;
    }
    // Files take turns of many seconds, and an observer wants to see every step in between. Events
    // are the same however often time advances.
    if (observer_ && begun_ && watermark - watermark_ <= kMaxSteps * step_) {
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
    for (const auto& event : events) {
      sink_(event);
    }
    if (observer_) {
      observer_(pipeline_, at, events);
    }
  }

  Pipeline& pipeline_;
  Duration step_;
  const std::function<void(const Event&)>& sink_;
  const ReplayObserver& observer_;
  UnixTime watermark_;  // since begun_
  bool begun_ = false;
};

}  // namespace

void AddPage(const IngestStats& stats, std::size_t bytes, ReplayReport& report) {
  report.samples += stats.samples;
  if (stats.first) {
    report.first = std::min(report.first.value_or(*stats.first), *stats.first);
    report.last = std::max(report.last.value_or(*stats.last), *stats.last);
  }
  report.bytes += bytes;
  report.bad_lines += stats.bad_lines;
  report.late += stats.late;
}

Result<ReplayReport> Replay(PipelineConfig config, const std::vector<std::string>& inputs,
                            const std::function<void(const Event&)>& sink, const LogSink& log,
                            const ReplayProgress& progress, const ReplayObserver& observer) {
  auto set = OpenRecordings(inputs);
  if (!set) {
    return set.error();
  }
  // No event is urgent here, so presets wait for each other: readers get one order of time.
  config.one_order = true;
  const auto step = config.presets.front().step;
  Pipeline pipeline(std::move(config));
  ReplayReport report;
  Delivery delivery(pipeline, step, sink, observer);
  while (true) {
    const auto next = set->Next();
    if (!next) {
      log(LogLevel::kWarning, next.error().Text());  // the set goes on with the other files
      continue;
    }
    if (!*next) {
      break;
    }
    const auto& piece = **next;
    delivery.AdvanceTo(piece.watermark);
    const auto stats = pipeline.Ingest({.source = piece.source,
                                        .node = {},
                                        .role = {},
                                        .labels = {},
                                        .at = piece.watermark,
                                        .format = piece.format,
                                        .recording = true,
                                        .text = piece.text});
    if (!stats) {
      log(LogLevel::kWarning, std::string(piece.source) + ": " + stats.error().Text());
      continue;
    }
    AddPage(*stats, piece.text.size(), report);
    TellForeign(*stats, log, report);
    if (progress) {
      progress(piece.watermark, report);
    }
  }
  delivery.Finish();
  report.view = pipeline.View();
  report.cut = set->CutPaths();
  return report;
}

}  // namespace limpet
