// syscalls_command.cc: the command that logs system calls.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "exporter/bpf/event_ring.h"
#include "exporter/commands.h"
#include "exporter/common/service.h"
#include "exporter/common/text.h"
#include "exporter/syscall_log.h"

namespace limpet {
namespace {

namespace fs = std::filesystem;

constexpr auto kLook = std::chrono::milliseconds(50);

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const auto end = std::min(text.find(',', begin), text.size());
    if (end > begin) {
      parts.push_back(text.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return parts;
}

Result<bpf::SyscallRequest> MakeRequest(const SyscallsFlags& flags) {
  bpf::SyscallRequest request;
  for (const auto& name : SplitAtCommas(flags.names)) {
    if (name.size() >= kCommBytes) {
      return Error{ErrorCode::kInvalid,
                   "expected names of at most 15 bytes, as in /proc/PID/comm, got " + name,
                   "--name"};
    }
    // As clients, so that the far ends of their connections are known.
    request.targets.push_back({name, 0, true});
  }
  for (const auto& text : SplitAtCommas(flags.pids)) {
    const auto pid = ParseU64(text);
    if (!pid || *pid == 0 || *pid > INT32_MAX) {
      return Error{ErrorCode::kInvalid, "expected numbers of processes, got " + text, "--pid"};
    }
    if (!fs::exists("/proc/" + text)) {
      return Error{ErrorCode::kNotFound, "no such process: " + text, "--pid"};
    }
    request.targets.push_back({"", static_cast<std::uint32_t>(*pid), true});
  }
  if (request.targets.empty() || request.targets.size() > kMaxTargets) {
    return Error{ErrorCode::kInvalid,
                 "expected 1 to " + std::to_string(kMaxTargets) + " processes: --name or --pid",
                 ""};
  }
  std::uint64_t bytes = 1;
  while (bytes < flags.ring_megabytes << 20U) {
    bytes <<= 1U;  // the kernel wants a power of two
  }
  request.ring_bytes = static_cast<std::uint32_t>(bytes);
  return request;
}

// Standard output, or a file of its own.
class Output {
 public:
  explicit Output(const std::string& path)
      : file_(path == "-" ? stdout : std::fopen(path.c_str(), "we")) {}
  ~Output() {
    if (file_ != nullptr && file_ != stdout) {
      std::fclose(file_);
    }
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  [[nodiscard]] bool IsOpen() const { return file_ != nullptr; }
  void Write(std::string_view text) {
    failed_ = failed_ || std::fwrite(text.data(), 1, text.size(), file_) != text.size();
  }
  // False when not all of it could be written.
  [[nodiscard]] bool Flush() { return std::fflush(file_) == 0 && !failed_; }

 private:
  std::FILE* file_;
  bool failed_ = false;
};

bool IsWanted(const std::string& pid, const bpf::SyscallRequest& request) {
  std::string comm;
  std::getline(std::ifstream("/proc/" + pid + "/comm"), comm);
  return std::any_of(request.targets.begin(), request.targets.end(), [&](const auto& target) {
    return target.pid == 0 ? target.name == comm : std::to_string(target.pid) == pid;
  });
}

// Descriptors that were open before. What may not be read (another user's process) is left out: the
// calls say what kind each descriptor is all the same.
void LogInherited(const bpf::SyscallRequest& request, UnixTime now, SyscallLog& log) {
  std::error_code ignored;
  for (const auto& process : fs::directory_iterator("/proc", ignored)) {
    const auto pid = process.path().filename().string();
    const auto number = ParseU64(pid);
    if (!number || !IsWanted(pid, request)) {
      continue;
    }
    for (const auto& entry : fs::directory_iterator(process.path() / "fd", ignored)) {
      const auto fd = ParseU64(entry.path().filename().string());
      const auto name = fs::read_symlink(entry.path(), ignored);
      if (fd && !ignored) {
        log.Inherited(now, static_cast<std::uint32_t>(*number), static_cast<std::uint32_t>(*fd),
                      name.string());
      }
    }
  }
}

class Logging {
 public:
  Logging(const bpf::Programs& programs, bpf::EventRing ring, SyscallLog& log, Output& output)
      : totals_(programs.Array<SyscallTotals>("totals")),
        ring_(std::move(ring)),
        log_(log),
        output_(output) {}

  // Until a signal, an output that is full, or `until_gone` and no process is left.
  [[nodiscard]] bool Run(bool until_gone) {
    Signals signals;
    for (;;) {
      // Before the events are read, so that the last ones are.
      const bool gone = until_gone && Followed() == 0;
      ring_.Drain([this](std::span<const std::byte> record) { log_.Event(record); });
      log_.Lost(bpf::ReadShared(totals_[0].drops[kSyscallDropEvents]) +
                bpf::ReadShared(totals_[0].drops[kSyscallDropThreads]) +
                bpf::ReadShared(totals_[0].drops[kSyscallDropProcesses]));
      if (!output_.Flush()) {
        return false;
      }
      if (gone || signals.Wait(kLook) == Wake::kStop) {
        return true;
      }
    }
  }

 private:
  [[nodiscard]] std::uint32_t Followed() const {
    std::uint32_t all = 0;
    for (const auto& count : totals_[0].processes) {
      all += bpf::ReadShared(count);
    }
    return all;
  }

  std::span<const SyscallTotals> totals_;
  bpf::EventRing ring_;
  SyscallLog& log_;
  Output& output_;
};

}  // namespace

void SyscallsFlags::Bind(Flags& flags) {
  flags.Add(names, "--name", "NAME,…", "processes of these names, as in /proc/PID/comm");
  flags.Add(pids, "--pid", "PID,…", "these processes and those they start; ends with the last one");
  flags.Add(output, "--output", "FILE", "where to write the log; - is standard output");
  constexpr std::uint64_t kMaxMegabytes = 1024;
  flags.AddNumber(ring_megabytes, "--buffer", "MEGABYTES",
                  "memory in the kernel for events that are not written yet", 1, kMaxMegabytes);
}

int RunSyscalls(const SyscallsFlags& flags, const World& world) {
  const auto fail = [&](const Error& error, int code) {
    world.log(LogLevel::kError, error.Text());
    return code;
  };
  const auto request = MakeRequest(flags);
  if (!request) {
    return fail(request.error(), kExitUsage);
  }
  const auto loaded = world.bpf->Load(*request);
  world.bpf->Close();
  if (!loaded) {
    return fail(loaded.error(), kExitFailed);
  }
  const auto& programs = **loaded;
  auto ring = programs.rings.empty()
                  ? Result<bpf::EventRing>(Error{ErrorCode::kInternal, "no event ring", ""})
                  : bpf::EventRing::Map(programs.rings[0].descriptor.Get(), programs.ring_bytes);
  Output output(flags.output);
  if (!ring || !output.IsOpen()) {
    return fail(
        ring ? Error{ErrorCode::kInternal, std::generic_category().message(errno), flags.output}
             : ring.error(),
        kExitFailed);
  }
  const UnixTime boot = world.clock.Now() - world.clock.Steady().time_since_epoch();
  SyscallLog log(boot, [&](std::string_view line) { output.Write(line); });
  log.Header(LIMPET_VERSION, flags.pids.empty() ? flags.names : flags.pids);
  LogInherited(*request, world.clock.Now(), log);
  world.log(LogLevel::kInfo, "logging system calls");
  const bool written = Logging(programs, *std::move(ring), log, output).Run(flags.names.empty());
  log.Summary();
  if (!output.Flush() || !written) {
    return fail({ErrorCode::kInternal, "not all could be written", flags.output}, kExitFailed);
  }
  world.log(LogLevel::kInfo,
            "lost " + std::to_string(log.LostEvents()) + " events\n" + SummaryTable(log.Totals()));
  return kExitOk;
}

}  // namespace limpet
