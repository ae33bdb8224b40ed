#include "diagnoser/commands/suggest_config.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/commands/ask.h"
#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/running_diagnoser.h"
#include "diagnoser/config/metric_packs.h"
#include "diagnoser/mapping/builtin.h"
#include "diagnoser/sources/address.h"
#include "diagnoser/sources/discovery.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::uint16_t kExporterPort = 9836;

std::string Label(const LabelPairs& labels, std::string_view name) {
  const auto found =
      std::ranges::find_if(labels, [&](const auto& one) { return one.first == name; });
  return found == labels.end() ? std::string() : std::string(found->second);
}

// Both exporters name disks alike after the prefix; what else there is only ours has.
void See(const PageItem& item, std::map<std::string, SeenDisk>& disks, SeenNode& node) {
  const auto* const pack = std::ranges::find(kMetricPacks, item.name, &MetricPack::series);
  if (pack != kMetricPacks.end() && pack->suggested) {
    node.packs.emplace(pack->name);
  }
  const auto labels = ParseLabels(item.labels);
  if (!labels) {
    return;
  }
  const auto device = Label(*labels, "device");
  if (item.name.ends_with("_disk_reads_completed_total")) {
    disks[device].device = device;
  } else if (item.name.ends_with("_disk_info")) {
    auto& disk = disks[device];
    disk.device = device;
    disk.model = Label(*labels, "model");
    if (auto told = Label(*labels, "rotational"); !told.empty()) {
      disk.rotational = std::move(told);
    }
  } else if (item.name.ends_with("_disk_ata_rotation_rate_rpm")) {
    auto& disk = disks[device];
    disk.device = device;
    if (disk.rotational.empty()) {
      disk.rotational = item.value > 0 ? "1" : "0";
    }
  } else if (item.name == "limpet_tcp_peer_sockets" && item.value > 0) {
    node.windows = true;
    (Label(*labels, "side") == "server" ? node.serves : node.uses) = true;
  } else if (item.name == "limpet_syscall_processes" &&
             Label(*labels, "process_role") == "server") {
    node.processes.insert(Label(*labels, "process"));
  }
}

Result<std::vector<Target>> ListedTargets(const std::string& text) {
  std::vector<Target> targets;
  std::set<std::string> hosts;
  for (std::string_view rest = text; !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto address = ParseAddress(Trim(rest.substr(0, comma)), kExporterPort);
    if (!address) {
      return Error{ErrorCode::kInvalid, address.error().message, "--targets"};
    }
    Target target{.node = address->host, .role = {}, .labels = {}};
    // A second exporter of one host needs a name of its own.
    if (!hosts.insert(address->host).second) {
      target.node += "-" + std::to_string(address->port);
    }
    target.endpoint.host = address->host;
    target.endpoint.port = address->port;
    targets.push_back(std::move(target));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return targets;
}

// As serve reads it, with the same complaints.
Result<std::vector<Target>> FiledTargets(const std::string& file) {
  SdSource source;
  source.name = file;
  source.files = {file};
  source.base.target.role.clear();  // only what the list says
  const RealClock clock;
  Discovery lists({}, {source}, clock, [](LogLevel, std::string_view) {});
  (void)lists.Poll();
  if (const auto problems = lists.Problems(); !problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.front(), "--file-sd"};
  }
  return lists.Targets();
}

}  // namespace

void SuggestConfigOptions::Bind(Flags& flags) {
  flags.Add(targets, "--targets", "ADDRESSES", "exporters to ask, such as io01,io02:9100");
  flags.Add(file_sd, "--file-sd", "FILE", "the same as a list in Prometheus' format");
}

SeenNode ReadSeenNode(const Target& target, const FetchResult& page) {
  SeenNode node;
  node.target = target;
  if (page.failure) {
    node.error = page.error;
    return node;
  }
  std::map<std::string, SeenDisk> disks;
  PageParser parser(page.body, {.format = page.format});
  for (auto item = parser.Next(); item.kind != ItemKind::kEnd; item = parser.Next()) {
    if (item.kind == ItemKind::kError) {
      node.error = parser.error().Text();
      return node;
    }
    if (item.kind == ItemKind::kSample) {
      See(item, disks, node);
    }
  }
  for (auto& [device, disk] : disks) {
    node.disks.push_back(std::move(disk));
  }
  node.disks = WholeDisks(std::move(node.disks));
  return node;
}

int RunSuggestConfig(const SuggestConfigOptions& options) {
  if (options.targets.empty() == options.file_sd.empty()) {
    return Fail("suggest-config: expected either --targets or --file-sd", kExitUsage);
  }
  const auto targets =
      options.targets.empty() ? FiledTargets(options.file_sd) : ListedTargets(options.targets);
  if (!targets) {
    return Fail("suggest-config: " + targets.error().Text(), kExitUsage);
  }
  const auto pages = AskAll(*targets);
  std::vector<SeenNode> nodes;
  for (std::size_t i = 0; i < targets->size(); ++i) {
    nodes.push_back(ReadSeenNode((*targets)[i], pages[i]));
  }
  if (std::ranges::all_of(nodes, [](const SeenNode& node) { return !node.error.empty(); })) {
    return Fail("suggest-config: nobody answers; " +
                    (nodes.empty() ? "the list is empty"
                                   : nodes.front().target.node + ": " + nodes.front().error),
                kExitFailed);
  }
  return PrintAll(SuggestConfig(nodes), "suggest-config");
}

}  // namespace limpet
