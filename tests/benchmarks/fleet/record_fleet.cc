// Writes recordings of a made-up fleet, one file a node, for scripts/bench-diagnoser.
//   record_fleet FOLDER NODES DISKS SECONDS [INTERFACES [LEVEL]]
// Prints the number of samples and of plain bytes.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "exporter/common/exposition/codec.h"
#include "tests/benchmarks/fleet/fleet.h"

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: record_fleet FOLDER NODES DISKS SECONDS [INTERFACES [LEVEL]]\n");
    return 2;
  }
  const auto number = [&](int at, long fallback) {
    return at < argc ? std::strtol(argv[at], nullptr, 10) : fallback;
  };
  const limpet::bench::Fleet fleet({.nodes = static_cast<std::size_t>(number(2, 100)),
                                    .disks = static_cast<std::size_t>(number(3, 12)),
                                    .interfaces = static_cast<std::size_t>(number(5, 2))});
  const auto seconds = number(4, 600);
  constexpr long kFrameSeconds = 60;  // as `record` does
  std::size_t bytes = 0;
  for (std::size_t node = 0; node < fleet.Shape().nodes; ++node) {
    std::ofstream file(std::string(argv[1]) + "/" + limpet::bench::NodeName(node) + ".om.zst",
                       std::ios::binary);
    limpet::ZstdWriter zstd(static_cast<int>(number(6, 9)));
    for (long second = 0; second < seconds; ++second) {
      const auto page = fleet.Page(node, second, limpet::bench::PageKind::kRecorded);
      bytes += page.size();
      file << zstd.Write(page);
      if (second % kFrameSeconds == kFrameSeconds - 1) {
        file << zstd.EndFrame();
      }
    }
    bytes += 6;
    file << zstd.Write("# EOF\n") << zstd.EndFrame();
    if (!file.flush()) {
      std::fprintf(stderr, "%s: cannot be written\n", argv[1]);
      return 1;
    }
  }
  const auto samples = fleet.Samples(limpet::bench::PageKind::kRecorded) * fleet.Shape().nodes *
                       static_cast<std::size_t>(seconds);
  std::printf("%zu %zu\n", samples, bytes);
  return 0;
}
