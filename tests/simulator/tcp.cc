#include "tests/simulator/tcp.h"

#include <algorithm>
#include <cmath>

namespace limpet::simulator {
namespace {

constexpr double kDuplicateAcks = 3;
constexpr double kMinThreshold = 2;

}  // namespace

// Of the last Send, 0 to 1.
double TcpSender::ProgressAt(Seconds when) const {
  if (when >= end_ || end_ <= begin_) {
    return 1;
  }
  return std::max(0.0, (when - begin_) / (end_ - begin_));
}

double TcpSender::AckedAt(Seconds when) const { return acked_ + sending_ * ProgressAt(when); }

TcpSender::Segments TcpSender::SegmentsAt(Seconds when) const {
  const double progress = ProgressAt(when);
  return {.sent = before_last_.sent + last_.sent * progress,
          .again = before_last_.again + last_.again * progress};
}

// One halving a timeout's worth of silence, not under the initial window (RFC 2861).
void TcpSender::RestartAfterIdle(Seconds now) {
  auto idle = now - end_;
  if (idle <= kRetransmissionTimeout || cwnd_ <= kInitialWindow) {
    return;
  }
  threshold_ = std::max(threshold_ < 1e9 ? threshold_ : 0.0, 0.75 * cwnd_);
  while (idle > kRetransmissionTimeout && cwnd_ > kInitialWindow) {
    cwnd_ = std::max(kInitialWindow, cwnd_ / 2);
    idle -= kRetransmissionTimeout;
  }
}

// `flight` segments were acknowledged. A sender that left the window half empty learns nothing.
void TcpSender::Open(double flight) {
  if (cwnd_ < threshold_) {
    if (cwnd_ < 2 * flight) {
      cwnd_ = std::min(cwnd_ + flight, std::min(2 * flight, std::max(threshold_, cwnd_)));
    }
  } else if (flight >= cwnd_) {
    cwnd_ += 1;
  }
}

Seconds TcpSender::SendClean(double segments, const TcpPath& path, Random& random, double& again) {
  double rounds = 0;
  double left = segments;
  while (left > 0 && (cwnd_ < threshold_ || left < cwnd_)) {
    const double flight = std::min(left, std::floor(cwnd_));
    left -= flight;
    rounds += 1;
    Open(flight);
    if (cwnd_ > path.most) {
      threshold_ = cwnd_ = std::max(kMinThreshold, path.most / 2);
      again += 1;
    }
  }
  if (left > 0) {  // one segment more a round: left = r w + r^2 / 2
    const double more = -cwnd_ + std::sqrt(cwnd_ * cwnd_ + 2 * left);
    rounds += more;
    cwnd_ += more;
    const double most = std::max(2 * kMinThreshold, path.most * random.Uniform(0.75, 1.25));
    if (cwnd_ > most) {
      again += 1 + std::floor((cwnd_ - most) / (most / 2));
      cwnd_ = most / 2 + std::fmod(cwnd_ - most, most / 2);
      threshold_ = most / 2;
    }
  }
  return path.rtt * rounds;
}

// Every round sends the window. A lost segment is sent again after three duplicate acknowledgments
// (limited transmit, RFC 3042, supplies them for windows over 1); when it is lost again, or the
// window was 1, or nothing follows it, only the timeout helps.
Seconds TcpSender::SendLossy(double segments, const TcpPath& path, Random& random, double& resent) {
  Seconds time{0};
  auto timeout = kRetransmissionTimeout;
  for (double left = std::ceil(segments); left > 0;) {
    const double flight = std::max(1.0, std::min(left, std::floor(cwnd_)));
    double lost = 0;
    for (int i = 0; i < static_cast<int>(flight); ++i) {
      lost += random.Chance(path.data_loss) ? 1 : 0;
    }
    time += path.rtt;
    left -= flight - lost;
    // All acknowledgments of a small flight may be lost too.
    const bool silent =
        lost == 0 && path.ack_loss > 0 && random.Chance(std::pow(path.ack_loss, flight));
    if (lost == 0 && !silent) {
      timeout = kRetransmissionTimeout;
      Open(flight);
      cwnd_ = std::min(cwnd_, std::max(kMinThreshold, path.most));
      continue;
    }
    threshold_ = std::max(kMinThreshold, cwnd_ / 2);
    const bool more_follow = left > lost || flight - lost >= kDuplicateAcks;
    if (silent || flight - lost < 1 || !more_follow || random.Chance(path.data_loss * lost)) {
      time += timeout;
      timeout = std::min(timeout * 2, Seconds(10));
      cwnd_ = 1;
    } else {
      time += path.rtt;
      left -= lost;
      cwnd_ = threshold_;
    }
    resent += std::max(lost, 1.0);
  }
  return time;
}

TcpSent TcpSender::Send(double bytes, const TcpPath& path, Seconds now, Seconds link_time,
                        Random& random) {
  acked_ += sending_;
  before_ = cwnd_;
  RestartAfterIdle(now);
  const double segments = std::ceil(bytes / kSegmentBytes);
  double resent = 0;
  double overflowed = 0;
  const bool lossy = path.data_loss > 0 || path.ack_loss > 0;
  const auto time = lossy ? SendLossy(segments, path, random, resent)
                          : SendClean(segments, path, random, overflowed);
  begin_ = now;
  end_ = now + std::max(time, link_time);
  sending_ = bytes;
  before_last_ = {.sent = before_last_.sent + last_.sent,
                  .again = before_last_.again + last_.again};
  last_ = {.sent = segments + resent + overflowed, .again = resent + overflowed};
  // Every other segment is acknowledged, or every one when they come out of order [Kasick10 §12].
  const double acks = (segments > 2 ? segments / 2 : segments) * (path.data_loss > 0 ? 1.8 : 1.0);
  return {.time = end_ - now,
          .segments = segments + resent,
          .ack_segments = acks * (1 - path.ack_loss)};
}

}  // namespace limpet::simulator
