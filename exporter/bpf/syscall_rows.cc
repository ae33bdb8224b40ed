#include "exporter/bpf/syscall_rows.h"

#include <seccomp.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace limpet::bpf {
namespace {

struct NamedRow {
  std::string_view name;
  SyscallRow row;
};

constexpr NamedRow OnDescriptor(std::string_view name, SyscallOperation operation,
                                SyscallAction action = kActionNone) {
  return {name,
          {.operation = static_cast<__u8>(operation),
           .target = kTargetDescriptor,
           .action = static_cast<__u8>(action),
           .descriptor = 1}};
}

// `path`: which argument it is.
constexpr NamedRow OnPath(std::string_view name, SyscallOperation operation, __u8 path,
                          __u8 makes = 0) {
  return {name,
          {.operation = static_cast<__u8>(operation),
           .target = kTargetStorage,
           .path = path,
           .makes = makes}};
}

constexpr NamedRow On(std::string_view name, SyscallOperation operation, SyscallTarget target,
                      __u8 makes = 0) {
  return {name,
          {.operation = static_cast<__u8>(operation),
           .target = static_cast<__u8>(target),
           .makes = makes}};
}

// Waiting for others (poll, futex, sleep, wait) is no work and not counted; the event log has it.
constexpr auto kTransferRows = std::to_array<NamedRow>({
    OnDescriptor("read", kOperationRead, kActionRead),
    OnDescriptor("pread64", kOperationRead, kActionRead),
    OnDescriptor("readv", kOperationRead, kActionRead),
    OnDescriptor("preadv", kOperationRead, kActionRead),
    OnDescriptor("preadv2", kOperationRead, kActionRead),
    OnDescriptor("recvfrom", kOperationRead, kActionRead),
    OnDescriptor("recvmsg", kOperationRead, kActionRead),
    OnDescriptor("write", kOperationWrite, kActionWrite),
    OnDescriptor("pwrite64", kOperationWrite, kActionWrite),
    OnDescriptor("writev", kOperationWrite, kActionWrite),
    OnDescriptor("pwritev", kOperationWrite, kActionWrite),
    OnDescriptor("pwritev2", kOperationWrite, kActionWrite),
    OnDescriptor("sendto", kOperationWrite, kActionWrite),
    OnDescriptor("sendmsg", kOperationWrite, kActionWrite),
    OnDescriptor("sendfile", kOperationWrite, kActionWrite),
    // These return messages, not bytes, or move between two descriptors: counted as operations
    // only.
    OnDescriptor("recvmmsg", kOperationRead),
    OnDescriptor("sendmmsg", kOperationWrite),
    OnDescriptor("splice", kOperationRead),
    OnDescriptor("copy_file_range", kOperationRead),
});

constexpr auto kFileRows = std::to_array<NamedRow>({
    OnPath("open", kOperationOpen, 1, 1),
    OnPath("openat", kOperationOpen, 2, 1),
    OnPath("openat2", kOperationOpen, 2, 1),
    OnPath("creat", kOperationOpen, 1, 1),
    OnDescriptor("close", kOperationClose),
    OnPath("stat", kOperationStat, 1),
    OnPath("lstat", kOperationStat, 1),
    OnPath("newfstatat", kOperationStat, 2),
    OnPath("statx", kOperationStat, 2),
    OnDescriptor("fstat", kOperationStat),
    OnPath("access", kOperationStat, 1),
    OnPath("faccessat", kOperationStat, 2),
    OnPath("faccessat2", kOperationStat, 2),
    OnDescriptor("getdents", kOperationReaddir),
    OnDescriptor("getdents64", kOperationReaddir),
    OnDescriptor("fsync", kOperationFsync),
    OnDescriptor("fdatasync", kOperationFsync),
    OnDescriptor("sync_file_range", kOperationFsync),
    OnDescriptor("syncfs", kOperationFsync),
    OnPath("unlink", kOperationUnlink, 1),
    OnPath("unlinkat", kOperationUnlink, 2),
    OnPath("rename", kOperationRename, 1),
    OnPath("renameat", kOperationRename, 2),
    OnPath("renameat2", kOperationRename, 2),
    OnPath("mkdir", kOperationMkdir, 1),
    OnPath("mkdirat", kOperationMkdir, 2),
    OnPath("mknod", kOperationMkdir, 1),
    OnPath("mknodat", kOperationMkdir, 2),
    OnPath("rmdir", kOperationRmdir, 1),
});

constexpr auto kAttributeRows = std::to_array<NamedRow>({
    OnPath("link", kOperationLink, 1),
    OnPath("linkat", kOperationLink, 2),
    OnPath("symlink", kOperationLink, 1),
    OnPath("symlinkat", kOperationLink, 1),
    OnPath("readlink", kOperationReadlink, 1),
    OnPath("readlinkat", kOperationReadlink, 2),
    OnPath("truncate", kOperationTruncate, 1),
    OnDescriptor("ftruncate", kOperationTruncate),
    OnDescriptor("fallocate", kOperationAllocate),
    OnPath("getxattr", kOperationXattr, 1),
    OnPath("lgetxattr", kOperationXattr, 1),
    OnDescriptor("fgetxattr", kOperationXattr),
    OnPath("setxattr", kOperationXattr, 1),
    OnPath("lsetxattr", kOperationXattr, 1),
    OnDescriptor("fsetxattr", kOperationXattr),
    OnPath("listxattr", kOperationXattr, 1),
    OnPath("llistxattr", kOperationXattr, 1),
    OnDescriptor("flistxattr", kOperationXattr),
    OnPath("removexattr", kOperationXattr, 1),
    OnPath("lremovexattr", kOperationXattr, 1),
    OnDescriptor("fremovexattr", kOperationXattr),
    OnPath("chmod", kOperationChmod, 1),
    OnPath("fchmodat", kOperationChmod, 2),
    OnDescriptor("fchmod", kOperationChmod),
    OnPath("chown", kOperationChmod, 1),
    OnPath("lchown", kOperationChmod, 1),
    OnPath("fchownat", kOperationChmod, 2),
    OnDescriptor("fchown", kOperationChmod),
    OnPath("utimensat", kOperationChmod, 2),
    OnPath("statfs", kOperationStatfs, 1),
    OnDescriptor("fstatfs", kOperationStatfs),
    OnDescriptor("flock", kOperationLock),
});

constexpr auto kOtherRows = std::to_array<NamedRow>({
    OnDescriptor("connect", kOperationConnect, kActionConnect),
    {"accept",
     {.operation = kOperationAccept, .target = kTargetDescriptor, .descriptor = 1, .makes = 1}},
    {"accept4",
     {.operation = kOperationAccept, .target = kTargetDescriptor, .descriptor = 1, .makes = 1}},
    On("socket", kOperationSocket, kTargetNetwork, 1),
    On("mmap", kOperationMmap, kTargetMemory),
    On("brk", kOperationMmap, kTargetMemory),
    On("mremap", kOperationMmap, kTargetMemory),
    On("clone", kOperationClone, kTargetOther),
    On("clone3", kOperationClone, kTargetOther),
    On("fork", kOperationClone, kTargetOther),
    On("vfork", kOperationClone, kTargetOther),
    // libaio hands requests over and collects them later: errors and hangs of the handing over
    // show, the requests' own time does not. io_getevents waits for others.
    On("io_submit", kOperationOther, kTargetStorage),
});

// Only the event log looks at these; there, what their descriptor is matters.
constexpr auto kLogRows = std::to_array<NamedRow>({
    On("dup", kOperationOther, kTargetOther, 1),
    On("dup2", kOperationOther, kTargetOther, 1),
    On("dup3", kOperationOther, kTargetOther, 1),
    OnDescriptor("fcntl", kOperationOther),
    OnDescriptor("ioctl", kOperationOther),
    OnDescriptor("lseek", kOperationOther),
    OnDescriptor("shutdown", kOperationOther),
    OnDescriptor("bind", kOperationOther),
    OnDescriptor("listen", kOperationOther),
    OnPath("chdir", kOperationOther, 1),
    OnPath("execve", kOperationOther, 1),
    On("epoll_create1", kOperationOther, kTargetOther, 1),
    On("eventfd2", kOperationOther, kTargetOther, 1),
    On("memfd_create", kOperationOther, kTargetOther, 1),
    On("timerfd_create", kOperationOther, kTargetOther, 1),
    On("inotify_init1", kOperationOther, kTargetOther, 1),
});

constexpr std::array<std::span<const NamedRow>, 4> kCountedRows = {kTransferRows, kFileRows,
                                                                   kAttributeRows, kOtherRows};

constexpr std::array<std::string_view, kOperations> kOperationNames = {
    "none",   "read",  "write",   "open",   "close",    "stat",     "readdir",  "fsync", "unlink",
    "rename", "mkdir", "rmdir",   "link",   "readlink", "truncate", "allocate", "xattr", "chmod",
    "statfs", "lock",  "connect", "accept", "socket",   "mmap",     "clone",    "other"};

void Place(SyscallRows& rows, std::span<const NamedRow> named) {
  for (const auto& [name, row] : named) {
    // Negative: a call that this architecture does not have.
    const int number = ::seccomp_syscall_resolve_name(std::string(name).c_str());
    if (number >= 0 && number < kSyscallNumbers) {
      rows[static_cast<std::size_t>(number)] = row;
    }
  }
}

}  // namespace

SyscallRows MakeSyscallRows(bool all) {
  SyscallRows rows{};
  if (all) {
    rows.fill({.operation = kOperationOther, .target = kTargetOther});
    Place(rows, kLogRows);
  }
  for (const auto named : kCountedRows) {
    Place(rows, named);
  }
  return rows;
}

std::optional<SyscallRow> FindSyscallRow(std::string_view name) {
  const auto find = [&](std::span<const NamedRow> rows) -> std::optional<SyscallRow> {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const NamedRow& one) { return one.name == name; });
    return found == rows.end() ? std::nullopt : std::optional(found->row);
  };
  for (const auto rows : kCountedRows) {
    if (const auto row = find(rows)) {
      return row;
    }
  }
  return find(kLogRows);
}

std::string SyscallName(std::uint32_t number) {
  char* const name = ::seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, static_cast<int>(number));
  if (name == nullptr) {
    return "unknown:" + std::to_string(number);
  }
  std::string text(name);
  std::free(name);  // NOLINT: libseccomp's malloc
  return text;
}

std::string_view OperationName(std::uint32_t operation) {
  return operation < kOperationNames.size() ? kOperationNames[operation] : "unknown";
}

std::string ErrnoName(std::uint32_t index) {
  if (index == kErrnoRestart) {
    return "ERESTART";
  }
  const char* const name = ::strerrorname_np(static_cast<int>(index));
  return name == nullptr ? "unknown:" + std::to_string(index) : name;
}

}  // namespace limpet::bpf
