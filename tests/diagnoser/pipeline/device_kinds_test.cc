// A system disk and data disks in one peer group, as a first configuration has them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "diagnoser/pipeline/pipeline.h"

namespace limpet::device_kinds_test {
namespace {

using ::testing::IsEmpty;

constexpr std::int64_t kStart = 1'700'000'000;

std::string Lines(char name, double requests, double bytes) {
  return fmt::format(
      "limpet_disk_reads_completed_total{{device=\"sd{0}\"}} {1}\n"
      "limpet_disk_writes_completed_total{{device=\"sd{0}\"}} 0\n"
      "limpet_disk_read_bytes_total{{device=\"sd{0}\"}} {2}\n"
      "limpet_disk_written_bytes_total{{device=\"sd{0}\"}} 0\n"
      "limpet_disk_read_time_seconds_total{{device=\"sd{0}\"}} {3}\n"
      "limpet_disk_write_time_seconds_total{{device=\"sd{0}\"}} 0\n"
      "limpet_disk_io_time_seconds_total{{device=\"sd{0}\"}} {3}\n"
      "limpet_disk_io_time_weighted_seconds_total{{device=\"sd{0}\"}} {3}\n",
      name, requests, requests * bytes, requests / 200);
}

struct Said {
  std::set<std::string> indicted;
  bool in_two = false;  // of read_bytes
};

// Six servers with a busy disk sdz each and so many idle ones.
Said Judge(bool device_kinds, int idle) {
  PipelineConfig config;
  PresetSettings preset;
  preset.device_kinds = device_kinds;
  config.presets = {preset};
  config.groups = {{.name = "disks"}};
  Pipeline pipeline(config);
  Said said;
  std::map<std::string, double> done;
  for (std::int64_t second = 0; second < 400; ++second) {
    const auto at = UnixFromSeconds(kStart + second);
    for (int host = 0; host < 6; ++host) {
      const auto node = fmt::format("io{:02}", host);
      // Not alike to the request, and without chance.
      const double more = static_cast<double>((second * 7 + host * 13) % 11) / 10;
      std::string page;
      for (int disk = 0; disk < idle; ++disk) {
        const char name = static_cast<char>('a' + disk);
        auto& requests = done[node + name];
        requests += 2 + more;
        page += Lines(name, requests, 4096);
      }
      auto& requests = done[node + 'z'];
      requests += 60 + 5 * more;
      page += Lines('z', requests, 65536);
      EXPECT_TRUE(
          pipeline.Ingest({.source = node, .node = node, .role = "io", .at = at, .text = page}));
    }
    for (const auto& event : pipeline.Advance(at)) {
      if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
        said.indicted.insert(verdict->node);
      } else if (const auto* storm = std::get_if<StormEvent>(&event)) {
        said.in_two = said.in_two || (storm->metric == "rd_sec" && storm->either_side);
      }
    }
  }
  return said;
}

TEST(DeviceKindsOfAGroup, ADataDiskBesideASystemDiskIndictsNobody) {
  for (const int idle : {1, 2, 3}) {
    const auto said = Judge(true, idle);
    EXPECT_THAT(said.indicted, IsEmpty()) << idle;
    EXPECT_TRUE(said.in_two) << idle;
  }
}

TEST(DeviceKindsOfAGroup, WithoutTheKeyEverybodyIsNamed) {
  EXPECT_EQ(Judge(false, 2).indicted.size(), 6U);
}

}  // namespace
}  // namespace limpet::device_kinds_test
