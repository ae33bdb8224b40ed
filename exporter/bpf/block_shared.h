// block_shared.h: what block.bpf.c counts, as the exporter reads it in mapped memory.
//
// Units:   nanoseconds of CLOCK_MONOTONIC, bytes, requests. All sums since loading.
// Threads: the kernel writes while the exporter reads; each number is read whole, two of them may
//          be a request apart.
#ifndef LIMPET_EXPORTER_BPF_BLOCK_SHARED_H_
#define LIMPET_EXPORTER_BPF_BLOCK_SHARED_H_

#include "exporter/bpf/histogram_shared.h"

#ifndef __bpf__
#include <linux/types.h>
#endif

enum BlockOperation {
  kBlockRead,
  kBlockWrite,
  kBlockFlush,
  kBlockDiscard,
  kBlockOperations,
};

enum BlockSize {
  kBlockSmall,  // at most kSmallBytes
  kBlockLarge,
  kBlockSizes,
};

enum {
  kDepthClasses = 7,      // 1, 2-3, 4-7, … 64 and more
  kShallowDepth = 2,      // at most this many requests at the device, itself included
  kQueueIds = 8192,       // request_queue.id is the smallest free number
  kRequestSlots = 32768,  // requests at devices at a time, of the whole machine
  kRequestProbes = 8,     // places looked at for one request
  kSmallBytes = 65536,    // the largest request that counts as small
};

// One operation of one device on one CPU. The array is [row][device][operation]; the rows are the
// CPUs and one more, kept by the program that runs where the other one could not.
struct BlockCell {
  __u64 queue_ns;    // from the request's allocation until it was issued to the driver
  __u64 device_ns;   // from then until it was complete
  __u64 total_ns;    // both, as diskstats counts
  __u64 shallow_ns;  // device time of requests issued at kShallowDepth or less
  __u64 bytes;
  // Sums by BlockSize: total time, and of how many requests. Both are counted, neither is a
  // difference: one that is read a request too early would fall afterwards.
  __u64 sized_ns[kBlockSizes];
  __u64 sized[kBlockSizes];
  __u64 queue[kTimeBuckets];
  __u64 device[kTimeBuckets];
  __u64 total[kTimeBuckets];
  __u64 shallow[kTimeBuckets];
  __u64 size[kSizeBuckets];
};

struct BlockDevice {
  __u32 device;      // major << 20 | minor; 0: not in use
  __u32 generation;  // how many devices have had this place
  __u32 in_flight;   // issued and not complete
  __u32 unused;
  __u64 changed_ns;               // when in_flight last changed
  __u64 depth_ns[kDepthClasses];  // time at each depth up to changed_ns
};

enum BlockDrop {
  kBlockDropDevices,   // a request of a device that had no place
  kBlockDropRequests,  // a request that had no place among those in flight
  kBlockDropUnseen,    // completed, but issued before loading or while the program could not run
  kBlockDrops,
};

#endif  // LIMPET_EXPORTER_BPF_BLOCK_SHARED_H_
