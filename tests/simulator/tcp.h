// tcp.h: the sending half of one connection: how long bytes take, and where that leaves cwnd.
//
// NewReno with selective acknowledgments, round by round: slow start to ssthresh, then one segment
// a round; halved by a loss, 1 after a retransmission timeout of 200 ms (Linux' least); back
// towards the initial window when idle (RFC 2861, tcp_slow_start_after_idle); not opened by a
// sender that does not fill it. Without losses on purpose the only limit is the switch's buffer,
// shared by the flows that use it at the same time: over it cwnd is halved.
// Threads: one.
#pragma once

#include "tests/simulator/random.h"
#include "tests/simulator/seconds.h"

namespace limpet::simulator {

inline constexpr double kSegmentBytes = 1448;
inline constexpr double kInitialWindow = 10;  // RFC 6928
inline constexpr Seconds kRetransmissionTimeout{0.2};

struct TcpPath {
  Seconds rtt{0.0005};   // with what is queued at the moment
  double most = 150;     // segments this flow may have in flight before the buffer overflows
  double data_loss = 0;  // probability a segment is dropped
  double ack_loss = 0;   // probability an acknowledgment is
};

struct TcpSent {
  Seconds time{0};          // from the first segment to the last acknowledged
  double segments = 0;      // put on the wire, retransmissions included
  double ack_segments = 0;  // that came back
};

// What one exporter page shows of a connection's sending side.
class TcpSender {
 public:
  // Sends `bytes` from `now` on. `link_time` is what the slowest link needs for them at least;
  // the sender ends no earlier.
  TcpSent Send(double bytes, const TcpPath& path, Seconds now, Seconds link_time, Random& random);

  [[nodiscard]] double CwndAt(Seconds when) const { return when < end_ ? before_ : cwnd_; }
  // Bytes acknowledged since the connection began.
  [[nodiscard]] double AckedAt(Seconds when) const;
  // Segments with data put on the wire since then, and those of them sent again.
  struct Segments {
    double sent = 0;
    double again = 0;
  };
  [[nodiscard]] Segments SegmentsAt(Seconds when) const;

 private:
  [[nodiscard]] double ProgressAt(Seconds when) const;
  void RestartAfterIdle(Seconds now);
  // `again`: segments lost in the switch's buffer, which cost no time of their own here.
  [[nodiscard]] Seconds SendClean(double segments, const TcpPath& path, Random& random,
                                  double& again);
  [[nodiscard]] Seconds SendLossy(double segments, const TcpPath& path, Random& random,
                                  double& resent);
  void Open(double flight);

  double cwnd_ = kInitialWindow;
  double threshold_ = 1e9;
  double before_ = kInitialWindow;  // while the last Send is under way
  Seconds begin_{0};
  Seconds end_{0};
  double acked_ = 0;    // before the last Send
  double sending_ = 0;  // bytes of the last Send
  Segments before_last_;
  Segments last_;  // of it
};

}  // namespace limpet::simulator
