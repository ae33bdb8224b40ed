// peer_picture.h: the lines of all peers over one another, a chart a metric, to vet what thresholds
// are trained on ([Kasick12 §4.2.1]).
//
// Bounded: kMaxCharts charts; of a chart the kMaxDrawn lines that leave the median of all the
// furthest, the others as the band from their least to their largest value.
// Threads: pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnoser/publish/peer_lines.h"

namespace limpet {

inline constexpr std::size_t kMaxCharts = 60;
inline constexpr std::size_t kMaxDrawn = 40;

// Returns an SVG file. Metrics that never moved have no chart; the heading counts these and all
// else that is not drawn. `left_out`: PeerLines::LeftOut.
[[nodiscard]] std::string PeerPicture(const std::vector<PeerSeries>& series,
                                      std::uint64_t left_out);

}  // namespace limpet
