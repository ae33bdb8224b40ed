#include "diagnoser/verdict/causes.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace limpet {
namespace {

constexpr std::string_view kOfSyscalls =
    "Do system calls of its processes or of its clients fail, hang or take longer than its peers'?";

constexpr CauseRow kRows[] = {
    CauseRow{.cause = Cause::kDiskHog,
             .name = "disk-hog",
             .letter = 'H',
             .family = CauseFamily::kStorage,
             .local = LocalWhen::kBalanced,
             .facts = CauseFacts::kDisks,
             .meaning = "something else reads or writes its disks",
             .differs = "it reads or writes more than its peers",
             .look = "`iotop -ao` and `pidstat -d 1`",
             .reasons = "a backup, a scrub, a runaway process, a rebalance",
             .next_step =
                 "On {node}, find the process that uses {disk} (iotop, pidstat -d): a scrub, a "
                 "rebuild, a backup, a copy."},
    CauseRow{.cause = Cause::kDiskBusy,
             .name = "disk-busy",
             .letter = 'D',
             .family = CauseFamily::kStorage,
             .local = LocalWhen::kDeviceTime,
             .facts = CauseFacts::kDisks,
             .meaning = "its disks answer slowly without doing more work",
             .differs = "a request to its disks takes longer, although they have no more to do",
             .look = "`iostat -x 1`, `smartctl -a`, the RAID controller's log and `/proc/mdstat`",
             .reasons = "a dying disk, a rebuild, a cache battery, another user of the same array",
             .next_step =
                 "On {node}, read the kernel log and smartctl -a for {disk}; where they show "
                 "nothing, look at its controller, path and RAID state."},
    CauseRow{.cause = Cause::kSlowNetwork,
             .name = "slow-network",
             .letter = 'L',
             .family = CauseFamily::kNetwork,
             .source = CauseSource::kRoundTrips,
             .local = LocalWhen::kAlways,
             .facts = CauseFacts::kInterfaces,
             .meaning = "its network is slow to deliver, but loses nothing",
             .differs =
                 "round trips of its connections take longer, at a load like its peers', and "
                 "no more segments are sent again",
             .look = "`ping` to and from its peers, `ss -ti`, `ethtool` (speed, coalescing, "
                     "offloads) and the switch's queues",
             .reasons = "another route or a tunnel, a port at a lower speed, flow control, a "
                        "firewall or a filter in the way, power saving of the card",
             .next_step = "On {node}, ping its peers and compare; then follow the way: link speed "
                          "and flow control (ethtool, ethtool -a), route (ip route, tracepath), "
                          "queues (tc -s qdisc), the switch port."},
    CauseRow{.cause = Cause::kNetworkHog,
             .name = "network-hog",
             .letter = 'N',
             .family = CauseFamily::kNetwork,
             .local = LocalWhen::kBalanced,
             .facts = CauseFacts::kInterfaces,
             .meaning = "other traffic uses its network link",
             .differs = "more bytes in or out than its peers",
             .look = "`ss -tin`, `sar -n DEV 1` and the switch's counters",
             .reasons = "a copy over the storage network, a misrouted job",
             .next_step =
                 "On {node}, find who sends or receives (ss -ti, iftop): traffic that is not "
                 "the file system's."},
    {.cause = Cause::kPacketLoss,
     .name = "packet-loss",
     .letter = 'P',
     .family = CauseFamily::kNetwork,
     .local = LocalWhen::kSegmentsKnown,
     .facts = CauseFacts::kInterfaces,
     .meaning = "its network loses packets",
     .differs = "its connections send segments again, or have small congestion windows, with "
                "normal traffic",
     .look = "`ip -s link`, `ethtool -S` and the port's error counters",
     .reasons = "a cable, a transceiver, a duplex mismatch, a congested uplink",
     .next_step = "Between {node} and its clients, look for errors and drops: ethtool -S, the "
                  "counters of its switch port, cable and transceiver."},
    {.cause = Cause::kBehaviour,
     .name = "behaviour",
     .letter = 'B',
     .family = CauseFamily::kBehaviour,
     .source = CauseSource::kProfiles,
     .meaning = "the whole node spends its time in another way",
     .differs = "nothing on the checklist; the evidence names the host metrics that differ most "
                "from its peers'",
     .look = "`top`, `pidstat 1` and `perf top`",
     .reasons = "a spinning daemon, a job on the wrong node",
     .next_step = "On {node}, compare what runs there with its peers (top, vmstat 1).",
     .question = "Nothing on the checklist. Does the host as a whole behave unlike its peers?"},
    {.cause = Cause::kServerCrash,
     .name = "server-crash",
     .letter = 'C',
     .family = CauseFamily::kBehaviour,
     .source = CauseSource::kSyscalls,
     .alert = CauseAlert::kBroken,
     .stops_clients = true,
     .meaning =
         "its process is gone: connections end or are refused while those of its peers go on",
     .differs = "its connections ended or were refused while its peers' went on; an error of "
                "its own just before is in the evidence (`EFBIG`, `ENOMEM`: a limit killed it)",
     .look = "the daemon's log, `coredumpctl` and `journalctl -k`",
     .reasons = "a bug, a limit on memory or file size, a stop by hand",
     .next_step = "On {node}, see whether the file system's server runs (systemctl status, its "
                  "log) and start it; a core dump and the kernel log say why it died.",
     .question = kOfSyscalls},
    {.cause = Cause::kServerHang,
     .name = "server-hang",
     .letter = 'G',
     .family = CauseFamily::kBehaviour,
     .source = CauseSource::kSyscalls,
     .alert = CauseAlert::kBroken,
     .stops_clients = true,
     .meaning = "it takes requests and does not answer them",
     .differs = "a client's call on a file has not returned for 30 s and this server has a "
                "request without an answer, or its own storage call does not return",
     .look = "`/proc/PID/stack` and processes in state T or D",
     .reasons = "a stopped process, a dead disk or controller that never answers, a deadlock",
     .next_step = "On {node}, see where the file system's server waits: its state in ps (T: "
                  "stopped, D: in the kernel), /proc/PID/stack, the kernel log.",
     .question = kOfSyscalls},
    {.cause = Cause::kPropagatedError,
     .name = "propagated-error",
     .letter = 'E',
     .family = CauseFamily::kBehaviour,
     .source = CauseSource::kSyscalls,
     .alert = CauseAlert::kBroken,
     .meaning = "an error of its storage or network reaches clients",
     .differs = "a call of the server on its storage or network returned an error that it does "
                "not return otherwise, and a client got it within 3 s",
     .look = "`dmesg`, `df -h`, `df -i` and `prlimit --pid`",
     .reasons = "a limit that is too low, a full disk or no inodes left, a file system that "
                "went read-only after an error",
     .next_step = "On {node}, look up the error in the evidence: free space and inodes (df, df "
                  "-i), limits of the server's process (/proc/PID/limits), the mount's options, "
                  "the kernel log.",
     .question = kOfSyscalls},
    {.cause = Cause::kSlowSyscalls,
     .name = "slow-syscalls",
     .letter = 'S',
     .family = CauseFamily::kStorage,
     .source = CauseSource::kSyscalls,
     .meaning = "its file system's system calls take longer than they ever did in training",
     .differs = "nothing on the checklist, but its storage or its connections take longer per "
                "system call than ever in training ([system "
                "calls](how-it-decides.md#system-calls))",
     .look = "`limpet_syscall_operation_seconds`, `iostat -x 1` and `ss -tin`",
     .reasons = "what makes a disk or a network slow, while it is still small",
     .next_step = "On {node}, find what the slow calls wait for: its disks (iostat -x 1) for "
                  "storage, its network (ss -ti) for messages, its processors and memory "
                  "(vmstat 1) for both.",
     .question = kOfSyscalls},
    {.cause = Cause::kSlowRequests,
     .name = "slow-requests",
     .letter = 'R',
     .family = CauseFamily::kStorage,
     .source = CauseSource::kMetrics,
     .meaning = "its storage software takes longer for requests than its peers'",
     .differs = "nothing on the checklist, but a metric of the storage itself ([metrics in "
                "YAML](metrics-in-yaml.md)): an OSD's commit, an etcd member's sync",
     .look = "the storage's own log, `top`, `iostat -x 1` and `ss -tin`",
     .reasons = "a process short of processor or memory, a compaction, a recovery, a disk behind a "
                "layer that nothing measures",
     .next_step = "On {node}, find what the component in the evidence waits for: its process "
                  "(top, its log), a compaction or recovery, its disk (iostat -x 1).",
     .question = "Nothing on the checklist. Do requests to its storage software take longer than "
                 "its peers'?"},
};

constexpr CauseRow kNoRow{.name = "none"};

constexpr std::string_view kLonger = "Does a request to its disks take longer than its peers'?";
constexpr std::string_view kDelays = "Do its connections' round trips take longer than its peers'?";
constexpr std::string_view kLoses = "Do its connections lose packets that its peers' do not?";

constexpr std::array<CauseStep, 6> kSteps = {{
    {.cause = Cause::kDiskHog,
     .question = "Do its disks move more than its peers' disks?",
     .symptoms = {Symptom::kThroughput}},
    {.cause = Cause::kDiskBusy, .question = kLonger, .symptoms = {Symptom::kLatency}},
    // Both ways at once is traffic; one way alone may as well be what lost packets cost.
    {.cause = Cause::kNetworkHog,
     .question = "Does its network carry more than its peers', both ways?",
     .symptoms = {Symptom::kReceived, Symptom::kSent},
     .both = true},
    {.cause = Cause::kPacketLoss,
     .question = kLoses,
     .symptoms = {Symptom::kWindow, Symptom::kRetransmitted}},
    {.cause = Cause::kNetworkHog,
     .question = "Does its network carry more than its peers', one way?",
     .symptoms = {Symptom::kReceived, Symptom::kSent}},
    {.cause = Cause::kSlowNetwork, .question = kDelays, .symptoms = {Symptom::kDelay}},
}};

constexpr std::array<CauseStep, 5> kStepsByBalance = {{
    {.cause = Cause::kDiskHog,
     .question = "Do its disks move bytes that its network does not?",
     .symptoms = {Symptom::kUnsent, Symptom::kUnreceived},
     .direction = Direction::kHigh},
    {.cause = Cause::kDiskBusy, .question = kLonger, .symptoms = {Symptom::kLatency}},
    {.cause = Cause::kNetworkHog,
     .question = "Does its network move bytes that its disks do not?",
     .symptoms = {Symptom::kUnsent, Symptom::kUnreceived},
     .direction = Direction::kLow},
    {.cause = Cause::kPacketLoss,
     .question = kLoses,
     .symptoms = {Symptom::kWindow, Symptom::kRetransmitted}},
    {.cause = Cause::kSlowNetwork, .question = kDelays, .symptoms = {Symptom::kDelay}},
}};

}  // namespace

const char* Name(CauseFamily family) {
  switch (family) {
    case CauseFamily::kStorage:
      return "storage";
    case CauseFamily::kNetwork:
      return "network";
    case CauseFamily::kBehaviour:
      break;
  }
  return "behaviour";
}

std::span<const CauseRow> CauseRows() { return kRows; }

const CauseRow* FindCauseByName(std::string_view name) {
  const auto* const row =
      std::ranges::find_if(kRows, [&](const CauseRow& one) { return one.name == name; });
  return row == std::end(kRows) ? nullptr : row;
}

const CauseRow& RowOf(Cause cause) {
  const auto* const row = std::ranges::find(kRows, cause, &CauseRow::cause);
  return row == std::end(kRows) ? kNoRow : *row;
}

const CauseRow* FindCause(std::uint64_t number) {
  const auto* const row = std::ranges::find_if(
      kRows, [&](const CauseRow& one) { return static_cast<std::uint64_t>(one.cause) == number; });
  return row == std::end(kRows) ? nullptr : row;
}

std::span<const CauseStep> CauseSteps(bool by_balance) {
  return by_balance ? std::span<const CauseStep>(kStepsByBalance) : kSteps;
}

std::string FillIn(std::string_view text, std::string_view node, std::string_view disk) {
  constexpr std::string_view kNode = "{node}";
  constexpr std::string_view kDisk = "{disk}";
  std::string filled;
  // In one pass: names come from outside and may hold what looks like a place to fill in.
  while (!text.empty()) {
    const bool is_node = text.starts_with(kNode);
    if (is_node || text.starts_with(kDisk)) {
      filled += is_node ? node : disk;
      text.remove_prefix(kNode.size());
    } else {
      filled += text.front();
      text.remove_prefix(1);
    }
  }
  return filled;
}

}  // namespace limpet
