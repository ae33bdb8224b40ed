// propagated_errors.h: errors that a server's system calls return and that reach a client
// [Kasick09 §7].
//
// The file system hands such an error on as its own, often from a call that cannot return it
// (EMFILE of a read): the server where it first appeared is the culprit. A client that gets EIO has
// got it too: file systems translate what their protocol has no word for.
//
// Sightings are intervals, since counters are read once in a while: an error is somewhere after one
// reading and not after the next. Two belong together when their intervals are at most 3 s apart.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "diagnoser/detect/syscalls/benign_errors.h"
#include "exporter/common/time.h"

namespace limpet {

struct ErrorSighting {
  std::string node;
  std::string role;     // of the node
  bool client = false;  // the process that made the call is a client's
  std::string path;     // class of what the call was made on: "storage", "network", …
  std::string call;     // "openat"
  std::string error;    // "EMFILE"
  UnixTime from;        // in (from, to]
  UnixTime to;
  std::uint64_t count = 0;
};

// An error that has reached a client.
struct PropagatedError {
  ErrorSighting server;     // all of its kind so far: count and times are theirs
  std::string client_node;  // the first that got it, and best the same error
  std::string client_call;
  std::string client_error;
  UnixTime client_at;  // when
  UnixTime last;       // when it was last seen on both sides
};

class PropagatedErrors {
 public:
  static constexpr Duration kApart = std::chrono::seconds(3);

  // `hold`: how long after it was last seen an error still counts.
  PropagatedErrors(LearnedErrors benign, Duration hold) : benign_(std::move(benign)), hold_(hold) {}

  // Takes errors of storage and network calls; in order of `to`, more or less.
  void Observe(ErrorSighting sighting);
  // Those that count at `now`, by node, path, call and error. Times must not fall.
  [[nodiscard]] std::vector<PropagatedError> At(UnixTime now);
  // Takes what an earlier run found.
  void Resume(std::vector<PropagatedError> found) { found_ = std::move(found); }

 private:
  // The most kinds of error that are remembered; a program that invents names gains nothing.
  static constexpr std::size_t kMaxRemembered = 4096;

  void Match(const ErrorSighting& server, const ErrorSighting& client);

  LearnedErrors benign_;
  Duration hold_;
  std::vector<ErrorSighting> recent_servers_;  // of the last seconds, not yet too old to match
  std::vector<ErrorSighting> recent_clients_;
  std::vector<PropagatedError> found_;
};

}  // namespace limpet
