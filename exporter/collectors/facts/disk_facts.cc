// Facts of disks: links, errors on them, states, settings, snapshots.
#include <array>
#include <string>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/facts/parse.h"
#include "exporter/collectors/facts/table.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr auto kDisks = FactDevices::kDisks;

// LVM names the copy-on-write store of a snapshot so (lib/activate/dev_manager.c).
std::string ParseSnapshot(std::string_view text) {
  const auto uuid = Trim(text);
  return uuid.starts_with("LVM-") && uuid.ends_with("-cow") ? "cow" : "";
}

// A drive's SCSI device lies four folders below its port (SATA: three below): drivers/ata/
// libata-transport.c, drivers/scsi/scsi_transport_sas.c.
#define LIMPET_PHY(file) "class/block/sd*/device/../../../phy-*/sas_phy/phy-*/" file
#define LIMPET_LINK(file) "class/block/sd*/device/../../../link*/" file
constexpr std::array kDiskNumbers = {
    FactNumber{&catalog::kSasPhyErrors, LIMPET_PHY("invalid_dword_count"), ParseCount, kDisks,
               "invalid_dword"},
    FactNumber{&catalog::kSasPhyErrors, LIMPET_PHY("running_disparity_error_count"), ParseCount,
               kDisks, "disparity"},
    FactNumber{&catalog::kSasPhyErrors, LIMPET_PHY("loss_of_dword_sync_count"), ParseCount, kDisks,
               "sync_lost"},
    FactNumber{&catalog::kSasPhyErrors, LIMPET_PHY("phy_reset_problem_count"), ParseCount, kDisks,
               "reset_problem"},
    FactNumber{&catalog::kSataLinkSpeed, LIMPET_LINK("ata_link/link*/sata_spd"), ParseSataSpeed,
               kDisks},
    FactNumber{.info = &catalog::kSataLinkMaxSpeed,
               .files = LIMPET_LINK("ata_link/link*/hw_sata_spd_limit"),
               .parse = ParseSataSpeed,
               .devices = kDisks,
               .pace = FactPace::kSetting},
    FactNumber{&catalog::kSataSlowdowns, LIMPET_LINK("dev*/ata_device/dev*/spdn_cnt"), ParseCount,
               kDisks},
    FactNumber{&catalog::kPcieLinkSpeed, "class/nvme/*/device/current_link_speed", ParsePcieSpeed},
    FactNumber{.info = &catalog::kPcieLinkMaxSpeed,
               .files = "class/nvme/*/device/max_link_speed",
               .parse = ParsePcieSpeed,
               .pace = FactPace::kSetting},
    FactNumber{&catalog::kPcieLinkWidth, "class/nvme/*/device/current_link_width", ParseLanes},
    FactNumber{.info = &catalog::kPcieLinkMaxWidth,
               .files = "class/nvme/*/device/max_link_width",
               .parse = ParseLanes,
               .pace = FactPace::kSetting},
};
#undef LIMPET_PHY
#undef LIMPET_LINK

constexpr std::array kSettingWords = {
    FactWord{"scheduler", "queue/scheduler", ParseChoice},
    FactWord{"write_cache", "queue/write_cache", ParseWord},
    FactWord{"queue_depth", "device/queue_depth", ParseWord},
    FactWord{"requests", "queue/nr_requests", ParseWord},
    FactWord{"read_ahead_kb", "queue/read_ahead_kb", ParseWord},
    FactWord{"iostats", "queue/iostats", ParseWord},
};
// drivers/scsi/scsi_sysfs.c, sdev_states; drivers/nvme/host/multipath.c, nvme_ana_state_names. The
// paths of a disk with several controllers are nvme0c1n1 and so on.
constexpr std::array kScsiWords = {FactWord{"state", "device/state", ParseWord}};
constexpr std::array kPathWords = {FactWord{"state", "ana_state", ParseWord}};
constexpr std::array kSnapshotWords = {FactWord{"name", "dm/name", ParseWord}};
constexpr std::array kDiskWords = {
    FactWords{&catalog::kDiskSettings, "class/block/*", kSettingWords.front(), kSettingWords,
              kDisks, FactPace::kSetting},
    FactWords{&catalog::kScsiState, "class/block/sd*", kScsiWords.front(), kScsiWords, kDisks},
    FactWords{&catalog::kNvmePathState, "class/block/nvme*", kPathWords.front(), kPathWords,
              kDisks},
    FactWords{&catalog::kDmSnapshot, "class/block/dm-*", FactWord{"", "dm/uuid", ParseSnapshot},
              kSnapshotWords, kDisks},
};

}  // namespace

const FactSubject kDiskFacts{.numbers = kDiskNumbers, .words = kDiskWords};

}  // namespace limpet
