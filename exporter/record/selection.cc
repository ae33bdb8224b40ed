#include "exporter/record/selection.h"

#include <array>

#include "exporter/common/exposition/catalog/disk.h"
#include "exporter/common/exposition/catalog/host.h"
#include "exporter/common/exposition/catalog/net.h"
#include "exporter/common/exposition/catalog/tcp.h"

namespace limpet {
namespace {

constexpr std::array kDefault = {
    catalog::kDiskReadsCompleted.name,
    catalog::kDiskReadBytes.name,
    catalog::kDiskReadTime.name,
    catalog::kDiskWritesCompleted.name,
    catalog::kDiskWrittenBytes.name,
    catalog::kDiskWriteTime.name,
    catalog::kDiskIoTime.name,
    catalog::kDiskIoTimeWeighted.name,
    catalog::kNetworkReceiveBytes.name,
    catalog::kNetworkReceivePackets.name,
    catalog::kNetworkTransmitBytes.name,
    catalog::kNetworkTransmitPackets.name,
    catalog::kTcpPeerActiveSockets.name,
    catalog::kTcpPeerCwnd.name,
    catalog::kTcpCwnd.name,
    catalog::kTcpBytesAcked.name,
    catalog::kCpuSeconds.name,
    catalog::kContextSwitches.name,
    catalog::kProcsRunning.name,
    catalog::kProcessesThreads.name,
    catalog::kLoad1.name,
    catalog::kVmstatPgpgin.name,
    catalog::kVmstatPgpgout.name,
    catalog::kVmstatPgfault.name,
};

}  // namespace

std::span<const std::string_view> RecordedByDefault() { return kDefault; }

Selection::Selection(const std::vector<std::string>& names) : names_(names.begin(), names.end()) {
  if (names_.empty()) {
    names_.insert(kDefault.begin(), kDefault.end());
  }
}

Families Selection::Pick(std::span<const Family> families) const {
  Families picked;
  for (const auto& family : families) {
    if (names_.contains(family.info->name)) {
      picked.push_back(family);
    }
  }
  return picked;
}

}  // namespace limpet
