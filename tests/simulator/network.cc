#include "tests/simulator/network.h"

#include <algorithm>

#include "tests/simulator/tcp.h"

namespace limpet::simulator {

Link::Turn Link::Take(Seconds now, double bytes) {
  std::erase_if(active_, [&](Seconds end) { return end <= now; });
  const double flows = static_cast<double>(active_.size()) + 1;
  const double beside = share_ > 0 ? rate_ * (1 - share_) : rate_ * flows / (flows + 1);
  const double rate = hog_ ? beside : rate_;
  Turn turn;
  turn.begin = std::max(now, free_);
  turn.end = turn.begin + Seconds(bytes / rate);
  turn.queued = turn.begin - now;
  turn.flows = active_.size() + 1 + (hog_ ? 1U : 0U);
  free_ = turn.end;
  active_.push_back(turn.end);
  return turn;
}

void Interface::Received(Seconds from, Seconds to, double payload, double packets) {
  const double bytes = payload + packets * spec_.header_bytes;
  seconds_.Spread(from, to, [&](NetSecond& row, double part) {
    row.rx_bytes += bytes * part;
    row.rx_packets += packets * part;
  });
}

void Interface::Sent(Seconds from, Seconds to, double payload, double packets) {
  const double bytes = payload + packets * spec_.header_bytes;
  seconds_.Spread(from, to, [&](NetSecond& row, double part) {
    row.tx_bytes += bytes * part;
    row.tx_packets += packets * part;
  });
}

void Interface::AddForeign(std::size_t second, const HogPart& rx_hog, const HogPart& tx_hog,
                           Random& random) {
  auto& row = seconds_.At(Seconds(static_cast<double>(second) + 0.5));
  const double packet = kSegmentBytes + spec_.header_bytes;
  const double wire = spec_.link_rate * packet / kSegmentBytes;
  const auto hog = [&](const HogPart& one, double used) {
    const double goodput = std::clamp(random.Normal(0.97, 0.01), 0.9, 1.0);
    return one.part *
           (one.share > 0 ? wire * goodput * one.share : std::max(0.0, wire * goodput - used));
  };
  const double in = rx_hog.part > 0 ? hog(rx_hog, row.rx_bytes) : 0;
  const double out = tx_hog.part > 0 ? hog(tx_hog, row.tx_bytes) : 0;
  const double quiet = spec_.background * random.Uniform(0.5, 1.5);
  row.rx_bytes += in + out / packet / 2 * spec_.header_bytes + quiet;
  row.rx_packets += in / packet + out / packet / 2 + quiet / 200;
  row.tx_bytes += out + in / packet / 2 * spec_.header_bytes + quiet;
  row.tx_packets += out / packet + in / packet / 2 + quiet / 200;
}

}  // namespace limpet::simulator
