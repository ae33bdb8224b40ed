// network.h: links between clients and servers through one switch, and what a server's interface
// counts.
//
// A link serves its flows one behind the other at full rate; a hog on it (one greedy flow more)
// leaves m of m + 1 parts to the m flows that use it, and fills what they leave. One that asks for
// a share of the link gets that, whoever else there is, and fills no queue. Threads: one.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/simulator/random.h"
#include "tests/simulator/seconds.h"

namespace limpet::simulator {

// Origin: Gigabit Ethernet [Kasick10 §8], 94 % of it left to TCP's payload; 256 KiB of buffer a
// port is what simple Gigabit switches have; 0.2 ms is a quiet round trip through one.
struct NetworkSpec {
  double link_rate = 117.5e6;  // bytes/s of payload, of a server; a client's is a multiple
  double port_buffer = 262144;
  Seconds quiet_rtt{0.0002};
  double header_bytes = 66;  // Ethernet, IP and TCP with timestamps
  double background = 4000;  // bytes/s each way: ssh, time, monitoring
};

class Link {
 public:
  explicit Link(double rate) : rate_(rate) {}

  struct Turn {
    Seconds begin{0};
    Seconds end{0};
    std::size_t flows = 0;  // that use the link with this one, hog included
    Seconds queued{0};      // before this one's first byte
  };
  [[nodiscard]] Turn Take(Seconds now, double bytes);
  // `share` of the link; 0: all that it can get.
  void SetHog(bool on, double share = 0) {
    hog_ = on;
    share_ = share;
  }
  // That fills the queue before the link.
  [[nodiscard]] bool HasHog() const { return hog_ && share_ <= 0; }
  [[nodiscard]] double Rate() const { return rate_; }

 private:
  double rate_;
  bool hog_ = false;
  double share_ = 0;  // of it
  Seconds free_{0};
  std::vector<Seconds> active_;  // ends of flows under way
};

// Increases of an interface's counters in one second.
struct NetSecond {
  double rx_bytes = 0;
  double rx_packets = 0;
  double tx_bytes = 0;
  double tx_packets = 0;
};

// A hog on one side of an interface in one second.
struct HogPart {
  double part = 0;   // of the second, 0 to 1
  double share = 0;  // of the link; 0: all that others leave
};

// A server's interface.
class Interface {
 public:
  Interface(const NetworkSpec& spec, std::size_t seconds)
      : spec_(spec), rx(spec.link_rate), tx(spec.link_rate), seconds_(seconds) {}

  void Received(Seconds from, Seconds to, double payload, double packets);
  void Sent(Seconds from, Seconds to, double payload, double packets);
  // Adds what does not belong to the file system in second `second`: the background, and hogs. Once
  // a second, at its end.
  void AddForeign(std::size_t second, const HogPart& rx_hog, const HogPart& tx_hog, Random& random);
  [[nodiscard]] const BySecond<NetSecond>& History() const { return seconds_; }

 private:
  NetworkSpec spec_;

 public:
  Link rx;
  Link tx;

 private:
  BySecond<NetSecond> seconds_;
};

}  // namespace limpet::simulator
