// syscall.bpf.c: system calls of chosen processes, timed and counted in the kernel.
//
// What a descriptor is, the program looks up in the calling thread's own table at each call. So
// there is nothing to follow through open, dup, fork or a descriptor sent over a socket, nothing to
// lose, and descriptors older than the program are as good as any.
#include "exporter/bpf/kernel_types.h"
// kernel_types.h first: libbpf's headers use its types.
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "exporter/bpf/histogram.bpf.h"
#include "exporter/bpf/syscall_shared.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

// Constants when the program is loaded: the verifier leaves out what they exclude.
const volatile struct SyscallRow rows[kSyscallNumbers] = {};
const volatile struct TargetChoice targets[kMaxTargets] = {};
const volatile __u32 target_count = 1;
const volatile __u64 cgroups[kMaxCgroups] = {};
const volatile __u32 cgroup_count = 0;
const volatile __u32 network_namespace = 0;  // 0: any
const volatile __u32 thread_mask = 0;
const volatile bool log_events = false;

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct SyscallCell);
} cells SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct ErrorCell);
} errors SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct ThreadCall);
} threads SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, kPeers);
  __type(key, __u32);
  __type(value, struct Peer);
} peers SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct SyscallTotals);
} totals SEC(".maps");

// The processes that are followed, by the low bits of their number: one look tells the calls of
// everybody else apart, which is nearly all that this program ever sees.
struct Followed {
  __u32 tgid;
  __u32 target;  // index + 1, and kByPid
};
enum { kByPid = 1U << 31 };

struct FollowedLine {
  struct Followed entries[kFollowedPerLine];
};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, kFollowedLines);
  __type(key, __u32);
  __type(value, struct FollowedLine);
} followed SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} events SEC(".maps");

enum { kPeerUseNs = 1000000000 };

static __always_inline struct SyscallTotals* Totals(void) {
  __u32 zero = 0;
  return bpf_map_lookup_elem(&totals, &zero);
}

static __always_inline void Drop(__u32 reason) {
  struct SyscallTotals* const all = Totals();
  if (all && reason < kSyscallDrops) {
    __sync_fetch_and_add(&all->drops[reason], 1);
  }
}

// --- Which processes.

static __always_inline struct Followed* FindFollowed(__u32 tgid) {
  __u32 index = tgid & (kFollowedLines - 1);
  struct FollowedLine* const line = bpf_map_lookup_elem(&followed, &index);
  if (!line) {
    return 0;
  }
#pragma unroll
  for (int i = 0; i < kFollowedPerLine; ++i) {
    if (line->entries[i].tgid == tgid) {
      return &line->entries[i];
    }
  }
  return 0;
}

static __always_inline void CountProcess(__u32 target, __s32 change) {
  struct SyscallTotals* const all = Totals();
  const __u32 index = (target & ~kByPid) - 1;
  if (all && index < kMaxTargets) {
    __sync_fetch_and_add(&all->processes[index], change);
  }
}

static __always_inline void Unfollow(__u32 tgid) {
  struct Followed* const entry = FindFollowed(tgid);
  if (entry) {
    CountProcess(entry->target, -1);
    entry->tgid = 0;
  }
}

static __always_inline void Follow(__u32 tgid, __u32 target) {
  struct Followed* const known = FindFollowed(tgid);
  if (known) {
    if (known->target != target) {
      CountProcess(known->target, -1);
      CountProcess(target, 1);
      known->target = target;
    }
    return;
  }
  __u32 index = tgid & (kFollowedLines - 1);
  struct FollowedLine* const line = bpf_map_lookup_elem(&followed, &index);
  if (!line) {
    return;
  }
#pragma unroll
  for (int i = 0; i < kFollowedPerLine; ++i) {
    if (__sync_val_compare_and_swap(&line->entries[i].tgid, 0, tgid) == 0) {
      line->entries[i].target = target;
      CountProcess(target, 1);
      return;
    }
  }
  Drop(kSyscallDropProcesses);
}

static __always_inline bool IsName(const char* comm, const volatile char* name) {
#pragma unroll
  for (int i = 0; i < kCommBytes; ++i) {
    if (comm[i] != name[i]) {
      return false;
    }
    if (comm[i] == 0) {
      return i != 0;  // an empty name is none
    }
  }
  return true;
}

static __always_inline bool IsInCgroup(struct task_struct* task) {
  if (cgroup_count == 0) {
    return true;
  }
  struct cgroup* group = BPF_CORE_READ(task, cgroups, dfl_cgrp);
  for (int level = 0; level < kCgroupLevels && group; ++level) {
    const __u64 id = BPF_CORE_READ(group, kn, id);
    for (__u32 i = 0; i < kMaxCgroups && i < cgroup_count; ++i) {
      if (cgroups[i] == id) {
        return true;
      }
    }
    struct cgroup_subsys_state* const parent = BPF_CORE_READ(group, self.parent);
    group = parent ? BPF_CORE_READ(parent, cgroup) : 0;
  }
  return false;
}

// The target a process belongs to, as Followed holds it; 0: none.
static __always_inline __u32 Match(struct task_struct* task, const char* comm) {
  __u32 found = 0;
  for (__u32 i = 0; i < kMaxTargets && i < target_count; ++i) {
    if (targets[i].pid != 0 && targets[i].pid == (__u32)task->tgid) {
      return (i + 1) | kByPid;
    }
    if (found == 0 && targets[i].pid == 0 && IsName(comm, targets[i].name)) {
      found = i + 1;
    }
  }
  if (found == 0 || (network_namespace != 0 &&
                     BPF_CORE_READ(task, nsproxy, net_ns, ns.inum) != network_namespace)) {
    return 0;
  }
  return IsInCgroup(task) ? found : 0;
}

// Those that run already, once after loading.
SEC("iter/task")
int syscall_find(struct bpf_iter__task* context) {
  struct task_struct* const task = context->task;
  if (!task || task->pid != task->tgid) {
    return 0;
  }
  char comm[kCommBytes] = {};
  bpf_probe_read_kernel_str(comm, sizeof(comm), &task->comm);
  const __u32 target = Match(task, comm);
  if (target != 0) {
    Follow(task->tgid, target);
  }
  return 0;
}

// At every exec, and when a program names itself: the name is what it is chosen by.
SEC("tp_btf/task_rename")
int BPF_PROG(syscall_rename, struct task_struct* task, const char* name) {
  if (task->pid != task->tgid) {
    return 0;  // a thread's own name
  }
  char comm[kCommBytes] = {};
  bpf_probe_read_kernel_str(comm, sizeof(comm), name);
  const __u32 target = Match(task, comm);
  if (target != 0) {
    Follow(task->tgid, target);
    return 0;
  }
  struct Followed* const entry = FindFollowed(task->tgid);
  // Chosen by number: it and its children stay, whatever they become.
  if (entry && !(entry->target & kByPid)) {
    Unfollow(task->tgid);
  }
  return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(syscall_fork, struct task_struct* parent, struct task_struct* child) {
  if (child->pid != child->tgid) {
    return 0;
  }
  struct Followed* const entry = FindFollowed(parent->tgid);
  if (entry) {
    Follow(child->tgid, entry->target);
  }
  return 0;
}

static __always_inline struct ThreadCall* FindThread(__u32 tid) {
#pragma unroll
  for (__u32 i = 0; i < kThreadProbes; ++i) {
    __u32 index = (tid + i) & thread_mask;
    struct ThreadCall* const thread = bpf_map_lookup_elem(&threads, &index);
    if (thread && thread->tid == tid) {
      return thread;
    }
  }
  return 0;
}

// Only the thread itself takes and frees its place, so nobody else looks for the same number.
static __always_inline struct ThreadCall* ClaimThread(__u32 tid) {
#pragma unroll
  for (__u32 i = 0; i < kThreadProbes; ++i) {
    __u32 index = (tid + i) & thread_mask;
    struct ThreadCall* const thread = bpf_map_lookup_elem(&threads, &index);
    if (thread && thread->tid == 0 && __sync_val_compare_and_swap(&thread->tid, 0, tid) == 0) {
      return thread;
    }
  }
  return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(syscall_gone, struct task_struct* task) {
  if (!FindFollowed(task->tgid)) {
    return 0;
  }
  struct ThreadCall* const thread = FindThread(task->pid);
  if (thread) {
    thread->started_ns = 0;
    thread->arguments[1] = 0;
    thread->tid = 0;
  }
  if (task->signal->live.counter == 0) {  // the last thread
    Unfollow(task->tgid);
  }
  return 0;
}

// --- What a descriptor is.

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

// As Classify, but remembers the thread's last file of storage: a program reads one many times. A
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

// A connection that was accepted is a copy of the socket that listens, the length of its queue
// included; one that was made has none (net/core/sock.c, sk_clone_lock).
static __always_inline bool IsAccepted(struct sock* sock) {
  return BPF_CORE_READ(sock, sk_max_ack_backlog) != 0;
}

static __always_inline bool IsPeer(struct Peer* peer, struct Remote* remote, __u32 target) {
  return peer->state == 2 && peer->port == remote->port && peer->target == target &&
         peer->address[3] == remote->address[3] && peer->address[2] == remote->address[2] &&
         peer->address[1] == remote->address[1] && peer->address[0] == remote->address[0];
}

// Of a place whose state is 1, so that nobody else writes to it.
static __always_inline void FillPeer(struct Peer* peer, struct Remote* remote, __u32 target,
                                     __u64 now) {
  peer->target = target;
  peer->address[0] = remote->address[0];
  peer->address[1] = remote->address[1];
  peer->address[2] = remote->address[2];
  peer->address[3] = remote->address[3];
  peer->port = remote->port;
  peer->used_ns = now;
  // An exchange orders the stores above before it: who sees 2 sees them.
  __sync_lock_test_and_set(&peer->state, 2);
}

static __always_inline void TakePeer(struct ThreadCall* thread, struct Peer* peer, __u32 index) {
  thread->peer = index + 1;
  thread->generation = peer->generation;
}

// `number` is its place plus one.
static __always_inline void ReplacePeer(struct ThreadCall* thread, __u32 number,
                                        struct Remote* remote, __u32 target, __u64 now) {
  __u32 index = number - 1;
  struct Peer* const peer = bpf_map_lookup_elem(&peers, &index);
  if (!peer || __sync_val_compare_and_swap(&peer->state, 2, 1) != 2) {
    Drop(kSyscallDropPeers);
    return;
  }
  peer->generation += 1;
#pragma unroll
  for (int i = 0; i < kPeerActions; ++i) {
    peer->completed_ns[i] = 0;
  }
#pragma unroll
  for (int i = 0; i < kPeerFailures; ++i) {
    peer->failures[i] = 0;
  }
  FillPeer(peer, remote, target, now);
  TakePeer(thread, peer, index);
  Drop(kSyscallDropReplaced);
}

// The place of the far end of a connection that the client has made, for `thread`; none where it is
// not connected or was accepted.
static __always_inline void FindPeer(struct ThreadCall* thread, struct file* file, __u32 target,
                                     __u64 now) {
  struct socket* const socket = BPF_CORE_READ(file, private_data);
  struct sock* const sock = BPF_CORE_READ(socket, sk);
  struct Remote remote = {};
  if (IsAccepted(sock) || !ReadRemote(sock, &remote)) {
    return;
  }
  const __u64 mixed = ((__u64)(remote.address[0] ^ remote.address[1] ^ remote.address[2]) << 32 |
                       (remote.address[3] ^ remote.port << 16 ^ target)) *
                      0x9E3779B97F4A7C15ULL;
  const __u32 first = mixed >> 40;
  __u32 oldest = 0;  // plus one
  __u64 oldest_ns = ~0ULL;
#pragma unroll
  for (__u32 i = 0; i < kPeerProbes; ++i) {
    __u32 index = (first + i) & (kPeers - 1);
    struct Peer* const peer = bpf_map_lookup_elem(&peers, &index);
    if (!peer) {
      return;
    }
    if (peer->state == 0 && __sync_val_compare_and_swap(&peer->state, 0, 1) == 0) {
      FillPeer(peer, &remote, target, now);
      TakePeer(thread, peer, index);
      return;
    }
    if (IsPeer(peer, &remote, target)) {
      // Not at each call: the threads of a busy client would take the line from each other.
      if (now - peer->used_ns > kPeerUseNs) {
        peer->used_ns = now;
      }
      TakePeer(thread, peer, index);
      return;
    }
    if (peer->state == 2 && peer->used_ns < oldest_ns) {
      oldest = index + 1;
      oldest_ns = peer->used_ns;
    }
  }
  if (oldest != 0) {
    ReplacePeer(thread, oldest, &remote, target, now);
  } else {
    Drop(kSyscallDropPeers);
  }
}

// --- Calls.

static __always_inline __u64 Argument(struct pt_regs* regs, __u32 number) {
#if defined(__TARGET_ARCH_x86)
  switch (number) {
    case 1:
      return regs->di;
    case 2:
      return regs->si;
    case 3:
      return regs->dx;
    case 4:
      return regs->r10;
    case 5:
      return regs->r8;
    default:
      return regs->r9;
  }
#else
  switch (number) {
    case 1:
      return regs->orig_x0;
    case 2:
      return regs->regs[1];
    case 3:
      return regs->regs[2];
    case 4:
      return regs->regs[3];
    case 5:
      return regs->regs[4];
    default:
      return regs->regs[5];
  }
#endif
}

static __always_inline bool IsCompat(void) {
#if defined(__TARGET_ARCH_x86)
  struct task_struct* const task = bpf_get_current_task_btf();
  return task->thread_info.status & 2;  // TS_COMPAT: the numbers of 32-bit calls are others
#else
  return false;
#endif
}

SEC("tp_btf/sys_enter")
int BPF_PROG(syscall_enter, struct pt_regs* regs, long number) {
  const __u64 id = bpf_get_current_pid_tgid();
  const __u32 tid = id;
  struct Followed* const entry = FindFollowed(id >> 32);
  if (!entry || number < 0 || number >= kSyscallNumbers) {
    return 0;
  }
  const __u32 operation = rows[number & (kSyscallNumbers - 1)].operation;
  if (operation == kOperationNone) {
    return 0;
  }
  if (IsCompat()) {
    Drop(kSyscallDropCompat);
    return 0;
  }
  const __u32 target = (entry->target & ~kByPid) - 1;
  struct ThreadCall* thread = FindThread(tid);
  if (!thread) {
    thread = ClaimThread(tid);
  }
  if (!thread || target >= kMaxTargets) {
    Drop(kSyscallDropThreads);
    return 0;
  }
  const volatile struct SyscallRow* const row = &rows[number & (kSyscallNumbers - 1)];
  __u32 about = row->target;
  thread->peer = 0;
  // Reads and writes count by what they are on, and show while they hang; for other calls it is
  // enough to look when they fail.
  if (about == kTargetDescriptor && row->action != kActionNone) {
    struct file* const file = FindFile(Argument(regs, row->descriptor));
    about = ClassifyAgain(thread, file);
    if (about == kTargetNetwork && row->action != kActionConnect && targets[target].is_client) {
      FindPeer(thread, file, target, bpf_ktime_get_ns());
    }
  }
  thread->tgid = id >> 32;
  thread->target = target;
  thread->number = number;
  thread->about = about;
  thread->action = row->action;
  thread->operation = operation;
  if (log_events) {
    struct SyscallTotals* const all = Totals();
    thread->sequence = all ? __sync_fetch_and_add(&all->sequence, 1) : 0;
#pragma unroll
    for (int i = 0; i < 6; ++i) {
      thread->arguments[i] = Argument(regs, i + 1);
    }
  } else if (row->descriptor != 0) {
    thread->arguments[0] = Argument(regs, row->descriptor);
  }
  thread->started_ns = bpf_ktime_get_ns();
  return 0;
}

static __always_inline void CountPeer(struct ThreadCall* thread, long result, __u64 now) {
  __u32 index = thread->peer - 1;
  struct Peer* const peer = bpf_map_lookup_elem(&peers, &index);
  if (!peer || peer->generation != thread->generation) {
    return;  // it gave way while the call ran
  }
  const bool read = thread->action == kActionRead;
  if (result > 0 || (result == 0 && !read)) {
    peer->completed_ns[thread->action == kActionConnect ? kPeerConnect
                       : read                           ? kPeerRead
                                                        : kPeerWrite] = now;
    return;
  }
  __u32 failure = kPeerFailures;
  switch (result) {
    case 0:
      failure = kFailureEnd;
      break;
    case -111:
      failure = kFailureRefused;
      break;
    case -104:
      failure = kFailureReset;
      break;
    case -32:
      failure = kFailurePipe;
      break;
    case -110:
      failure = kFailureTimedOut;
      break;
    case -113:
      failure = kFailureUnreachable;
      break;
    case -107:
      failure = kFailureNotConnected;
      break;
    default:
      return;
  }
  __sync_fetch_and_add(&peer->failures[failure], 1);
}

static __always_inline void CountError(struct ThreadCall* thread, long result) {
  __u32 about = thread->about;
  if (about == kTargetDescriptor) {
    about = Classify(FindFile(thread->arguments[0]));
  }
  if (about >= kTargets) {
    about = kTargetOther;
  }
  const __u32 number = -result;
  const __u32 index = number < kErrnoRestart           ? number
                      : number >= 512 && number <= 516 ? kErrnoRestart
                                                       : kErrnoUnknown;
  __u32 key = (thread->target * kOperations + thread->operation) * kTargets + about;
  struct ErrorCell* const cell = bpf_map_lookup_elem(&errors, &key);
  if (cell && index < kErrnos) {
    __sync_fetch_and_add(&cell->counts[index], 1);
  }
}

static __always_inline void CountClass(struct SyscallCell* cell, struct ThreadCall* thread,
                                       long result, __u64 duration) {
  // A socket's read that found nothing, or its end, is no message.
  const __u32 network = thread->about == kTargetNetwork;
  if ((thread->about != kTargetStorage && !network) || (network && result == 0)) {
    return;
  }
  const __u32 class = network * 2 + (thread->action == kActionWrite);
  if (class < kClasses) {
    cell->classes[class].calls += 1;
    cell->classes[class].ns += duration;
    cell->classes[class].bytes += result;
  }
}

static __always_inline void Describe(struct DescriptorInfo* info, __u32 fd) {
  struct file* const file = FindFile(fd);
  if (!file) {
    return;
  }
  struct inode* const inode = BPF_CORE_READ(file, f_inode);
  info->mode = BPF_CORE_READ(inode, i_mode);
  info->device = BPF_CORE_READ(inode, i_sb, s_dev);
  info->inode = BPF_CORE_READ(inode, i_ino);
  if ((info->mode & S_IFMT) == S_IFSOCK) {
    struct socket* const socket = BPF_CORE_READ(file, private_data);
    struct Remote remote = {};
    ReadRemote(BPF_CORE_READ(socket, sk), &remote);
    info->family = remote.family;
    info->port = remote.port;
    __builtin_memcpy(info->address, remote.address, sizeof(info->address));
  }
}

static __always_inline void Log(struct ThreadCall* thread, long result, __u64 started, __u64 now) {
  struct SyscallEvent* const event = bpf_ringbuf_reserve(&events, sizeof(struct SyscallEvent), 0);
  if (!event) {
    Drop(kSyscallDropEvents);
    return;
  }
  __builtin_memset(event, 0, sizeof(*event));
  event->sequence = thread->sequence;
  event->started_ns = started;
  event->duration_ns = now - started;
  event->result = result;
  __builtin_memcpy(event->arguments, thread->arguments, sizeof(event->arguments));
  event->tid = thread->tid;
  event->tgid = thread->tgid;
  event->number = thread->number;
  event->target = thread->target;
  const volatile struct SyscallRow* const row = &rows[thread->number & (kSyscallNumbers - 1)];
  if (row->makes && result >= 0) {
    Describe(&event->descriptor, result);
  } else if (row->descriptor >= 1 && row->descriptor <= 6) {
    Describe(&event->descriptor, event->arguments[(row->descriptor - 1) & 7]);
  }
  if (row->path >= 1 && row->path <= 6) {
    bpf_probe_read_user_str(event->path, sizeof(event->path),
                            (const void*)event->arguments[(row->path - 1) & 7]);
  }
  // The reader looks several times a second by itself: waking it for each call would cost more
  // than everything else here.
  bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(syscall_exit, struct pt_regs* regs, long result) {
  const __u64 id = bpf_get_current_pid_tgid();
  struct Followed* const entry = FindFollowed(id >> 32);
  if (!entry) {
    return 0;
  }
  struct ThreadCall* const thread = FindThread(id);
  if (!thread || thread->started_ns == 0) {
    return 0;
  }
  const __u64 now = bpf_ktime_get_ns();
  const __u64 started = thread->started_ns;
  const __u64 duration = now > started ? now - started : 0;
  thread->started_ns = 0;
  const __u32 operation = thread->operation;
  __u32 index = bpf_get_smp_processor_id() * target_count + thread->target;
  struct SyscallCell* const cell = bpf_map_lookup_elem(&cells, &index);
  if (!cell || operation >= kOperations) {
    return 0;
  }
  // Not atomic: the kernel runs this program once at a time on a CPU, and the cell is the CPU's.
  cell->operations[operation].ns += duration;
  cell->operations[operation].buckets[TimeBucket(duration)] += 1;
  if (result < 0 && result >= -4095) {
    CountError(thread, result);
  } else if (thread->action == kActionRead || thread->action == kActionWrite) {
    CountClass(cell, thread, result, duration);
  }
  if (thread->action == kActionConnect && thread->about == kTargetNetwork &&
      thread->target < kMaxTargets && targets[thread->target].is_client) {
    // Its address is known only now.
    FindPeer(thread, FindFile(thread->arguments[0]), thread->target, now);
  }
  if (thread->peer != 0) {
    CountPeer(thread, result, now);
  }
  if (log_events) {
    Log(thread, result, started, now);
  }
  return 0;
}
