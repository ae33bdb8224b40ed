// discovery.h: who the targets are now: those of the configuration, and those of lists in files
// (file_sd) and behind URLs (http_sd), which change while we run.
//
// The lists behind URLs are asked for by whoever has sockets: HttpSources() are targets for a
// Scraper, what it gets goes to Put. A source that fails keeps the last good list.
// Threads: Put from any thread; everything else from one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/sources/file_lists.h"
#include "diagnoser/sources/listed_targets.h"
#include "diagnoser/sources/scraper.h"
#include "exporter/common/log.h"
#include "exporter/common/time.h"

namespace limpet {

// One entry of the configuration that names a list instead of addresses.
struct SdSource {
  std::string name;  // in messages and metrics: the patterns, or the URL; unique
  TargetTemplate base;
  std::vector<std::string> files;  // file_sd: patterns
  std::optional<Endpoint> http;    // http_sd
  Duration refresh = std::chrono::seconds(5);
  Duration timeout = std::chrono::seconds(10);  // http_sd
  bool operator==(const SdSource&) const = default;
};

// The state of a source, for the metrics page.
struct SdStatus {
  std::string name;
  std::size_t targets = 0;  // of its last good list
  std::size_t refused = 0;  // problems of that list
  bool tried = false;       // there has been an answer, good or bad
  bool good = false;        // the last one was good
  // So far, by reason: "list" (it cannot be read as one), or why there was no answer (Name).
  std::map<std::string, std::uint64_t> failures = {{"list", 0}};
  std::optional<UnixTime> last_good;
  std::string error;  // why the last one was not good
};

class Discovery {
 public:
  // The clock must outlive it.
  Discovery(std::vector<Target> fixed, std::vector<SdSource> sources, const Clock& clock,
            LogSink log);

  // Called after a reload: sources that are as before keep their lists. Poll then says what is new.
  void Replace(std::vector<Target> fixed, std::vector<SdSource> sources);

  // The lists behind URLs: `node` is the source's name, the endpoint wants JSON.
  [[nodiscard]] std::vector<TargetPtr> HttpSources() const;
  // Takes what came from one of them.
  void Put(FetchedPage page);

  // Reads the files that are due and the answers given to Put. True when Targets() has changed.
  bool Poll();
  // Every source has been tried.
  [[nodiscard]] bool Settled() const;
  // Unique nodes, in the order of the configuration: of two of one name the first counts.
  [[nodiscard]] const std::vector<Target>& Targets() const { return targets_; }
  [[nodiscard]] std::vector<SdStatus> Status() const;
  // Returns what is wrong with the lists now.
  [[nodiscard]] const std::vector<std::string>& Problems() const { return problems_; }
  [[nodiscard]] bool Empty() const { return sources_.empty(); }

 private:
  struct Source {
    SdSource settings;
    std::optional<FileLists> files;
    SteadyTime next_read;
    TargetList list;
    SdStatus status;
  };

  [[nodiscard]] Source Begin(SdSource settings) const;
  bool ReadFiles(Source& source);
  bool ReadAnswer(Source& source, const FetchResult& result);
  void Merge();
  void LogProblems(std::vector<std::string> problems);

  const Clock& clock_;
  LogSink log_;
  std::vector<Target> fixed_;
  std::vector<Source> sources_;
  std::vector<Target> targets_;
  std::vector<std::string> problems_;
  bool replaced_ = true;
  std::mutex mutex_;
  std::vector<FetchedPage> answers_;
};

}  // namespace limpet
