// syscall_descriptors.bpf.h: what a descriptor is, and the far end of a connection. For
// syscall.bpf.c alone.
//
// It is looked up in the calling thread's own table at each call. So there is nothing to follow
// through open, dup, fork or a descriptor sent over a socket, nothing to lose, and descriptors
// older than the program are as good as any.
#ifndef LIMPET_EXPORTER_BPF_SYSCALL_DESCRIPTORS_BPF_H_
#define LIMPET_EXPORTER_BPF_SYSCALL_DESCRIPTORS_BPF_H_

#include "exporter/bpf/kernel_types.h"
// kernel_types.h first: libbpf's headers use its types.
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "exporter/bpf/syscall_maps.bpf.h"

enum {
  S_IFMT = 0170000,
  S_IFSOCK = 0140000,
  S_IFREG = 0100000,
  S_IFBLK = 0060000,
  S_IFDIR = 0040000,
  AF_INET = 2,
  AF_INET6 = 10,
};

// Regular files that are no storage: procfs, sysfs, cgroups, debugfs, tracefs, securityfs.
static __always_inline bool IsKernelsOwn(unsigned long magic) {
  return magic == 0x9fa0 || magic == 0x62656572 || magic == 0x63677270 || magic == 0x27e0eb ||
         magic == 0x64626720 || magic == 0x74726163 || magic == 0x73636673;
}

static __always_inline struct file* FindFile(__u32 fd) {
  struct task_struct* const task = bpf_get_current_task_btf();
  struct files_struct* const files = task->files;
  if (!files) {
    return 0;
  }
  struct fdtable* const table = files->fdt;
  if (!table || fd >= table->max_fds) {
    return 0;
  }
  struct file* file = 0;
  bpf_probe_read_kernel(&file, sizeof(file), table->fd + fd);
  return file;
}

static __always_inline __u32 Classify(struct file* file) {
  if (!file) {
    return kTargetOther;
  }
  struct inode* const inode = BPF_CORE_READ(file, f_inode);
  const __u32 type = BPF_CORE_READ(inode, i_mode) & S_IFMT;
  if (type == S_IFSOCK) {
    struct socket* const socket = BPF_CORE_READ(file, private_data);
    const __u32 family = BPF_CORE_READ(socket, sk, __sk_common.skc_family);
    return family == AF_INET || family == AF_INET6 ? kTargetNetwork : kTargetOther;
  }
  if (type == S_IFREG) {
    return IsKernelsOwn(BPF_CORE_READ(inode, i_sb, s_magic)) ? kTargetOther : kTargetStorage;
  }
  return type == S_IFBLK || type == S_IFDIR ? kTargetStorage : kTargetOther;
}

// Classify that remembers the thread's last file of storage: a program reads one many times. A
// file and an inode at the same two addresses as before are the same kind of thing, even if they
// are others by now; connections are looked at each time, for their peer.
static __always_inline __u32 ClassifyAgain(struct ThreadCall* thread, struct file* file) {
  enum { kLastFile = 1, kLastInode = 2 };  // places among the arguments, which only the log needs
  if (log_events || !file) {
    return Classify(file);
  }
  const __u64 inode = (__u64)BPF_CORE_READ(file, f_inode);
  if (thread->arguments[kLastFile] == (__u64)file && thread->arguments[kLastInode] == inode) {
    return kTargetStorage;
  }
  const __u32 about = Classify(file);
  if (about == kTargetStorage) {
    thread->arguments[kLastFile] = (__u64)file;
    thread->arguments[kLastInode] = inode;
  }
  return about;
}

struct Remote {
  __u32 address[4];
  __u32 port;
  __u32 family;
};

static __always_inline bool ReadRemote(struct sock* sock, struct Remote* remote) {
  remote->family = BPF_CORE_READ(sock, __sk_common.skc_family);
  remote->port = __builtin_bswap16(BPF_CORE_READ(sock, __sk_common.skc_dport));
  if (remote->family == AF_INET) {
    remote->address[0] = 0;
    remote->address[1] = 0;
    remote->address[2] = __builtin_bswap32(0xffff);
    remote->address[3] = BPF_CORE_READ(sock, __sk_common.skc_daddr);
    return remote->port != 0;
  }
  if (remote->family == AF_INET6) {
    BPF_CORE_READ_INTO(&remote->address, sock, __sk_common.skc_v6_daddr.in6_u.u6_addr32);
    return remote->port != 0;
  }
  return false;
}

#endif  // LIMPET_EXPORTER_BPF_SYSCALL_DESCRIPTORS_BPF_H_
