// histogram_shared.h: the histograms that BPF programs count and the exporter reads.
//
// Bucket k counts values over 2^(first+k-1) up to 2^(first+k); the last one everything larger, the
// first one everything smaller.
// Units: nanoseconds and bytes.
#ifndef LIMPET_EXPORTER_BPF_HISTOGRAM_SHARED_H_
#define LIMPET_EXPORTER_BPF_HISTOGRAM_SHARED_H_

enum {
  kFirstTimeBucketLog2 = 10,  // 1.024 µs
  kTimeBuckets = 26,          // … 2^34 ns = 17.2 s, and more
  kFirstSizeBucketLog2 = 9,   // 512 bytes
  kSizeBuckets = 16,          // … 8 MiB, and more
};

#endif  // LIMPET_EXPORTER_BPF_HISTOGRAM_SHARED_H_
