#include "exporter/bpf/object_loading.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "exporter/bpf/block_shared.h"
#include "exporter/bpf/syscall_rows.h"
#include "exporter/bpf/syscall_shared.h"

// The skeletons: generated, of a style of their own.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include "block.skel.h"
#include "syscall.skel.h"
#pragma GCC diagnostic pop

namespace limpet::bpf {
namespace {

constexpr const char* kTypes = "/sys/kernel/btf/vmlinux";

// libbpf says why a program was refused only here. The last lines are what matters: the verifier's
// judgement stands below its whole protocol.
constexpr std::size_t kKept = 600;
std::string& Said() {
  static std::string said;
  return said;
}

int Keep(libbpf_print_level level, const char* format, va_list arguments) {
  if (level != LIBBPF_DEBUG) {
    char text[1024];
    std::vsnprintf(text, sizeof(text), format, arguments);
    Said() += text;
    if (Said().size() > kKept) {
      Said().erase(0, Said().size() - kKept);
    }
  }
  return 0;
}

Error Refused(const std::string& what, int negative_errno) {
  std::string said = Said();
  std::replace(said.begin(), said.end(), '\n', ' ');
  const int number = -negative_errno;
  const auto reason = what + ": " + std::generic_category().message(number);
  if (number == EPERM || number == EACCES) {
    // Root of a container and a process in a user namespace have the capabilities, but not there.
    return {ErrorCode::kPermission,
            reason +
                "; CAP_BPF and CAP_PERFMON must be those of the initial user namespace "
                "(systemd: PrivateUsers=no), and lockdown=confidentiality forbids it: " +
                said,
            ""};
  }
  return {ErrorCode::kInternal, reason + ": " + said, ""};
}

// What the programs need that a kernel may lack, by name, before libbpf says it by number.
Result<void> CheckKernel() {
  if (::access(kTypes, R_OK) != 0) {
    return Error{ErrorCode::kNotFound,
                 "the kernel describes no types of its own (CONFIG_DEBUG_INFO_BTF): no " +
                     std::string(kTypes),
                 ""};
  }
  btf* const types = ::btf__load_vmlinux_btf();
  if (types == nullptr) {
    return Refused(std::string("reading ") + kTypes, -errno);
  }
  std::string missing;
  for (const char* const tracepoint :
       {"btf_trace_block_rq_issue", "btf_trace_sys_enter", "btf_trace_task_rename"}) {
    if (::btf__find_by_name_kind(types, tracepoint, BTF_KIND_TYPEDEF) < 0) {
      missing +=
          std::string(missing.empty() ? "" : ", ") + (tracepoint + std::strlen("btf_trace_"));
    }
  }
  ::btf__free(types);
  if (!missing.empty()) {
    return Error{ErrorCode::kInternal, "the kernel has no tracepoint " + missing, ""};
  }
  return {};
}

// A descriptor that the skeleton does not close when it is destroyed.
Descriptor Duplicate(int fd) { return Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 3)); }

std::uint64_t MappedBytes(const bpf_map* map) {
  constexpr std::uint64_t kAlign = 8;  // the kernel rounds elements up to this
  const auto value = (::bpf_map__value_size(map) + kAlign - 1) / kAlign * kAlign;
  return value * ::bpf_map__max_entries(map);
}

void HandMaps(bpf_object* object, std::vector<Handed>& handed) {
  bpf_map* map = nullptr;
  bpf_object__for_each_map(map, object) {
    const bool is_ring = ::bpf_map__type(map) == BPF_MAP_TYPE_RINGBUF;
    const bool is_internal = std::strchr(::bpf_map__name(map), '.') != nullptr;  // .rodata, .bss
    if (is_ring) {
      handed.push_back({Kind::kRing, ::bpf_map__name(map), ::bpf_map__max_entries(map),
                        Duplicate(::bpf_map__fd(map))});
    } else if ((::bpf_map__map_flags(map) & BPF_F_MMAPABLE) != 0 && !is_internal) {
      handed.push_back(
          {Kind::kArray, ::bpf_map__name(map), MappedBytes(map), Duplicate(::bpf_map__fd(map))});
    }
  }
}

void HandPrograms(bpf_object* object, std::vector<Handed>& handed) {
  bpf_program* program = nullptr;
  bpf_object__for_each_program(program, object) {
    if (!::bpf_program__autoload(program)) {
      continue;
    }
    handed.push_back(
        {Kind::kProgram, ::bpf_program__name(program), 0, Duplicate(::bpf_program__fd(program))});
  }
}

// Attaches every program that was loaded but iterators, which run when they are read.
Result<void> AttachAll(bpf_object* object, std::vector<Handed>& handed) {
  bpf_program* program = nullptr;
  bpf_object__for_each_program(program, object) {
    if (!::bpf_program__autoload(program) ||
        std::string_view(::bpf_program__section_name(program)).starts_with("iter/")) {
      continue;
    }
    bpf_link* const link = ::bpf_program__attach(program);
    if (link == nullptr) {
      return Refused(std::string("attaching ") + ::bpf_program__name(program), -errno);
    }
    handed.push_back(
        {Kind::kLink, ::bpf_program__name(program), 0, Duplicate(::bpf_link__fd(link))});
    ::bpf_link__destroy(link);  // the duplicate keeps it attached
  }
  return {};
}

// Runs an iterator to its end; it writes nothing.
Result<void> RunIterator(const bpf_program* program) {
  bpf_link* const link = ::bpf_program__attach_iter(program, nullptr);
  if (link == nullptr) {
    return Refused("looking for processes that run already", -errno);
  }
  const Descriptor iterator(::bpf_iter_create(::bpf_link__fd(link)));
  ::bpf_link__destroy(link);
  char none[1];
  while (iterator.IsOpen() && ::read(iterator.Get(), none, sizeof(none)) > 0) {
  }
  return {};
}

Result<std::vector<Handed>> HandAll(bpf_object* object) {
  std::vector<Handed> handed;
  HandMaps(object, handed);
  HandPrograms(object, handed);
  if (const auto attached = AttachAll(object, handed); !attached) {
    return attached.error();
  }
  return handed;
}

Result<std::vector<Handed>> Load(const BlockRequest& request) {
  const std::unique_ptr<block_bpf, decltype(&block_bpf::destroy)> skeleton(block_bpf::open(),
                                                                           &block_bpf::destroy);
  if (!skeleton) {
    return Refused("opening the block programs", -errno);
  }
  const auto cpus = PossibleCpus();
  skeleton->rodata->cpus = cpus;
  skeleton->rodata->max_devices = request.max_devices;
  ::bpf_map__set_max_entries(skeleton->maps.cells,
                             (cpus + 1) * request.max_devices * kBlockOperations);
  ::bpf_map__set_max_entries(skeleton->maps.devices, request.max_devices);
  if (const int failed = block_bpf::load(skeleton.get()); failed != 0) {
    return Refused("loading the block programs", failed);
  }
  return HandAll(skeleton->obj);
}

void SetConstants(const SyscallRequest& request, syscall_bpf& skeleton) {
  auto& constants = *skeleton.rodata;
  const bool log = request.ring_bytes != 0;
  const auto rows = MakeSyscallRows(log);
  static_assert(sizeof(constants.rows) == sizeof(rows));
  std::memcpy(&constants.rows, rows.data(), sizeof(rows));
  const auto targets = std::min<std::size_t>(request.targets.size(), kMaxTargets);
  for (std::size_t i = 0; i < targets; ++i) {
    const auto& target = request.targets[i];
    target.name.copy(&constants.targets[i].name[0], kCommBytes - 1);
    constants.targets[i].pid = target.pid;
    constants.targets[i].is_client = target.is_client ? 1 : 0;
  }
  constants.target_count = static_cast<std::uint32_t>(targets);
  const auto cgroups = std::min<std::size_t>(request.cgroups.size(), kMaxCgroups);
  std::copy_n(request.cgroups.begin(), cgroups, &constants.cgroups[0]);
  constants.cgroup_count = static_cast<std::uint32_t>(cgroups);
  constants.network_namespace = request.network_namespace;
  constants.thread_mask = std::bit_ceil(request.max_threads) - 1;
  constants.log_events = log;
}

Result<std::vector<Handed>> Load(const SyscallRequest& request) {
  const std::unique_ptr<syscall_bpf, decltype(&syscall_bpf::destroy)> skeleton(
      syscall_bpf::open(), &syscall_bpf::destroy);
  if (!skeleton) {
    return Refused("opening the syscall programs", -errno);
  }
  SetConstants(request, *skeleton);
  const auto targets = skeleton->rodata->target_count;
  ::bpf_map__set_max_entries(skeleton->maps.cells, PossibleCpus() * targets);
  ::bpf_map__set_max_entries(skeleton->maps.errors, targets * kOperations * kTargets);
  ::bpf_map__set_max_entries(skeleton->maps.threads, std::bit_ceil(request.max_threads));
  if (request.ring_bytes != 0) {
    ::bpf_map__set_max_entries(skeleton->maps.events, request.ring_bytes);
  } else {
    ::bpf_program__set_autoload(skeleton->progs.syscall_signal, false);
  }
  if (const int failed = syscall_bpf::load(skeleton.get()); failed != 0) {
    return Refused("loading the syscall programs", failed);
  }
  auto handed = HandAll(skeleton->obj);
  if (handed) {
    // After attaching: a process that starts meanwhile is found by the one or the other.
    if (const auto found = RunIterator(skeleton->progs.syscall_find); !found) {
      return found.error();
    }
  }
  return handed;
}

}  // namespace

Result<std::vector<Handed>> LoadObject(const Request& request) {
  ::libbpf_set_print(Keep);
  ::libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
  if (const auto fit = CheckKernel(); !fit) {
    return fit.error();
  }
  return std::visit([](const auto& one) { return Load(one); }, request);
}

}  // namespace limpet::bpf
