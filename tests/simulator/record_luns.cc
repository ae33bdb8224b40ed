// Writes a part of a day of a storage system the size of Intrepid's (luns.h), one file a server:
//   record_luns FOLDER SECONDS [SERVERS [LUNS [THREADS [LEVEL [SKIPPED]]]]]
// With SKIPPED the first so many seconds pass unwritten, and nothing is ever slow: to train on one
// part and to judge another. Prints the faults, then the number of samples, of plain and of
// compressed bytes.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "exporter/common/exposition/codec.h"
#include "tests/simulator/luns.h"

namespace {

using limpet::simulator::LunServer;
using limpet::simulator::LunsSpec;

constexpr long kFrameSeconds = 60;  // as `record` does

struct Sizes {
  std::size_t plain = 0;
  std::size_t packed = 0;
};

// Which seconds of a day are written.
struct Part {
  long skipped = 0;
  long seconds = 0;
};

Sizes WriteServer(const std::string& folder, const LunsSpec& spec, std::size_t number,
                  const Part& part, int level) {
  std::ofstream file(folder + "/" + limpet::simulator::LunServerName(number) + ".om.zst",
                     std::ios::binary);
  limpet::ZstdWriter zstd(level);
  LunServer server(spec, number);
  Sizes sizes;
  std::string page;
  const auto write = [&](const std::string& bytes) {
    file << bytes;
    sizes.packed += bytes.size();
  };
  for (long second = -part.skipped; second < part.seconds; ++second) {
    page.clear();
    server.AppendSecond(page);
    if (second < 0) {
      continue;
    }
    sizes.plain += page.size();
    write(zstd.Write(page));
    if (second % kFrameSeconds == kFrameSeconds - 1) {
      write(zstd.EndFrame());
    }
  }
  write(zstd.Write("# EOF\n"));
  write(zstd.EndFrame());
  if (!file.flush()) {
    std::fprintf(stderr, "%s: cannot be written\n", folder.c_str());
    std::exit(1);
  }
  return sizes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(
        stderr, "usage: record_luns FOLDER SECONDS [SERVERS [LUNS [THREADS [LEVEL [SKIPPED]]]]]\n");
    return 2;
  }
  const auto number = [&](int at, long fallback) {
    return at < argc ? std::strtol(argv[at], nullptr, 10) : fallback;
  };
  constexpr int kSkipped = 7;  // which argument
  const Part part{.skipped = number(kSkipped, 0), .seconds = number(2, 3600)};
  LunsSpec spec{.servers = static_cast<std::size_t>(number(3, 128)),
                .luns = static_cast<std::size_t>(number(4, 36)),
                .faults = {}};
  if (argc <= kSkipped) {
    spec.faults = limpet::simulator::SpreadFaults(spec, part.seconds);
  }
  for (const auto& fault : spec.faults) {
    std::printf("fault %s/%s %.1f times slower, second %ld to %ld\n",
                limpet::simulator::LunServerName(fault.server).c_str(),
                limpet::simulator::LunName(fault.lun).c_str(), fault.factor,
                static_cast<long>(fault.from), static_cast<long>(std::min(fault.to, part.seconds)));
  }
  std::vector<Sizes> sizes(spec.servers);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (auto i = next.fetch_add(1); i < spec.servers; i = next.fetch_add(1)) {
      sizes[i] = WriteServer(argv[1], spec, i, part, static_cast<int>(number(6, 1)));
    }
  };
  std::vector<std::thread> threads;
  for (long i = 1; i < number(5, 1); ++i) {
    threads.emplace_back(work);
  }
  work();
  for (auto& thread : threads) {
    thread.join();
  }
  Sizes all;
  for (const auto& [plain, packed] : sizes) {
    all.plain += plain;
    all.packed += packed;
  }
  std::printf("%zu samples, %zu bytes of text in %zu\n",
              spec.servers * spec.luns * limpet::simulator::kLunCounters *
                  static_cast<std::size_t>(part.seconds),
              all.plain, all.packed);
  return 0;
}
