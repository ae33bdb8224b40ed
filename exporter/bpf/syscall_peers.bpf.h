// syscall_peers.bpf.h: the servers that clients speak to, a place each. For syscall.bpf.c alone.
#ifndef LIMPET_EXPORTER_BPF_SYSCALL_PEERS_BPF_H_
#define LIMPET_EXPORTER_BPF_SYSCALL_PEERS_BPF_H_

#include "exporter/bpf/kernel_types.h"
// kernel_types.h first: libbpf's headers use its types.
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "exporter/bpf/syscall_descriptors.bpf.h"
#include "exporter/bpf/syscall_maps.bpf.h"

enum { kPeerUseNs = 1000000000 };

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

// The place must have state 1, so that nothing else writes to it.
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

#endif  // LIMPET_EXPORTER_BPF_SYSCALL_PEERS_BPF_H_
