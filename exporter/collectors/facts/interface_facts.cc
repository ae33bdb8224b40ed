// Facts of network interfaces: links, damaged packets, drivers.
#include <array>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/facts/parse.h"
#include "exporter/collectors/facts/table.h"

namespace limpet {
namespace {

constexpr auto kInterfaces = FactDevices::kInterfaces;

constexpr std::array kInterfaceNumbers = {
    FactNumber{&catalog::kPcieLinkSpeed, "class/net/*/device/current_link_speed", ParsePcieSpeed,
               kInterfaces},
    FactNumber{.info = &catalog::kPcieLinkMaxSpeed,
               .files = "class/net/*/device/max_link_speed",
               .parse = ParsePcieSpeed,
               .devices = kInterfaces,
               .pace = FactPace::kSetting},
    FactNumber{&catalog::kPcieLinkWidth, "class/net/*/device/current_link_width", ParseLanes,
               kInterfaces},
    FactNumber{.info = &catalog::kPcieLinkMaxWidth,
               .files = "class/net/*/device/max_link_width",
               .parse = ParseLanes,
               .devices = kInterfaces,
               .pace = FactPace::kSetting},
    FactNumber{&catalog::kNetworkCrcErrors, "class/net/*/statistics/rx_crc_errors", ParseCount,
               kInterfaces},
    FactNumber{&catalog::kNetworkMissed, "class/net/*/statistics/rx_missed_errors", ParseCount,
               kInterfaces},
    FactNumber{&catalog::kBondFailures, "class/net/*/bonding_slave/link_failure_count", ParseCount,
               kInterfaces},
    FactNumber{.info = &catalog::kSoftnetDropped,
               .files = "net/softnet_stat",
               .parse = ParseSoftnetDropped,
               .root = FactRoot::kProc},
    FactNumber{.info = &catalog::kSoftnetSqueezed,
               .files = "net/softnet_stat",
               .parse = ParseSoftnetSqueezed,
               .root = FactRoot::kProc},
    // A veth goes up and down with its container.
    FactNumber{&catalog::kCarrierChanges, "class/net/*/carrier_changes", ParseCount,
               FactDevices::kCabled},
};

// Not the link device/driver: the kernel shows the driver's name in the uevent without a lookup.
constexpr std::array kDriverWords = {
    FactWord{"driver", "device/uevent", ParseDriver},
    FactWord{"version", "device/driver/module/version", ParseWord}};
constexpr std::array kLinkWords = {FactWord{"operstate", "operstate", ParseWord},
                                   FactWord{"duplex", "duplex", ParseWord}};
constexpr std::array kBondWords = {FactWord{"mii_status", "bonding_slave/mii_status", ParseWord},
                                   FactWord{"state", "bonding_slave/state", ParseWord}};
constexpr std::array kInterfaceWords = {
    FactWords{&catalog::kNetworkInfo, "class/net/*", kLinkWords.front(), kLinkWords,
              FactDevices::kCabled},
    FactWords{&catalog::kBondMember, "class/net/*", kBondWords.front(), kBondWords, kInterfaces},
    FactWords{&catalog::kNetworkDriver, "class/net/*", kDriverWords.front(), kDriverWords,
              kInterfaces, FactPace::kSetting},
};

}  // namespace

const FactSubject kInterfaceFacts{.numbers = kInterfaceNumbers, .words = kInterfaceWords};

}  // namespace limpet
