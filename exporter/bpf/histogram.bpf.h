// histogram.bpf.h: which bucket of a log2 histogram a value falls into. For *.bpf.c alone.
#ifndef LIMPET_EXPORTER_BPF_HISTOGRAM_BPF_H_
#define LIMPET_EXPORTER_BPF_HISTOGRAM_BPF_H_

#include <bpf/bpf_helpers.h>

#include "exporter/bpf/histogram_shared.h"

// The smallest k with value <= 2^k. By steps, since BPF has no instruction that counts zeros.
static __always_inline __u32 CeilLog2(__u64 value) {
  __u32 log = 0;
  if (value <= 1) {
    return 0;
  }
  value -= 1;
  if (value >> 32) {
    log += 32;
    value >>= 32;
  }
  if (value >> 16) {
    log += 16;
    value >>= 16;
  }
  if (value >> 8) {
    log += 8;
    value >>= 8;
  }
  if (value >> 4) {
    log += 4;
    value >>= 4;
  }
  if (value >> 2) {
    log += 2;
    value >>= 2;
  }
  if (value >> 1) {
    log += 1;
  }
  return log + 1;
}

// Powers of two of nanoseconds, not microseconds: no division for each event.
static __always_inline __u32 TimeBucket(__u64 nanoseconds) {
  const __u32 log = CeilLog2(nanoseconds);
  const __u32 bucket = log < kFirstTimeBucketLog2 ? 0 : log - kFirstTimeBucketLog2;
  return bucket < kTimeBuckets ? bucket : kTimeBuckets - 1;
}

static __always_inline __u32 SizeBucket(__u32 bytes) {
  const __u32 log = CeilLog2(bytes);
  const __u32 bucket = log < kFirstSizeBucketLog2 ? 0 : log - kFirstSizeBucketLog2;
  return bucket < kSizeBuckets ? bucket : kSizeBuckets - 1;
}

#endif  // LIMPET_EXPORTER_BPF_HISTOGRAM_BPF_H_
