// store_reader.h: reads a store step by step, and never passes over one that it could not read.
//
// A batch holds everything of the steps up to `until`; the next is asked for when the diagnosis has
// used it and calls ReadNext. A query that fails is asked again (with longer and longer pauses, or
// after what Retry-After says); one that is too large or too slow is asked for fewer steps at once.
// An answer that the store itself calls partial is asked for again kPartialTries times and then
// taken as it is: what is missing counts as missing. Steps further back than catch_up are passed
// over, and that is told and counted.
// Threads: all functions from any thread; sink and status are called on the fetcher's, which must
// be stopped before the reader is destroyed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/store.h"
#include "diagnoser/sources/store_pages.h"
#include "diagnoser/sources/target_status.h"
#include "exporter/common/log.h"
#include "exporter/common/time.h"

namespace limpet {

struct StoreBatch {
  UnixTime until;               // a step; everything up to it is here
  std::vector<Target> targets;  // every node of the store, those without pages too
  std::vector<FetchedPage> pages;
};

// Shown on the metrics page. Counts are since the start.
struct StoreStatus {
  bool tried = false;
  bool good = false;  // the last query was answered
  std::string error;  // why not
  std::uint64_t queries = 0;
  // Failures by reason: why there was no answer (Name), "answer" (not what was asked for) or
  // "partial".
  std::map<std::string, std::uint64_t> failures = {{"answer", 0}, {"partial", 0}};
  std::uint64_t partial = 0;           // answers taken although the store called them partial
  Duration skipped{};                  // time passed over
  std::optional<UnixTime> read_until;  // the last step that was read
  std::size_t unnamed = 0;             // series of the last batch without a usable node label
};

class StoreReader {
 public:
  using Sink = std::function<void(StoreBatch)>;
  using StatusSink = std::function<void(const StoreStatus&)>;
  static constexpr int kPartialTries = 3;

  // Fetcher and clock must outlive it.
  StoreReader(Fetcher& fetcher, const Clock& clock, Sink sink, StatusSink status, LogSink log)
      : fetcher_(fetcher),
        clock_(clock),
        sink_(std::move(sink)),
        report_(std::move(status)),
        log_(std::move(log)) {}

  // Starts with these settings; goes on where it stands, at first after `resume` (nullopt: catch_up
  // ago).
  void Start(StoreSettings settings, StoreWants wants, std::optional<UnixTime> resume);
  // Asks no more, until Start.
  void Stop();
  // The last batch has been used: asks for the next one.
  void ReadNext();

 private:
  void Begin(StoreSettings settings, const StoreWants& wants, std::optional<UnixTime> resume);
  void Next();
  void Ask();
  void Answered(FetchResult result);
  void Failed(const std::string& reason, const std::string& why, std::optional<Duration> wait = {},
              bool smaller = false);
  [[nodiscard]] StoreBatch MakeBatch(std::vector<NodePage> pages) const;
  void LogChanges(const StorePages::Made& made);
  void Deliver();
  void After(Duration wait, void (StoreReader::*step)());
  void ReportStatus();

  Fetcher& fetcher_;
  const Clock& clock_;
  Sink sink_;
  StatusSink report_;
  LogSink log_;
  // The fetcher's thread only:
  StoreSettings settings_;
  std::vector<StoreQuery> queries_;
  std::unique_ptr<Connection> connection_;
  std::optional<StorePages> pages_;
  std::uint64_t turn_ = 0;  // callbacks of an earlier one do nothing
  std::optional<UnixTime> done_;
  bool begun_ = false;      // something has been read before, by us or by the state's writer
  Duration passed_over_{};  // since the last batch
  UnixTime first_;          // of the batch under way
  UnixTime last_;
  std::vector<StoreAnswer> answers_;
  int steps_ = kMaxSteps;  // at once
  int tries_ = 0;          // of the query under way
  int partial_tries_ = 0;
  Duration took_{};
  bool handed_out_ = false;
  StoreStatus status_;
};

}  // namespace limpet
