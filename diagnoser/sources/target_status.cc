#include "diagnoser/sources/target_status.h"

#include <utility>

namespace limpet {

void RecordSuccess(TargetStatus& status, const FetchResult& result, std::uint64_t samples) {
  ++status.scrapes;
  status.up = true;
  status.error.clear();
  status.failure.reset();
  status.took = result.took;
  status.last_at = result.asked_at;
  status.samples = samples;
  status.bytes += result.body.size();
  status.failures_in_a_row = 0;
}

void RecordFailure(TargetStatus& status, const FetchResult& result, FetchFailure failure,
                   std::string error) {
  ++status.scrapes;
  status.up = false;
  status.error = std::move(error);
  status.failure = failure;
  status.took = result.took;
  status.last_at = result.asked_at;
  status.bytes += result.body.size();
  // What its clock says now is not known; an old number would raise an alert about clocks.
  status.clock_skew.reset();
  ++status.failures_in_a_row;
  ++status.failures[static_cast<std::size_t>(failure)];
}

}  // namespace limpet
