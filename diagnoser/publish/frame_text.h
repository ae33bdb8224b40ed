// frame_text.h: frames as the stream sends them: whole, or what has changed since another one.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/history/frame.h"

namespace limpet {

// Nodes by their places in the cluster of one version: in any other those places are others'.
struct FramePlaces {
  struct Range {
    std::size_t first;
    std::size_t last;  // included

    friend bool operator==(const Range&, const Range&) = default;
  };
  std::uint64_t version = 0;
  std::vector<Range> ranges;
};

// The request of a viewer.
struct FrameFilter {
  std::vector<std::size_t> columns;  // by number, rising; never empty
  std::vector<std::string> groups;   // empty: all nodes
  // What it has on its screen; while the cluster is of another version, and without: all.
  std::optional<FramePlaces> places = std::nullopt;

  // Filters without places that ask for the same have the same key.
  [[nodiscard]] std::string Key() const;
  // Returns, by node of the cluster, whether it is asked for.
  [[nodiscard]] std::vector<bool> Pick(const Cluster& cluster) const;
};

inline constexpr std::size_t kMaxPlaceRanges = 256;
// "7:0-79,200": places 0 to 79 and 200 of version 7. nullopt when it is none.
[[nodiscard]] std::optional<FramePlaces> ParsePlaces(std::string_view text);

// "load,util"; empty: all. nullopt when one is no column.
[[nodiscard]] std::optional<std::vector<std::size_t>> ParseColumns(std::string_view text);

// The data of an event `frame`. `previous`: of the same cluster; null: a whole frame. `picked` by
// node.
[[nodiscard]] std::string FrameJson(const Frame* previous, const Frame& frame,
                                    const FrameFilter& filter, const std::vector<bool>& picked);

// One server-sent event. `data` has no line ends. Without id when that is 0.
[[nodiscard]] std::string SentEvent(std::string_view name, std::uint64_t id, std::string_view data);

}  // namespace limpet
