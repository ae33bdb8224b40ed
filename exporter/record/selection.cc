#include "exporter/record/selection.h"

#include <algorithm>
#include <array>

#include "exporter/collectors/catalog/block.h"
#include "exporter/collectors/catalog/disk.h"
#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/catalog/host.h"
#include "exporter/collectors/catalog/infiniband.h"
#include "exporter/collectors/catalog/net.h"
#include "exporter/collectors/catalog/self.h"
#include "exporter/collectors/catalog/syscall.h"
#include "exporter/collectors/catalog/tcp.h"
#include "exporter/collectors/cgroup.h"
#include "exporter/collectors/disk_errors.h"

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
    catalog::kPortDataReceived.name,
    catalog::kPortPacketsReceived.name,
    catalog::kPortDataTransmitted.name,
    catalog::kPortPacketsTransmitted.name,
    catalog::kRdmaSentPackets.name,
    catalog::kRdmaResent.name,
    catalog::kRdmaReceivedPackets.name,
    catalog::kRdmaOutOfOrder.name,
    catalog::kTcpPeerActiveSockets.name,
    catalog::kTcpPeerCwnd.name,
    catalog::kTcpPeerSegmentsSent.name,
    catalog::kTcpPeerSegmentsRetransmitted.name,
    catalog::kTcpPeerRtt.name,
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
    // Only with the collectors of system calls and block requests, which are off by default.
    catalog::kSyscallSeconds.name,
    catalog::kSyscalls.name,
    catalog::kSyscallErrors.name,
    catalog::kSyscallOpenSeconds.name,
    catalog::kSyscallLastCompleted.name,
    catalog::kSyscallPeerFailures.name,
    catalog::kSyscallProcesses.name,
    catalog::kSyscallOperationSeconds.name,
    catalog::kBlockDeviceSeconds.name,
    catalog::kBlockRequests.name,
    catalog::kBlockRequestSeconds.name,
};

constexpr std::array kOnceAFile = {
    catalog::kDiskInfo.name,          catalog::kDiskStack.name,         catalog::kNetworkStack.name,
    catalog::kExporterStartTime.name, catalog::kExporterBuildInfo.name,
};

// Rates of control groups, which are means over a minute. Nobody is slow for a group below this
// one: the facts ask for ten times as much.
constexpr double kLeastUnitRate = 1e5;  // bytes a second
constexpr std::array kUnitRates = {&catalog::kCgroupReadBytes, &catalog::kCgroupWrittenBytes,
                                   &catalog::kCgroupTcpReceive, &catalog::kCgroupTcpTransmit};

bool IsUnitRate(const MetricInfo& info) {
  return std::ranges::find(kUnitRates, &info) != kUnitRates.end();
}

// Facts that other collectors read.
constexpr std::array<const MetricInfo*, 4> kOtherFacts = {
    &catalog::kDiskErrors, &catalog::kDiskControllerLive, &catalog::kNetworkReceiveFrame,
    &catalog::kNetworkSpeed};

bool IsFact(const MetricInfo& info) {
  return std::ranges::find(catalog::kFacts, &info) != catalog::kFacts.end() ||
         std::ranges::find(kOtherFacts, &info) != kOtherFacts.end() || IsUnitRate(info);
}

// The modes that [Pan08 Table 1] has.
constexpr std::array<std::string_view, 3> kModes = {R"(mode="user")", R"(mode="system")",
                                                    R"(mode="iowait")"};

// Parts of families that no algorithm looks at, and that follow from others which are recorded.
void Thin(Families& families) {
  // Where each connection is recorded, the sums over peers can be made from them.
  const bool has_connections =
      std::any_of(families.begin(), families.end(), [](const Family& family) {
        return family.info == &catalog::kTcpCwnd && !family.samples.empty();
      });
  for (auto& family : families) {
    if (has_connections &&
        (family.info == &catalog::kTcpPeerCwnd || family.info == &catalog::kTcpPeerActiveSockets)) {
      family.samples.clear();
    }
    if (IsUnitRate(*family.info)) {
      std::erase_if(family.samples,
                    [](const Sample& sample) { return sample.value < kLeastUnitRate; });
    }
    // Means are made of sum and count.
    std::erase_if(family.samples,
                  [](const Sample& sample) { return sample.part == SamplePart::kBucket; });
    if (family.info == &catalog::kCpuSeconds) {
      std::erase_if(family.samples, [](const Sample& sample) {
        return sample.labels == nullptr ||
               std::find(kModes.begin(), kModes.end(), sample.labels->Rendered()) == kModes.end();
      });
    }
  }
}

}  // namespace

std::span<const std::string_view> RecordedByDefault() { return kDefault; }

Selection::Selection(const std::vector<std::string>& names)
    : names_(names.begin(), names.end()), default_(names.empty()) {
  if (default_) {
    names_.insert(kDefault.begin(), kDefault.end());
  }
}

bool Selection::IsInTurn(const MetricInfo& info, const RecordedTurn& turn) const {
  return default_ &&
         ((turn.begins_file && std::ranges::find(kOnceAFile, info.name) != kOnceAFile.end()) ||
          (turn.facts && IsFact(info)));
}

Families Selection::Pick(std::span<const Family> families, const RecordedTurn& turn) const {
  Families picked;
  for (const auto& family : families) {
    if (names_.contains(family.info->name) || IsInTurn(*family.info, turn)) {
      picked.push_back(family);
    }
  }
  if (default_) {
    Thin(picked);
  }
  return picked;
}

}  // namespace limpet
