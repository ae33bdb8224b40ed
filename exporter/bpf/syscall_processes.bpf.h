// syscall_processes.bpf.h: which processes are followed. For syscall.bpf.c alone.
#ifndef LIMPET_EXPORTER_BPF_SYSCALL_PROCESSES_BPF_H_
#define LIMPET_EXPORTER_BPF_SYSCALL_PROCESSES_BPF_H_

#include "exporter/bpf/kernel_types.h"
// kernel_types.h first: libbpf's headers use its types.
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "exporter/bpf/syscall_maps.bpf.h"

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

#endif  // LIMPET_EXPORTER_BPF_SYSCALL_PROCESSES_BPF_H_
