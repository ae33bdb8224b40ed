// target_status.h: what is known about one target from its scrapes.
//
// Threads: values; belongs to whoever keeps it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/target.h"

namespace limpet {

// A page fetched, or not. `target` is as it was when the page was asked for.
struct FetchedPage {
  std::shared_ptr<const Target> target;
  FetchResult result;
  SteadyTime arrived;
  std::optional<Duration> clock_skew = {};  // of a store: the exporter's clock less the store's
};

struct TargetStatus {
  std::shared_ptr<const Target> target;
  std::uint64_t scrapes = 0;  // finished, good or bad
  bool up = false;            // the last one was good
  std::string error;          // why the last one was not; empty when it was
  std::optional<FetchFailure> failure;
  Duration took{};
  UnixTime last_at;              // when it was asked for
  std::uint64_t samples = 0;     // on the last good page
  std::uint64_t over_limit = 0;  // series that were left out of it for want of room
  std::uint64_t bytes = 0;       // of all pages, decoded
  std::uint64_t failures_in_a_row = 0;
  std::array<std::uint64_t, kFetchFailures> failures{};  // by FetchFailure
  // Pages that came from another exporter or machine than those before, and increases that no
  // machine makes, by reason; both were gaps.
  std::map<std::string, std::uint64_t, std::less<>> identity_changes;
  std::map<std::string, std::uint64_t, std::less<>> refused_increases;
  std::optional<Duration>
      clock_skew;  // its clock − ours (a store's) at the last page that tells the time
};

// A page was fetched and read.
void RecordSuccess(TargetStatus& status, const FetchResult& result, std::uint64_t samples);
// No page, or one that could not be read.
void RecordFailure(TargetStatus& status, const FetchResult& result, FetchFailure failure,
                   std::string error);

}  // namespace limpet
