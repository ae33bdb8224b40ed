// Three hosts of twelve drives each: peers are the drives of one host (`per: node`), or all of
// them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/explain.h"

namespace limpet::per_node_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::int64_t kStart = 1'699'920'000;  // 00:00 UTC
constexpr std::int64_t kDay = 86'400;
constexpr int kDrives = 12;

// Of a drive of a host, ms.
using Await = std::function<double(const std::string& host, char drive)>;

// 60 requests in every `step` seconds.
std::string Page(const std::string& host, std::int64_t steps, const Await& await) {
  std::string page;
  const auto requests = 60 * steps;
  for (char drive = 'a'; drive < 'a' + kDrives; ++drive) {
    const double alike = 1 + 0.01 * ((drive + host.back()) % 5);
    const double waited = static_cast<double>(requests) * await(host, drive) * alike / 1000;
    page += fmt::format(
        "limpet_disk_reads_completed_total{{device=\"sd{0}\"}} {1}\n"
        "limpet_disk_writes_completed_total{{device=\"sd{0}\"}} 0\n"
        "limpet_disk_read_bytes_total{{device=\"sd{0}\"}} {1}\n"
        "limpet_disk_written_bytes_total{{device=\"sd{0}\"}} 0\n"
        "limpet_disk_read_time_seconds_total{{device=\"sd{0}\"}} {2}\n"
        "limpet_disk_write_time_seconds_total{{device=\"sd{0}\"}} 0\n"
        "limpet_disk_io_time_seconds_total{{device=\"sd{0}\"}} {2}\n"
        "limpet_disk_io_time_weighted_seconds_total{{device=\"sd{0}\"}} {2}\n",
        drive, requests, waited);
  }
  return page;
}

struct Said {
  std::set<std::string> indicted;
  std::set<std::string> drives;  // in their evidence
  std::vector<std::size_t> n;    // taking part, of await
  std::vector<BimodalityEvent> bimodality;
};

Said Judge(bool per_node, std::size_t hosts, std::int64_t seconds, const Await& await) {
  PipelineConfig config;
  config.presets = {SlowDefaultPreset()};
  config.groups = {{.name = "drives", .per_node = per_node}};
  Pipeline pipeline(config);
  Said said;
  const auto take = [&](const std::vector<Event>& events) {
    for (const auto& event : events) {
      if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
        said.indicted.insert(verdict->node);
        for (const auto& evidence : verdict->evidence) {
          said.drives.insert(evidence.component);
        }
      } else if (const auto* window = std::get_if<WindowEvent>(&event);
                 window != nullptr && window->metric == "await") {
        said.n.push_back(window->n);
      } else if (const auto* found = std::get_if<BimodalityEvent>(&event);
                 found != nullptr && found->metric == "await") {
        said.bimodality.push_back(*found);
      }
    }
  };
  constexpr std::int64_t kStep = 30;
  for (std::int64_t second = 0; second < seconds; second += kStep) {
    const auto at = UnixFromSeconds(kStart + second);
    for (std::size_t i = 0; i < hosts; ++i) {
      const auto host = fmt::format("h{:02}", i);
      const auto page = Page(host, second / kStep, await);
      EXPECT_TRUE(
          pipeline.Ingest({.source = host, .node = host, .role = "io", .at = at, .text = page}));
    }
    take(pipeline.Advance(at));
  }
  return said;
}

// All drives of h02 are of a slower kind; h01/sdf is sick.
double Mixed(const std::string& host, char drive) {
  return host == "h02" ? 60 : host == "h01" && drive == 'f' ? 45 : 10;
}

TEST(PerNode, FindsTheSickDriveOfEachHost) {
  const auto said = Judge(true, 3, kDay / 4, Mixed);
  EXPECT_THAT(said.indicted, ElementsAre("h01"));
  EXPECT_THAT(said.drives, ElementsAre("h01/sdf"));
  ASSERT_THAT(said.n, Not(IsEmpty()));
  EXPECT_THAT(said.n, Each(Ge(1U)));
  EXPECT_EQ(said.n.back(), static_cast<std::size_t>(kDrives));
}

TEST(PerNode, OfDrivesOfAllHostsTheSlowHostIsBlamed) {
  const auto said = Judge(false, 3, kDay / 4, Mixed);
  EXPECT_TRUE(said.indicted.contains("h02"));
  EXPECT_EQ(said.n.back(), 3U * kDrives);
}

// A whole slow host is less than a quarter of a large group, and yet no chance.
TEST(PerNode, TheBimodalityCheckNamesAHostThatIsSlowAsAWhole) {
  for (const std::size_t hosts : {3U, 8U}) {
    const auto said = Judge(false, hosts, kDay + 3600,
                            [](const auto& host, char) { return host == "h02" ? 60 : 10; });
    ASSERT_THAT(said.bimodality, SizeIs(1)) << hosts;
    const auto& found = said.bimodality.front();
    EXPECT_EQ(found.label, "node");
    EXPECT_THAT(found.high.values, ElementsAre("h02"));
    EXPECT_EQ(found.high.n, static_cast<std::size_t>(kDrives));
    EXPECT_THAT(Explain(found), HasSubstr("all of h02"));
  }
}

}  // namespace
}  // namespace limpet::per_node_test
