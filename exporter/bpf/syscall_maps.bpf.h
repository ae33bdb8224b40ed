// syscall_maps.bpf.h: what the programs of system calls are told when loaded, and where they
// count. For syscall.bpf.c alone.
#ifndef LIMPET_EXPORTER_BPF_SYSCALL_MAPS_BPF_H_
#define LIMPET_EXPORTER_BPF_SYSCALL_MAPS_BPF_H_

#include "exporter/bpf/kernel_types.h"
// kernel_types.h first: libbpf's headers use its types.
#include <bpf/bpf_helpers.h>

#include "exporter/bpf/syscall_shared.h"

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

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} events SEC(".maps");

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

#endif  // LIMPET_EXPORTER_BPF_SYSCALL_MAPS_BPF_H_
