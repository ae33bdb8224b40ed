// network_rows.h: facts of interfaces and of InfiniBand's ports, as rows of catalog.cc.
//
// Threads: constants.
#pragma once

#include <array>

#include "diagnoser/facts/catalog.h"

namespace limpet::network_facts {

using enum FactSeries;
using enum FactRule;
constexpr auto kInterface = FactScope::kInterface;

// Rows of what went wrong lately.
inline constexpr std::array kErrors = {
    FactRow{.name = "link-flaps",
            .scope = kInterface,
            .series = kPortLinkDowned,
            .rule = kRise,
            .sentence = "the link of {device} went down {value} times in the last {span}",
            .next = "Replace cable and transceiver; look at the switch port."},
    FactRow{.name = "bond-member",
            .scope = kInterface,
            .series = kBondFailures,
            .rule = kRise,
            .sentence = "{device} left its bond {value} times in the last {span}",
            .next = "Look at its cable, transceiver and switch port (/proc/net/bonding)."},
    FactRow{.name = "port-errors",
            .scope = kInterface,
            .series = kPortReceiveErrors,
            .rule = kRise,
            .sentence = "{device} received {value} packets with an error in the last {span}",
            .next = "Replace cable and transceiver; look at the counters of the switch port."},
    // A link within its specification has some in an hour.
    FactRow{.name = "port-errors",
            .scope = kInterface,
            .series = kPortSymbolErrors,
            .rule = kRise,
            .limit = 10,
            .sentence = "the link of {device} had {value} symbol errors in the last {span}",
            .next = "Replace cable and transceiver; look at the counters of the switch port."},
    FactRow{.name = "ring-drops",
            .scope = kInterface,
            .series = kReceiveMissed,
            .rule = kRiseUnlike,
            .limit = 100,
            .sentence = "{device} dropped {value} frames in its ring in the last {span}, its peers "
                        "{other}",
            .next = "Set ring and interrupts as on the peers (ethtool -g, -l)."},
    FactRow{.name = "ring-drops",
            .scope = kInterface,
            .series = kReceiveFifo,
            .rule = kRiseUnlike,
            .limit = 100,
            .sentence = "{device} dropped {value} frames in its ring in the last {span}, its peers "
                        "{other}",
            .next = "Set ring and interrupts as on the peers (ethtool -g, -l)."},
    FactRow{.name = "backlog",
            .scope = kInterface,
            .series = kSoftnetDropped,
            .rule = kRiseUnlike,
            .limit = 100,
            .sentence = "the kernel dropped {value} received packets that waited for a processor "
                        "in the last {span}, its peers' {other}",
            .next = "Spread the interrupts over the processors (ethtool -l, irqbalance)."},
    FactRow{.name = "backlog",
            .scope = kInterface,
            .series = kSoftnetSqueezed,
            .rule = kRiseUnlike,
            .limit = 1000,
            .sentence = "the kernel had no time for all received packets {value} times in the last "
                        "{span}, its peers' {other}",
            .next = "Spread the interrupts over the processors (ethtool -l, irqbalance)."},
    FactRow{.name = "queue-drops",
            .scope = kInterface,
            .series = kQdiscDrops,
            .rule = kRiseUnlike,
            .limit = 100,
            .label = "kind",
            .sentence = "the queue {detail} of {device} dropped {value} packets in the last "
                        "{span}, its peers' {other}",
            .next = "Set it as on the peers (tc -s qdisc)."},
    // A network without loss has some of these whenever many send to one.
    FactRow{.name = "pause-frames",
            .scope = kInterface,
            .series = kPauseFrames,
            .rule = kRiseUnlike,
            .limit = 1000,
            .label = "direction",
            .only = "transmit",
            .sentence = "{device} told the other end of its link to pause {value} times in the "
                        "last {span}, its peers {other}",
            .next = "Look for what holds up the card: PCIe link, interrupts, memory."},
    FactRow{.name = "pause-frames",
            .scope = kInterface,
            .series = kPauseFrames,
            .rule = kRiseUnlike,
            .limit = 1000,
            .label = "direction",
            .only = "receive",
            .sentence = "{device} was told to pause {value} times in the last {span}, its peers "
                        "{other}",
            .next = "Find the receiver that cannot keep up: pause frames of the switch's ports."},
    FactRow{.name = "port-waits",
            .scope = kInterface,
            .series = kPortWaits,
            .rule = kRiseUnlike,
            .limit = 1e6,
            .sentence = "{device} had data and could not send in {value} ticks of the last {span}, "
                        "its peers' in {other}",
            .next = "Look for a slow link or a busy receiver behind its switch port."},
    FactRow{.name = "congestion-marks",
            .scope = kInterface,
            .series = kPortEvents,
            .rule = kRiseUnlike,
            .limit = 1000,
            .label = "counter",
            .only = "np_cnp_sent np_ecn_marked_roce_packets rp_cnp_handled rx_ecn_marked_pkts "
                    "rx_cnp_pkts tx_cnp_pkts RxECNMrkd cnpHandled cnpSent",
            .sentence = "{device} counted {value} marks of congestion ({detail}) in the last "
                        "{span}, its peers {other}",
            .next = "Look at who sends at once, and at its switch port's ECN and PFC."},
    FactRow{.name = "receiver-not-ready",
            .scope = kInterface,
            .series = kPortEvents,
            .rule = kRiseUnlike,
            .limit = 100,
            .label = "counter",
            .only = "rnr_nak_retry_err sq_num_rnr rnr_naks_rcvd out_of_buffer",
            .sentence = "{device} met a receiver without room {value} times ({detail}) in the last "
                        "{span}, its peers {other}",
            .next = "Find who takes messages too late (out_of_buffer: this server)."},
};

// Rows of what is so now.
inline constexpr std::array kStates = {
    FactRow{.name = "bond-member",
            .scope = kInterface,
            .series = kBondMember,
            .rule = kIs,
            .label = "mii_status",
            .only = "down going down going back",
            .sentence = "{device}, a member of a bond, is {detail}",
            .next = "Look at its cable, transceiver and switch port (/proc/net/bonding)."},
    FactRow{.name = "half-duplex",
            .scope = kInterface,
            .series = kLinkInfo,
            .rule = kIs,
            .label = "duplex",
            .only = "half",
            .sentence = "{device} sends or receives, not both at once ({detail} duplex)",
            .next = "Let both ends negotiate (ethtool -s)."},
};

// Rows of what is otherwise than on the peers.
inline constexpr std::array kDifferences = {
    FactRow{.name = "link-state",
            .scope = kInterface,
            .series = kPortState,
            .rule = kLower,
            .sentence = "the state of {device} is {value}, its peers' {other} ({peers}): 4 is "
                        "active",
            .next = "Look at cable, transceiver and switch port."},
    FactRow{.name = "link-state",
            .scope = kInterface,
            .series = kLinkInfo,
            .rule = kUnlikeLabel,
            .label = "operstate",
            .sentence = "{device} is {detail}, its peers' {other} ({peers})",
            .next = "Look at cable, transceiver and switch port."},
};

}  // namespace limpet::network_facts
