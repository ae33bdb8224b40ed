// retransmissions.h: servers compared by the share of their segments that had to be sent again.
//
// Lossy:   a steady share above kLossyShare, and kTimesPeers times the median of the other servers'
//          shares. Loss on a client's way, or in a switch that all use, raises everybody's share
//          alike. A peer counts as what it has lost in a longer time where that is more
//          (SegmentTotals::usual).
//          Where these lose in bursts, and nearly all was sent within a second or two, it has to be
//          steady over the longer time: a queue overflows for as long.
// Always:  where the peers' queues overflow now and then, a weak loss does not stand out by that;
//          it does by what is lost in each quarter of the seconds (SegmentTotals::least), compared
//          in the same way.
// Apart:   where all lose alike for another reason, the loss of a way adds to that: it stands above
//          the highest of the others by their range and more.
// Chance:  of some hundred segments a few are sent again now and then (kChance).
// Why not the congestion window alone: it remembers a loss for minutes, stays small where nobody
//          sends, and says little under BBR. Retransmissions begin and end with the fault.
// Load:    a server that carries more than its peers over ways that are as much slower overflows
//          the queue before its link, which loses segments of a healthy way: of these it counts
//          what is lost whatever the queue (SegmentTotals::least). A queue that is never empty
//          loses always, up to kFullQueueShare; beside another server before which it is full,
//          too, that one's share is a measure as well.
// Missing: a server that has sent fewer than kMinSegments takes no part: one lost segment of ten is
//          no share.
// Between two servers (replicas, recovery) what is sent again counts for both ends, sender and
//          receiver. The end that is worse beside its peers is the one that loses (ExplainAway).
// One end: what a client's way loses is not the server's, even where that client sends to hardly
//          any other server (LeaveToEnd).
// Nodes:   of a whole node's segments, whoever is at the other end, more of everything is asked for
//          (kNodeLossyShare, kMinNodeSegments).
// RDMA:    its networks drop next to nothing, and one loss sends again all that is under way: a
//          fifth of the share counts, of more packets (kRdmaLossyShare, kMinRdmaPackets).
// Threads: pure.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/detect/comparison.h"

namespace limpet {

// Totals of one server's connections in a window, segments with data.
struct SegmentTotals {
  double sent = 0;  // those sent again included
  double retransmitted = 0;
  // The least of the shares of the half of the seconds in which the fewest were sent, and of all
  // but the quarter in which most was sent again; at most 1. A lossy way loses its share in those
  // too; a queue that overflows does not. Unknown where those have fewer than kMinSegments.
  static constexpr double kSteadyUnknown = 1;
  double steady = kSteadyUnknown;
  // Mean round-trip time, by segment sent, s; unknown to recordings before it was recorded.
  std::optional<double> round_trip = {};
  // The least of the shares of the quarters of its seconds, by round-trip time. A lossy
  // way loses its share whether its queue is short or long.
  // Unknown where one of them has fewer than kMinSegments.
  std::optional<double> least = {};
  // Share of the longer time before, these seconds included, as which it counts for its peers:
  // where queues overflow now here, now there, most servers lose nothing in a few seconds.
  double usual = 0;
  // `steady` of that time.
  double usual_steady = kSteadyUnknown;
  // The counts are those of all connections of the server, with whomever; of what it receives,
  // `retransmitted` is what came out of order.
  bool whole_node = false;
  // The counts are those of the server's RDMA ports: packets, and times that some of them were sent
  // again.
  bool rdma = false;
};

inline constexpr double kLossyShare = 0.002;
inline constexpr double kTimesPeers = 5;
// A share over kLossyShare and so many times the others' makes a small congestion window a loss.
inline constexpr double kElevatedTimesPeers = 2;
// So many other servers have a range that one may stand above.
inline constexpr std::size_t kMinRange = 4;
inline constexpr double kMinSegments = 100;
inline constexpr double kNodeLossyShare = 0.005;
inline constexpr double kMinNodeSegments = 1000;
inline constexpr double kRdmaLossyShare = 0.0004;
inline constexpr double kMinRdmaPackets = 10'000;
// Fewer segments sent again are chance, whatever their share; so are as many as a way that loses
// kHealthyShare, or what the other servers lose together, sends again with this probability.
inline constexpr double kMinRetransmitted = 3;
inline constexpr double kHealthyShare = 0.0005;
inline constexpr double kRdmaHealthyShare = 0.0001;
inline constexpr double kChance = 0.0025;
// A server with so many times the median of the others' segments, whose round trips take so many
// times the median of theirs, has a full queue before it. Either alone says nothing: clients that
// wait for a lost segment see longer round trips too, and more load may well fit the link.
inline constexpr double kOverflowTimesSent = 1.5;
inline constexpr double kOverflowTimesRoundTrip = 2;
// Up to so many times their round trips no queue explains what is always lost: a lossy way has the
// shorter queue.
inline constexpr double kLongTimesRoundTrip = 1.25;
// The share that a queue which is never empty may lose in every second without any fault. On a
// MooseFS two healthy servers lost about 2 and up to 3 % so, one with a way that loses 5 % by
// itself 6 %.
inline constexpr double kFullQueueShare = 0.04;

// retransmitted / sent; nullopt with fewer than kMinSegments, or kMinNodeSegments.
[[nodiscard]] std::optional<double> RetransmittedShare(const SegmentTotals& totals);
// The same, or what is steady of it.
[[nodiscard]] double SteadyShare(const SegmentTotals& totals);

// Returns whether this server's load fills the queue before it, which explains all that it does not
// lose steadily (SegmentTotals::least).
[[nodiscard]] bool Overflows(std::span<const SegmentTotals> servers, std::size_t place);

// All of them have a share. A degree over 1 is a lossy server: by how many times its share exceeds
// the larger of the two limits. Means are shares; the peers' median is that of all. Undetermined
// with fewer than kMinPeers.
struct LossComparison {
  Comparison comparison;
  std::vector<bool> elevated;  // empty when undetermined
};
[[nodiscard]] LossComparison CompareRetransmissions(std::span<const SegmentTotals> servers);

// Segments that one server had to send again to another.
struct PairLoss {
  std::string sender;
  std::string receiver;
  double retransmitted = 0;
};
// The sides: what is sent to servers, and what they send; all have a share.
inline constexpr std::size_t kReceiving = 0;
inline constexpr std::size_t kSending = 1;
struct LossTotals {
  std::vector<std::string> servers;
  std::vector<SegmentTotals> totals;  // by server
};
// Goes from the worst server and side on: what that one loses is taken from the other end's total.
// Who is left above its peers loses by itself.
void ExplainAway(std::array<LossTotals, 2>& sides, std::span<const PairLoss> pairs);

// The totals of a server's connections with one end, from its first segment sent again on, and of
// all others meanwhile.
struct EndLoss {
  SegmentTotals own;
  SegmentTotals rest;
};
// Takes from a server's total what was lost with that end, where all others together lose less than
// half of that share, and not by chance.
void LeaveToEnd(SegmentTotals& totals, const EndLoss& loss);

}  // namespace limpet
