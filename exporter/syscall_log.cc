#include "exporter/syscall_log.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "exporter/bpf/syscall_rows.h"
#include "exporter/collectors/syscall.h"
#include "exporter/common/units.h"

namespace limpet {
namespace {

using Json = nlohmann::ordered_json;

// Names of files hold any bytes; a line is UTF-8 all the same.
std::string Line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string_view KindName(std::uint32_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return "file";
    case S_IFDIR:
      return "directory";
    case S_IFBLK:
      return "block";
    case S_IFCHR:
      return "character";
    case S_IFIFO:
      return "pipe";
    case S_IFSOCK:
      return "socket";
    default:
      return "anonymous";  // epoll, eventfd, timerfd and the like
  }
}

std::string_view FamilyName(std::uint32_t family) {
  switch (family) {
    case AF_INET:
      return "inet";
    case AF_INET6:
      return "inet6";
    case AF_UNIX:
      return "unix";
    case AF_NETLINK:
      return "netlink";
    default:
      return "other";
  }
}

std::string ErrorName(std::int64_t result) {
  constexpr std::int64_t kFirstRestart = 512;  // ERESTARTSYS … ERESTART_RESTARTBLOCK
  constexpr std::int64_t kLastRestart = 516;
  const auto number = -result;
  if (number >= kFirstRestart && number <= kLastRestart) {
    return bpf::ErrnoName(kErrnoRestart);
  }
  if (number == kErrnoRestart) {
    return "unknown:134";  // a real 134: the index means something else
  }
  return bpf::ErrnoName(static_cast<std::uint32_t>(number));
}

bool Failed(std::int64_t result) {
  constexpr std::int64_t kLowest = -4095;
  return result < 0 && result >= kLowest;
}

std::string SignalName(std::int64_t number) {
  const char* const known = ::sigabbrev_np(static_cast<int>(number));
  return known != nullptr ? std::string("SIG") + known
                          : fmt::format("SIGRTMIN+{}", number - SIGRTMIN);
}

std::string Hex(std::uint64_t value) { return fmt::format("{:#x}", value); }

void AddDescriptor(Json& line, const DescriptorInfo& info) {
  line["kind"] = KindName(info.mode);
  if ((info.mode & S_IFMT) != S_IFSOCK) {
    constexpr unsigned kMinorBits = 20;
    line["device"] =
        fmt::format("{}:{}", info.device >> kMinorBits, info.device & ((1U << kMinorBits) - 1));
    line["inode"] = info.inode;
    return;
  }
  line["family"] = FamilyName(info.family);
  if (info.port != 0) {
    Peer peer{};
    std::copy(std::begin(info.address), std::end(info.address), std::begin(peer.address));
    peer.port = info.port;
    line["peer"] = PeerName(peer);
  }
}

}  // namespace

SyscallLog::SyscallLog(UnixTime boot, Write write)
    : boot_(ToSeconds(boot.time_since_epoch())), write_(std::move(write)) {}

void SyscallLog::Header(std::string_view version, std::string_view what) {
  write_(Line({{"type", "header"},
               {"format", "limpet-syscall-log"},
               {"version", 1},
               {"program", std::string("limpet-exporter ") + std::string(version)},
               {"processes", what},
               {"not_seen",
                "time of requests made through io_uring or libaio, files mapped into memory, "
                "servers in the kernel (knfsd, Lustre)"}}));
}

void SyscallLog::Inherited(UnixTime at, std::uint32_t pid, std::uint32_t fd,
                           std::string_view name) {
  write_(Line({{"type", "descriptor"},
               {"time", ToSeconds(at.time_since_epoch())},
               {"pid", pid},
               {"fd", fd},
               {"change", "inherited"},
               {"name", name}}));
}

const std::string& SyscallLog::Name(std::uint32_t number) {
  auto& name = names_[number];
  if (name.empty()) {
    name = bpf::SyscallName(number);
  }
  return name;
}

void SyscallLog::Descriptor(const SyscallEvent& event, const std::string& call, double time) {
  const auto row = bpf::FindSyscallRow(call);
  const bool makes = row && row->makes != 0 && event.result >= 0;
  const bool connects = row && row->operation == kOperationConnect && event.descriptor.port != 0;
  const bool closes = call == "close" && event.result == 0;
  if (!makes && !connects && !closes) {
    return;
  }
  Json line = {{"type", "descriptor"},
               {"record", record_},
               {"time", time},
               {"pid", event.tgid},
               {"fd", makes ? event.result : static_cast<std::int64_t>(event.arguments[0])},
               {"change", call}};
  if (!closes) {
    AddDescriptor(line, event.descriptor);
    if (event.path[0] != '\0') {
      line["name"] = std::string(event.path);
    }
  }
  write_(Line(line));
}

void SyscallLog::Signal(const SyscallEvent& event, double time) const {
  write_(Line({{"type", "signal"},
               {"time", time},
               {"pid", event.tgid},
               {"tid", event.tid},
               {"signal", SignalName(event.result)}}));
}

void SyscallLog::Event(std::span<const std::byte> record) {
  SyscallEvent event;
  if (record.size() < sizeof(event)) {
    return;
  }
  std::memcpy(&event, record.data(), sizeof(event));
  event.path[kPathBytes - 1] = '\0';
  const double time = boot_ + static_cast<double>(event.started_ns) / kNanosecondsPerSecond;
  if (event.number == kSignalNumber) {
    Signal(event, time);
    return;
  }
  const auto& call = Name(event.number);
  ++record_;
  Json line = {{"type", "call"}, {"record", record_}, {"sequence", event.sequence},
               {"time", time},   {"pid", event.tgid}, {"tid", event.tid},
               {"call", call}};
  auto& arguments = line["args"] = Json::array();
  for (const auto argument : event.arguments) {
    arguments.push_back(Hex(argument));
  }
  line["result"] = event.result;
  auto& totals = totals_[call];
  ++totals.calls;
  totals.ns += event.duration_ns;
  if (Failed(event.result)) {
    line["errno"] = ErrorName(event.result);
    ++totals.errors;
  }
  line["duration"] = static_cast<double>(event.duration_ns) / kNanosecondsPerSecond;
  if (event.path[0] != '\0') {
    line["path"] = std::string(event.path);
  }
  write_(Line(line));
  Descriptor(event, call, time + static_cast<double>(event.duration_ns) / kNanosecondsPerSecond);
}

void SyscallLog::Lost(std::uint64_t lost) {
  if (lost > lost_) {
    write_(Line({{"type", "lost"}, {"events", lost - lost_}}));
    lost_ = lost;
  }
}

void SyscallLog::Summary() {
  Json calls = Json::array();
  for (const auto& [name, totals] : totals_) {
    calls.push_back({{"call", name},
                     {"calls", totals.calls},
                     {"errors", totals.errors},
                     {"seconds", static_cast<double>(totals.ns) / kNanosecondsPerSecond}});
  }
  write_(Line({{"type", "summary"}, {"records", record_}, {"lost", lost_}, {"calls", calls}}));
}

std::string SummaryTable(const std::map<std::string, CallTotals>& totals) {
  std::vector<std::pair<std::string, CallTotals>> sorted(totals.begin(), totals.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
  CallTotals all;
  for (const auto& [name, one] : sorted) {
    all.calls += one.calls;
    all.errors += one.errors;
    all.ns += one.ns;
  }
  constexpr double kMicrosecond = 1e3;
  const auto row = [&](const std::string& name, const CallTotals& one) {
    const auto ns = static_cast<double>(one.ns);
    return fmt::format("{:6.2f} {:11.6f} {:11.1f} {:9} {:>9} {}\n",
                       all.ns == 0 ? 0 : 100 * ns / static_cast<double>(all.ns),
                       ns / kNanosecondsPerSecond,
                       one.calls == 0 ? 0 : ns / kMicrosecond / static_cast<double>(one.calls),
                       one.calls, one.errors == 0 ? "" : std::to_string(one.errors), name);
  };
  std::string table = "% time     seconds  usecs/call     calls    errors syscall\n";
  for (const auto& [name, one] : sorted) {
    table += row(name, one);
  }
  return table + row("total", all);
}

}  // namespace limpet
