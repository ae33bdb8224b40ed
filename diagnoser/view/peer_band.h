// peer_band.h: step by step, what some components of a peer group did in one window and what their
// peers did: for the charts that explain a verdict.
//
// Threads: values; MakePeerBand is pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/mapping/members.h"
#include "diagnoser/series/readings.h"
#include "exporter/common/time.h"

namespace limpet {

struct BandRequest {
  std::string preset;
  std::string group;
  std::string metric;  // its name; byte balances and congestion windows have no band
  UnixTime end;        // of a window that has just been closed
  std::vector<std::string> components;  // none of them counts as a peer
};

// Values in the metric's unit (metrics/metric.h); NaN where nothing is known. As float: a chart has
// fewer digits, and bands are kept for hours.
struct PeerBand {
  static constexpr std::size_t kBins = 32;
  // The limit: of a larger group every n-th peer: enough for three quantiles.
  static constexpr std::size_t kMaxPeers = 512;

  struct Own {
    std::string component;
    std::vector<float> samples;  // one a step
    std::vector<float> shares;   // of its samples, by bin
  };

  std::string preset;
  std::string group;
  std::string metric;
  UnixTime end;
  Duration step{};
  std::vector<float> median;  // of the peers, one a step; the last step ends at `end`
  std::vector<float> low;     // 10th percentile
  std::vector<float> high;    // 90th percentile
  std::vector<float> edges;   // of the bins, one more than those; empty without samples
  std::vector<float> peer_shares;
  std::vector<Own> own;  // those of the request that are members

  [[nodiscard]] std::size_t Bytes() const;
};

// `metric`: number of its row within the kind.
[[nodiscard]] PeerBand MakePeerBand(const BandRequest& request, GroupKind kind, std::size_t metric,
                                    const GroupMembers& members, const PresetSettings& preset,
                                    const Readings& readings, std::size_t grid);

}  // namespace limpet
