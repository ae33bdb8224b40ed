#include "exporter/collectors/syscall.h"

#include <arpa/inet.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "exporter/bpf/syscall_rows.h"
#include "exporter/collectors/catalog/syscall.h"
#include "exporter/common/units.h"

namespace limpet {
namespace {

// A call on the network that takes less than this is a message on its way, not a peer that hangs.
constexpr double kShownOpenSeconds = 1;

// 1 µs to 17 s, each four times the one before: enough to see a shape, a third of the series.
constexpr HistogramShape kCallTimes{.first_log2 = kFirstTimeBucketLog2,
                                    .unit = 1 / kNanosecondsPerSecond,
                                    .first = 0,
                                    .last = kTimeBuckets - 2,
                                    .step = 2};

constexpr std::array<std::string_view, kClasses> kServerClasses = {"dread", "dwrite", "nsread",
                                                                   "nswrite"};
constexpr std::array<std::string_view, kClasses> kClientClasses = {"dread", "dwrite", "ncread",
                                                                   "ncwrite"};
constexpr std::array<std::string_view, kTargets> kTargetNames = {"other", "storage", "network",
                                                                 "memory"};
constexpr std::array<std::string_view, kPeerActions> kPeerActionNames = {"read", "write",
                                                                         "connect"};
constexpr std::array<std::string_view, kPeerFailures> kFailureNames = {
    "ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENOTCONN", "EOF"};
constexpr std::array<std::string_view, 5> kDropNames = {"threads", "peers", "processes", "compat",
                                                        "replaced"};

double CallSeconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / kNanosecondsPerSecond;
}

LabelsPtr Extended(LabelSet::Pairs pairs, const char* name, std::string_view value) {
  pairs.emplace_back(name, std::string(value));
  return MakeLabels(pairs);
}

Result<std::uint64_t> Inode(const std::string& path, const char* key) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return Error{ErrorCode::kInvalid, path + ": " + std::generic_category().message(errno), key};
  }
  return std::uint64_t{status.st_ino};
}

// Storage calls that may hang: on paths, and on descriptors of files other than reads and writes,
// which say themselves what they are on.
bool IsStorage(const ThreadCall& call) {
  const auto operation = static_cast<SyscallOperation>(call.operation);
  return call.about == kTargetStorage ||
         (call.about == kTargetDescriptor &&
          (operation == kOperationFsync || operation == kOperationTruncate ||
           operation == kOperationAllocate || operation == kOperationReaddir ||
           operation == kOperationClose || operation == kOperationStat ||
           operation == kOperationXattr || operation == kOperationStatfs));
}

void ReadNames(yaml::MapReader& settings, const char* key, std::vector<std::string>& names) {
  for (auto& name : settings.Texts(key)) {
    if (name.empty() || name.size() >= kCommBytes) {
      settings.Refuse(
          key,
          "expected a process's name of 1 to 15 bytes, as in /proc/PID/comm, got \"" + name + "\"");
    }
    names.push_back(std::move(name));
  }
}

}  // namespace

constinit const CollectorModule kSyscallCollector{
    .name = "syscall",
    .title = "System calls of servers and clients, by eBPF",
    .metrics = catalog::kSyscall,
    .configure = [](yaml::MapReader& settings) -> CollectorFactory {
      return [options = ReadSyscallOptions(settings)](
                 const CollectorInputs& in) -> Result<std::unique_ptr<Collector>> {
        bpf::ProgramsPtr programs;
        const auto request = MakeSyscallRequest(options);
        if (!request) {
          return request.error();
        }
        if (in.bpf) {
          const auto loaded = in.bpf->Load(*request);
          if (loaded) {
            programs = *loaded;
          } else {
            in.log(LogLevel::kWarning, "no syscall collector: " + loaded.error().Text());
          }
        }
        return std::unique_ptr<Collector>(std::make_unique<SyscallCollector>(programs));
      };
    },
    .enabled_by_default = false};

SyscallOptions ReadSyscallOptions(yaml::MapReader& settings) {
  SyscallOptions options;
  ReadNames(settings, "servers", options.servers);
  ReadNames(settings, "clients", options.clients);
  if (options.servers.size() + options.clients.size() > kMaxTargets) {
    settings.Refuse("servers", "expected at most " + std::to_string(kMaxTargets) +
                                   " names of servers and clients together");
  }
  options.cgroups = settings.Texts("cgroups");
  if (options.cgroups.size() > kMaxCgroups) {
    settings.Refuse("cgroups", "expected at most " + std::to_string(kMaxCgroups));
  }
  SetIfGiven(options.network_namespace, settings.Text("network_namespace"));
  constexpr std::int64_t kMinThreads = 64;
  constexpr std::int64_t kMaxThreads = 1 << 20;
  if (const auto threads = settings.Integer("max_threads", kMinThreads, kMaxThreads)) {
    options.max_threads = static_cast<std::uint32_t>(*threads);
  }
  return options;
}

Result<bpf::SyscallRequest> MakeSyscallRequest(const SyscallOptions& options) {
  bpf::SyscallRequest request;
  request.max_threads = options.max_threads;
  for (const auto& name : options.servers) {
    request.targets.push_back({name, 0, false});
  }
  for (const auto& name : options.clients) {
    request.targets.push_back({name, 0, true});
  }
  if (request.targets.empty()) {
    return Error{ErrorCode::kInvalid, "expected names of processes in servers or clients",
                 "servers"};
  }
  for (const auto& folder : options.cgroups) {
    // The number of a cgroup's folder is the cgroup's id.
    const auto id = Inode(folder.starts_with('/') ? folder : "/sys/fs/cgroup/" + folder, "cgroups");
    if (!id) {
      return id.error();
    }
    request.cgroups.push_back(*id);
  }
  if (!options.network_namespace.empty()) {
    const auto inode = Inode(options.network_namespace, "network_namespace");
    if (!inode) {
      return inode.error();
    }
    request.network_namespace = static_cast<std::uint32_t>(*inode);
  }
  return request;
}

std::string PeerName(const Peer& peer) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const auto port = ":" + std::to_string(peer.port);
  const bool is_v4 =
      peer.address[0] == 0 && peer.address[1] == 0 && peer.address[2] == htonl(0xffff);
  if (is_v4) {
    ::inet_ntop(AF_INET, &peer.address[3], text.data(), text.size());
    return text.data() + port;
  }
  ::inet_ntop(AF_INET6, &peer.address[0], text.data(), text.size());
  return "[" + std::string(text.data()) + "]" + port;
}

SyscallCollector::SyscallCollector(bpf::ProgramsPtr programs) : programs_(std::move(programs)) {
  const auto* const request =
      programs_ ? std::get_if<bpf::SyscallRequest>(&programs_->request) : nullptr;
  if (request == nullptr) {
    programs_ = nullptr;
    return;
  }
  for (const auto& choice : request->targets) {
    Target target;
    target.is_client = choice.is_client;
    target.pairs = {{"process", choice.name},
                    {"process_role", choice.is_client ? "client" : "server"}};
    target.plain = MakeLabels(target.pairs);
    target.storage = Extended(target.pairs, "class", "storage");
    for (const auto name : choice.is_client ? kClientClasses : kServerClasses) {
      target.classes.push_back(Extended(target.pairs, "class", name));
    }
    target.operations.resize(kOperations);
    targets_.push_back(std::move(target));
  }
  for (const auto name : kDropNames) {
    drop_labels_.push_back(MakeLabels({{"reason", std::string(name)}}));
  }
}

void SyscallCollector::AddCounts(Families& families) {
  Family seconds{.info = &catalog::kSyscallSeconds, .samples = {}};
  Family calls{.info = &catalog::kSyscalls, .samples = {}};
  Family bytes{.info = &catalog::kSyscallBytes, .samples = {}};
  Family operations{.info = &catalog::kSyscallOperationSeconds, .samples = {}};
  const auto cells = programs_->Array<SyscallCell>("cells");
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    auto& target = targets_[t];
    std::array<ClassCell, kClasses> classes{};
    std::array<std::uint64_t, kOperations> times{};
    std::array<std::array<std::uint64_t, kTimeBuckets>, kOperations> counts{};
    for (std::size_t at = t; at < cells.size(); at += targets_.size()) {
      for (std::size_t i = 0; i < kClasses; ++i) {
        classes[i].calls += bpf::ReadShared(cells[at].classes[i].calls);
        classes[i].ns += bpf::ReadShared(cells[at].classes[i].ns);
        classes[i].bytes += bpf::ReadShared(cells[at].classes[i].bytes);
      }
      for (std::size_t i = 1; i < kOperations; ++i) {
        times[i] += bpf::ReadShared(cells[at].operations[i].ns);
        for (std::size_t k = 0; k < kTimeBuckets; ++k) {
          counts[i][k] += bpf::ReadShared(cells[at].operations[i].buckets[k]);
        }
      }
    }
    for (std::size_t i = 0; i < kClasses; ++i) {
      seconds.samples.push_back({target.classes[i], CallSeconds(classes[i].ns)});
      calls.samples.push_back({target.classes[i], static_cast<double>(classes[i].calls)});
      bytes.samples.push_back({target.classes[i], static_cast<double>(classes[i].bytes)});
    }
    for (std::uint32_t i = 1; i < kOperations; ++i) {
      if (std::all_of(counts[i].begin(), counts[i].end(), [](auto count) { return count == 0; })) {
        continue;  // what a process never does is no series
      }
      auto& labels = target.operations[i];
      if (!labels.plain) {
        auto pairs = target.pairs;
        pairs.emplace_back("operation", std::string(bpf::OperationName(i)));
        labels = MakeHistogramLabels(pairs, kCallTimes);
      }
      AddHistogram(operations, labels, kCallTimes, counts[i], CallSeconds(times[i]));
    }
  }
  for (auto* family : {&seconds, &calls, &bytes, &operations}) {
    families.push_back(std::move(*family));
  }
}

void SyscallCollector::AddErrors(Families& families) {
  Family family{.info = &catalog::kSyscallErrors, .samples = {}};
  const auto cells = programs_->Array<ErrorCell>("errors");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto target = i / kTargets / kOperations;
    for (std::uint32_t number = 0; number < kErrnos && target < targets_.size(); ++number) {
      const auto count = bpf::ReadShared(cells[i].counts[number]);
      if (count == 0) {
        continue;
      }
      auto& labels = error_labels_[i * kErrnos + number];
      if (!labels) {
        auto pairs = targets_[target].pairs;
        const auto operation = static_cast<std::uint32_t>(i / kTargets % kOperations);
        pairs.emplace_back("operation", std::string(bpf::OperationName(operation)));
        pairs.emplace_back("class", std::string(kTargetNames[i % kTargets]));
        labels = Extended(pairs, "errno", bpf::ErrnoName(number));
      }
      family.samples.push_back({labels, static_cast<double>(count)});
    }
  }
  families.push_back(std::move(family));
}

const SyscallCollector::PeerLabels& SyscallCollector::LabelsOfPeer(std::size_t index,
                                                                   const Peer& peer) {
  auto& labels = peer_labels_[index];
  const auto generation = bpf::ReadShared(peer.generation);
  if (labels.open && labels.generation == generation) {
    return labels;
  }
  labels = {};
  labels.generation = generation;
  auto pairs = targets_[peer.target].pairs;
  labels.open = MakeLabels({pairs[0], pairs[1], {"class", "network"}, {"peer", PeerName(peer)}});
  pairs.emplace_back("peer", PeerName(peer));
  for (const auto name : kPeerActionNames) {
    labels.completed.push_back(Extended(pairs, "operation", name));
  }
  for (const auto name : kFailureNames) {
    labels.failures.push_back(Extended(pairs, "errno", name));
  }
  return labels;
}

void SyscallCollector::AddOpenCalls(Families& families, const Tick& tick) {
  const auto now = static_cast<std::uint64_t>(tick.steady.time_since_epoch().count());
  std::vector<double> storage(targets_.size(), 0);
  std::map<std::size_t, double> network;  // by peer
  const auto peers = programs_->Array<Peer>("peers");
  for (const auto& thread : programs_->Array<ThreadCall>("threads")) {
    const auto started = bpf::ReadShared(thread.started_ns);
    if (started == 0 || started > now || bpf::ReadShared(thread.tid) == 0) {
      continue;
    }
    const auto target = bpf::ReadShared(thread.target);
    const auto peer = bpf::ReadShared(thread.peer);
    const auto seconds = CallSeconds(now - started);
    if (target >= targets_.size()) {
      continue;
    }
    if (IsStorage(thread)) {
      storage[target] = std::max(storage[target], seconds);
    } else if (peer != 0 && peer <= peers.size() && seconds >= kShownOpenSeconds &&
               bpf::ReadShared(peers[peer - 1].generation) == bpf::ReadShared(thread.generation)) {
      auto& longest = network[peer - 1];
      longest = std::max(longest, seconds);
    }
  }
  Family family{.info = &catalog::kSyscallOpenSeconds, .samples = {}};
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    family.samples.push_back({targets_[i].storage, storage[i]});
  }
  for (const auto& [index, seconds] : network) {
    if (peers[index].target < targets_.size()) {
      family.samples.push_back({LabelsOfPeer(index, peers[index]).open, seconds});
    }
  }
  families.push_back(std::move(family));
}

void SyscallCollector::AddPeers(Families& families, const Tick& tick) {
  Family completed{.info = &catalog::kSyscallLastCompleted, .samples = {}};
  Family failures{.info = &catalog::kSyscallPeerFailures, .samples = {}};
  const auto now = static_cast<std::uint64_t>(tick.steady.time_since_epoch().count());
  const auto unix_now = ToSeconds(tick.at.time_since_epoch());
  const auto peers = programs_->Array<Peer>("peers");
  for (std::size_t i = 0; i < peers.size(); ++i) {
    constexpr std::uint32_t kValid = 2;
    if (bpf::ReadShared(peers[i].state) != kValid || peers[i].target >= targets_.size()) {
      continue;
    }
    const auto& labels = LabelsOfPeer(i, peers[i]);
    for (std::size_t k = 0; k < kPeerActions; ++k) {
      if (const auto at = bpf::ReadShared(peers[i].completed_ns[k]); at != 0) {
        // Not before its time: the kernel may have counted it since this tick began.
        completed.samples.push_back(
            {labels.completed[k], unix_now - CallSeconds(now > at ? now - at : 0)});
      }
    }
    for (std::size_t k = 0; k < kPeerFailures; ++k) {
      failures.samples.push_back(
          {labels.failures[k], static_cast<double>(bpf::ReadShared(peers[i].failures[k]))});
    }
  }
  families.push_back(std::move(completed));
  families.push_back(std::move(failures));
}

void SyscallCollector::AddTotals(Families& families) const {
  const auto totals = programs_->Array<SyscallTotals>("totals");
  if (totals.empty()) {
    return;
  }
  Family processes{.info = &catalog::kSyscallProcesses, .samples = {}};
  for (std::size_t i = 0; i < targets_.size() && i < kMaxTargets; ++i) {
    processes.samples.push_back(
        {targets_[i].plain, static_cast<double>(bpf::ReadShared(totals[0].processes[i]))});
  }
  Family dropped{.info = &catalog::kSyscallDropped, .samples = {}};
  for (std::size_t i = 0; i < drop_labels_.size(); ++i) {
    dropped.samples.push_back(
        {drop_labels_[i], static_cast<double>(bpf::ReadShared(totals[0].drops[i]))});
  }
  families.push_back(std::move(processes));
  families.push_back(std::move(dropped));
}

Result<Families> SyscallCollector::Collect(const Tick& tick) {
  Families families;
  if (programs_) {
    AddCounts(families);
    AddErrors(families);
    AddOpenCalls(families, tick);
    AddPeers(families, tick);
    AddTotals(families);
    std::erase_if(families, [](const Family& family) { return family.samples.empty(); });
  }
  return families;
}

}  // namespace limpet
