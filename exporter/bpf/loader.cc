#include "exporter/bpf/loader.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "exporter/bpf/capabilities.h"
#include "exporter/bpf/handover.h"

namespace limpet::bpf {
namespace {

Result<std::vector<Handed>> LoadWithLittleRights(const Request& request) {
  if (const auto missing = MissingCapabilities(); !missing.empty()) {
    return Error{ErrorCode::kPermission,
                 "this process lacks " + missing +
                     " (systemd: AmbientCapabilities=CAP_BPF CAP_PERFMON; by hand: run it as root)",
                 ""};
  }
  if (const auto kept = KeepOnlyBpfCapabilities(); !kept) {
    return kept.error();
  }
  return LoadObject(request);
}

// The loader's process: from here to its end.
[[noreturn]] void RunLoader(int socket, const Request& request) {
  ::prctl(PR_SET_NAME, "bpf-loader", 0, 0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  const bool sent = Send(socket, LoadWithLittleRights(request)).has_value();
  // Not exit(): what the exporter has registered for its own end is not ours to run.
  ::_exit(sent ? 0 : 1);
}

Result<std::vector<Handed>> LoadInChild(const Request& request) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return SystemProblem("socketpair");
  }
  const Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) {
    return SystemProblem("fork");
  }
  if (child == 0) {
    RunLoader(theirs.Get(), request);
  }
  theirs = Descriptor();  // so that its end shows if it dies
  auto received = Receive(ours.Get());
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return received;
}

Result<ProgramsPtr> Adopt(const Request& request, std::vector<Handed> handed) {
  auto programs = std::make_shared<Programs>();
  programs->request = request;
  for (auto& one : handed) {
    switch (one.kind) {
      case Kind::kArray: {
        auto array = MappedArray::Map(one.descriptor.Get(), one.bytes);
        if (!array) {
          return array.error();
        }
        programs->arrays.push_back({one.name, *std::move(array)});
        break;
      }
      case Kind::kRing:
        programs->ring_bytes = one.bytes;
        programs->rings.push_back({one.name, std::move(one.descriptor)});
        break;
      case Kind::kProgram:
        programs->programs.push_back({one.name, std::move(one.descriptor)});
        break;
      case Kind::kLink:
        programs->links.push_back({one.name, std::move(one.descriptor)});
        break;
    }
  }
  return ProgramsPtr(std::move(programs));
}

}  // namespace

Result<ProgramsPtr> Loader::Load(const Request& request) {
  const std::lock_guard lock(mutex_);
  for (const auto& before : loaded_) {
    if (before.request.index() == request.index()) {
      if (before.request != request) {
        log_(LogLevel::kWarning,
             "settings of an eBPF collector have changed: that takes effect after a restart");
      }
      return before.result;
    }
  }
  if (closed_) {
    return Error{ErrorCode::kPermission,
                 "an eBPF collector that is switched on by a reload starts at the next restart",
                 ""};
  }
  auto handed = LoadInChild(request);
  auto result = handed ? Adopt(request, *std::move(handed)) : Result<ProgramsPtr>(handed.error());
  loaded_.push_back({request, result});
  return result;
}

void Loader::Close() {
  const std::lock_guard lock(mutex_);
  if (!closed_) {
    closed_ = true;
    DropBpfCapabilities();
  }
}

std::vector<Loader::Loaded> Loader::All() const {
  const std::lock_guard lock(mutex_);
  return loaded_;
}

std::string_view MissingPart(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUnavailable:
      return "build";
    case ErrorCode::kPermission:
      return "permission";
    case ErrorCode::kNotFound:
      return "btf";
    default:
      return "kernel";
  }
}

}  // namespace limpet::bpf
