// stream.h: a response without an end, such as server-sent events.
//
// Threads: a Stream is used and destroyed on the server's thread alone.
#pragma once

#include <memory>
#include <string>

#include "exporter/common/time.h"

namespace limpet::web {

class Stream {
 public:
  struct Piece {
    std::shared_ptr<const std::string> bytes;  // shared: many viewers get the same; null: none yet
    bool is_last = false;                      // the response ends after it
  };

  Stream() = default;
  virtual ~Stream() = default;  // the client is gone, or the response is over
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Returns what there is to send now. Asked a few times a second, but never before the client has
  // had everything so far: whoever reads slowly is asked for less often, and nothing queues up.
  [[nodiscard]] virtual Piece Next(SteadyTime now) = 0;
};

}  // namespace limpet::web
