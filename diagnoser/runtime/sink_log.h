// sink_log.h: what the log says of sinks: why one does not take messages, once until it takes them
// again, and that messages were dropped.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "exporter/common/log.h"

namespace limpet {

class SinkLog {
 public:
  explicit SinkLog(LogSink log) : log_(std::move(log)) {}

  // `error` is empty when the sink took the message.
  void Attempted(const std::string& sink, const std::string& error);
  // `messages` found no room among the `most` that wait for the sink.
  void Overflowed(const std::string& sink, std::uint64_t messages, std::int64_t most);
  // The message is about a node that the sink does not know, and is never sent.
  void Refused(const std::string& sink, const std::string& error);
  // `dropped`: changes of the history that could not be kept so far.
  void Lost(std::uint64_t dropped);

 private:
  struct Said {
    bool failing = false;
    bool overflowed = false;
    bool refused = false;
  };
  LogSink log_;
  std::map<std::string, Said> said_;  // by sink
  std::uint64_t lost_ = 0;
  bool said_lost_ = false;
};

}  // namespace limpet
