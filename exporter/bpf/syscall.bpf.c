// syscall.bpf.c: system calls of chosen processes, timed and counted in the kernel.
#include "exporter/bpf/kernel_types.h"
// kernel_types.h first: libbpf's headers use its types.
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "exporter/bpf/histogram.bpf.h"
#include "exporter/bpf/syscall_descriptors.bpf.h"
#include "exporter/bpf/syscall_maps.bpf.h"
#include "exporter/bpf/syscall_peers.bpf.h"
#include "exporter/bpf/syscall_processes.bpf.h"
#include "exporter/bpf/syscall_shared.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

// --- Which processes.

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

// As a thread takes it: its own handler, or what the kernel does by default. Loaded for the event
// log alone.
SEC("tp_btf/signal_deliver")
int BPF_PROG(syscall_signal, int number) {
  const __u64 id = bpf_get_current_pid_tgid();
  if (!FindFollowed(id >> 32)) {
    return 0;
  }
  struct SyscallEvent* const event = bpf_ringbuf_reserve(&events, sizeof(struct SyscallEvent), 0);
  if (!event) {
    Drop(kSyscallDropEvents);
    return 0;
  }
  __builtin_memset(event, 0, sizeof(*event));
  event->started_ns = bpf_ktime_get_ns();
  event->result = number;
  event->tid = id;
  event->tgid = id >> 32;
  event->number = kSignalNumber;
  bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
  return 0;
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
