#include "diagnoser/runtime/sink_log.h"

namespace limpet {

// Each in a row of failures has its own words (a time-out, then a 503): only the first is said.
void SinkLog::Attempted(const std::string& sink, const std::string& error) {
  auto& said = said_[sink];
  if (!error.empty() && !said.failing) {
    log_(LogLevel::kWarning, "sinks: " + sink + ": " + error +
                                 "; messages wait and are tried again, after 10 minutes at most");
  } else if (error.empty() && said.failing) {
    log_(LogLevel::kInfo, "sinks: " + sink + ": takes messages again");
  }
  said.failing = !error.empty();
  said.overflowed = said.overflowed && said.failing;
}

void SinkLog::Overflowed(const std::string& sink, std::uint64_t messages, std::int64_t most) {
  if (messages > 0 && !std::exchange(said_[sink].overflowed, true)) {
    log_(LogLevel::kWarning,
         "sinks: " + sink + ": " + std::to_string(most) +
             " messages wait already (max_queue): the oldest are dropped until it takes some");
  }
}

void SinkLog::Refused(const std::string& sink, const std::string& error) {
  if (!std::exchange(said_[sink].refused, true)) {
    log_(LogLevel::kWarning, "sinks: " + sink + ": " + error +
                                 "; messages about nodes that it does not know are dropped");
  }
}

void SinkLog::Lost(std::uint64_t dropped) {
  const bool more = dropped > lost_;
  if (more && !said_lost_) {
    log_(LogLevel::kError,
         "incidents: changes are lost: the disk is too slow or cannot be written, and too many "
         "wait for it");
  }
  said_lost_ = more;
  lost_ = dropped;
}

}  // namespace limpet
