// Facts of network interfaces: links, damaged packets, drivers.
#include <array>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/facts/parse.h"
#include "exporter/collectors/facts/table.h"

namespace limpet {
namespace {

constexpr auto kInterfaces = FactDevices::kInterfaces;
constexpr auto kSetting = FactPace::kSetting;

constexpr std::array kNumbers = {
    FactNumber{&catalog::kPcieLinkSpeed, "class/net/*/device/current_link_speed", ParsePcieSpeed,
               kInterfaces},
    FactNumber{.info = &catalog::kPcieLinkMaxSpeed,
               .files = "class/net/*/device/max_link_speed",
               .parse = ParsePcieSpeed,
               .devices = kInterfaces,
               .pace = kSetting},
    FactNumber{&catalog::kPcieLinkWidth, "class/net/*/device/current_link_width", ParseLanes,
               kInterfaces},
    FactNumber{.info = &catalog::kPcieLinkMaxWidth,
               .files = "class/net/*/device/max_link_width",
               .parse = ParseLanes,
               .devices = kInterfaces,
               .pace = kSetting},
    FactNumber{&catalog::kNetworkCrcErrors, "class/net/*/statistics/rx_crc_errors", ParseCount,
               kInterfaces},
    // A veth goes up and down with its container.
    FactNumber{&catalog::kCarrierChanges, "class/net/*/carrier_changes", ParseCount,
               FactDevices::kCabled},
};

// Not the link device/driver: the kernel shows the driver's name in the uevent without a lookup.
constexpr std::array kDriverWords = {
    FactWord{"driver", "device/uevent", ParseDriver},
    FactWord{"version", "device/driver/module/version", ParseWord}};
constexpr std::array kWords = {
    FactWords{&catalog::kNetworkDriver, "class/net/*", kDriverWords.front(), kDriverWords,
              kInterfaces, kSetting},
};

}  // namespace

const FactSubject kInterfaceFacts{.numbers = kNumbers, .words = kWords};

}  // namespace limpet
