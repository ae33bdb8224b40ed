// block.bpf.c: time of block requests in the queue and at the device, counted in the kernel.
//
// Every device with a request queue is counted. Stacked ones made of bios (dm, md) have no
// requests of their own: their disks show. Passthrough requests, which diskstats does not count
// either, and requests of queues without a disk are left out.
#include "exporter/bpf/kernel_types.h"
// kernel_types.h first: libbpf's headers use its types.
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "exporter/bpf/block_shared.h"
#include "exporter/bpf/histogram.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile __u32 cpus = 1;
const volatile __u32 max_devices = 1;

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct BlockCell);
} cells SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct BlockDevice);
} devices SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, kBlockDrops);
  __type(key, __u32);
  __type(value, __u64);
} drops SEC(".maps");

// Place of a queue's device plus one, by request_queue.id; 0: none yet.
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, kQueueIds);
  __type(key, __u32);
  __type(value, __u32);
} places SEC(".maps");

// The requests at devices: a table of open addresses rather than a hash map, whose locks and
// allocations cost several times as much for each request.
struct Issued {
  __u64 request;  // its address; 0: free
  __u64 at_ns;
  __u32 place;
  __u32 bytes;
  __u32 shallow;
  __u32 unused;
};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, kRequestSlots);
  __type(key, __u32);
  __type(value, struct Issued);
} requests SEC(".maps");

__u32 next_place = 0;

static __always_inline void Drop(__u32 reason) {
  __u64* const count = bpf_map_lookup_elem(&drops, &reason);
  if (count) {
    __sync_fetch_and_add(count, 1);
  }
}

// As diskstats sorts them (op_stat_group), with flushes apart.
static __always_inline __u32 Operation(__u32 cmd_flags) {
  const __u32 operation = cmd_flags & 0xff;
  if (operation >= 34) {
    return kBlockOperations;  // REQ_OP_DRV_IN and _OUT: passthrough
  }
  if (operation == 2) {
    return kBlockFlush;
  }
  if (operation == 3) {
    return kBlockDiscard;
  }
  return operation & 1 ? kBlockWrite : kBlockRead;
}

// The place of a queue's device plus one; 0 when there is none left.
static __always_inline __u32 FindPlace(struct request_queue* queue, __u32 device) {
  __u32 id = queue->id;
  __u32* const entry = bpf_map_lookup_elem(&places, &id);
  if (!entry) {
    return 0;
  }
  __u32 place = *entry;
  if (place == 0) {
    // Another CPU may see the same new device now: only one of them gives it a place.
    const __u32 fresh =
        next_place < max_devices ? __sync_fetch_and_add(&next_place, 1) : max_devices;
    if (fresh >= max_devices) {
      return 0;
    }
    const __u32 before = __sync_val_compare_and_swap(entry, 0, fresh + 1);
    place = before ? before : fresh + 1;
  }
  __u32 index = place - 1;
  struct BlockDevice* const known = bpf_map_lookup_elem(&devices, &index);
  if (!known) {
    return 0;
  }
  const __u32 before = known->device;
  if (before != device && __sync_val_compare_and_swap(&known->device, before, device) == before) {
    known->generation += 1;
    if (before != 0) {
      // The queue's number has gone to another device: a disk was unplugged and one plugged in.
      known->in_flight = 0;
    }
  }
  return place;
}

static __always_inline __u32 DepthClass(__u32 depth) {
  return depth >= 64   ? 6
         : depth >= 32 ? 5
         : depth >= 16 ? 4
         : depth >= 8  ? 3
         : depth >= 4  ? 2
         : depth >= 2  ? 1
                       : 0;
}

// Adds `change` to the requests at the device; returns how many there are now.
static __always_inline __u32 ChangeDepth(__u32 place, __s32 change, __u64 now) {
  __u32 index = place - 1;
  struct BlockDevice* const device = bpf_map_lookup_elem(&devices, &index);
  if (!device) {
    return 0;
  }
  const __u64 before = __sync_lock_test_and_set(&device->changed_ns, now);
  const __u32 depth = __sync_fetch_and_add(&device->in_flight, change);
  // Clocks of two CPUs may differ by a little; nothing is at a negative depth (a device that was
  // exchanged while requests of the old one came back).
  if (depth != 0 && depth < (1U << 31) && now > before) {
    const __u32 class = DepthClass(depth);
    if (class < kDepthClasses) {
      __sync_fetch_and_add(&device->depth_ns[class], now - before);
    }
  }
  return depth + change;
}

// The address of the request as a number: the verifier forbids arithmetic with a pointer.
static __always_inline __u64 Address(void* context) {
  __u64 address = 0;
  bpf_probe_read_kernel(&address, sizeof(address), context);
  return address;
}

static __always_inline __u32 FirstProbe(__u64 request) {
  // Requests are slabs of hundreds of bytes; the golden ratio spreads their addresses.
  return (__u32)((request >> 6) * 0x9E3779B97F4A7C15ULL >> 40);
}

static __always_inline struct Issued* Find(__u64 request) {
  const __u32 first = FirstProbe(request);
#pragma unroll
  for (__u32 i = 0; i < kRequestProbes; ++i) {
    __u32 index = (first + i) & (kRequestSlots - 1);
    struct Issued* const issued = bpf_map_lookup_elem(&requests, &index);
    if (issued && issued->request == request) {
      return issued;
    }
  }
  return 0;
}

static __always_inline struct Issued* Claim(__u64 request) {
  const __u32 first = FirstProbe(request);
#pragma unroll
  for (__u32 i = 0; i < kRequestProbes; ++i) {
    __u32 index = (first + i) & (kRequestSlots - 1);
    struct Issued* const issued = bpf_map_lookup_elem(&requests, &index);
    if (issued && issued->request == 0 &&
        __sync_val_compare_and_swap(&issued->request, 0, request) == 0) {
      return issued;
    }
  }
  return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(block_issue, struct request* request) {
  struct gendisk* const disk = request->q->disk;
  if (!disk || Operation(request->cmd_flags) == kBlockOperations) {
    return 0;
  }
  const __u32 number = (__u32)disk->major << 20 | (__u32)disk->first_minor;
  if (number == 0) {
    return 0;  // a hidden path of a multipath NVMe drive, which diskstats does not list either
  }
  const __u32 place = FindPlace(request->q, number);
  if (place == 0) {
    Drop(kBlockDropDevices);
    return 0;
  }
  const __u64 now = bpf_ktime_get_ns();
  // A request that is still listed came back without our seeing it (the kernel skips a program
  // that is interrupted by itself): it counts as one already.
  const __u64 address = Address(ctx);
  struct Issued* issued = Find(address);
  const bool listed = issued != 0;
  if (!listed) {
    issued = Claim(address);
  }
  if (!issued) {
    Drop(kBlockDropRequests);
    return 0;
  }
  const __u32 depth = ChangeDepth(place, listed ? 0 : 1, now);
  issued->at_ns = now;
  issued->place = place;
  issued->bytes = request->__data_len;
  issued->shallow = depth <= kShallowDepth;
  return 0;
}

// Back in the queue: what it spent at the device counts as waiting when it is issued again.
SEC("tp_btf/block_rq_requeue")
int BPF_PROG(block_requeue, struct request* request) {
  struct Issued* const issued = Find(Address(ctx));
  if (issued) {
    ChangeDepth(issued->place, -1, bpf_ktime_get_ns());
    issued->request = 0;
  }
  return 0;
}

static __always_inline void Count(struct BlockCell* cell, const struct Issued* issued, __u64 start,
                                  __u64 now) {
  const __u64 at_device = now > issued->at_ns ? now - issued->at_ns : 0;
  __u32 bucket = TimeBucket(at_device);
  cell->device_ns += at_device;
  cell->device[bucket] += 1;
  if (issued->shallow) {
    cell->shallow_ns += at_device;
    cell->shallow[bucket] += 1;
  }
  if (start != 0) {  // 0: the queue's iostats are off
    const __u64 queued = issued->at_ns > start ? issued->at_ns - start : 0;
    cell->queue_ns += queued;
    cell->queue[TimeBucket(queued)] += 1;
    cell->total_ns += queued + at_device;
    cell->total[TimeBucket(queued + at_device)] += 1;
    const __u32 size = issued->bytes <= kSmallBytes ? kBlockSmall : kBlockLarge;
    cell->sized_ns[size] += queued + at_device;
    cell->sized[size] += 1;
  }
  cell->bytes += issued->bytes;
  cell->size[SizeBucket(issued->bytes)] += 1;
}

static __always_inline void Complete(struct request* request, __u64 address, __u32 bytes, __u32 row,
                                     bool second) {
  // Part of it: the driver goes on with the rest.
  const __u32 left = request->__data_len;
  if (bytes < left) {
    return;
  }
  struct Issued* const issued = Find(address);
  if (!issued) {
    // The end of a request that was also a flush comes a second time, with nothing left.
    if (!second && left != 0 && request->q->disk &&
        Operation(request->cmd_flags) != kBlockOperations) {
      Drop(kBlockDropUnseen);
    }
    return;
  }
  const struct Issued copy = *issued;
  const __u32 operation = Operation(request->cmd_flags);
  issued->request = 0;
  const __u64 now = bpf_ktime_get_ns();
  ChangeDepth(copy.place, -1, now);
  __u32 index = (row * max_devices + copy.place - 1) * kBlockOperations + operation;
  struct BlockCell* const cell = bpf_map_lookup_elem(&cells, &index);
  if (cell && operation < kBlockOperations) {
    Count(cell, &copy, request->start_time_ns, now);
  }
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(block_complete, struct request* request, int error, unsigned int bytes) {
  Complete(request, Address(ctx), bytes, bpf_get_smp_processor_id(), false);
  return 0;
}

// The kernel does not run a program that it has interrupted on the same CPU: a disk's interrupt
// during the completion of a loop device's request. Then this one finds the request still listed.
SEC("tp_btf/block_rq_complete")
int BPF_PROG(block_complete_nested, struct request* request, int error, unsigned int bytes) {
  Complete(request, Address(ctx), bytes, cpus, true);
  return 0;
}
