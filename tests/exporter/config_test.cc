#include "exporter/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "exporter/app.h"
#include "exporter/collectors/disk.h"
#include "exporter/collectors/net.h"
#include "exporter/collectors/tcp.h"
#include "exporter/common/yaml.h"
#include "tests/support/temp_folder.h"

namespace limpet::config_test {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Those of eBPF take rights that the others do without, so somebody has to ask for them.
std::size_t DefaultCollectors() {
  const auto all = AllCollectors();
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [](const auto* module) { return module->enabled_by_default; }));
}

std::string Refusal(const std::string& text) {
  const auto settings = ParseSettings(text, "exporter.yml");
  return settings ? "accepted" : settings.error().Text();
}

TEST(Settings, OfAnEmptyFileAreTheDefaults) {
  const auto settings = ParseSettings("", "exporter.yml");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->interval, 1s);
  EXPECT_THAT(settings->listen_addresses, ElementsAre(":9836"));
  EXPECT_EQ(settings->procfs, "/proc");
  EXPECT_EQ(settings->sysfs, "/sys");
  EXPECT_EQ(settings->collectors.size(), DefaultCollectors()) << "all others are switched on";
}

TEST(Settings, OfTheShippedFileAreTheDefaultsToo) {
  std::ostringstream text;
  text << std::ifstream("config/exporter.yml").rdbuf();
  const auto shipped = ParseSettings(text.str(), "config/exporter.yml");
  ASSERT_TRUE(shipped) << shipped.error().Text();
  const Settings none;
  EXPECT_EQ(shipped->interval, none.interval);
  EXPECT_EQ(shipped->listen_addresses, none.listen_addresses);
  EXPECT_EQ(shipped->log_level, none.log_level);
  EXPECT_EQ(shipped->node_exporter_names, none.node_exporter_names);
  EXPECT_EQ(shipped->collectors.size(), DefaultCollectors());
  EXPECT_EQ(shipped->record.role, none.record.role);
  EXPECT_EQ(shipped->record.compression_level, none.record.compression_level);
  EXPECT_EQ(shipped->record.flush_interval, none.record.flush_interval);
  EXPECT_EQ(shipped->record.format, none.record.format);

  const auto tree = yaml::Parse(text.str(), "config/exporter.yml");
  ASSERT_TRUE(tree);
  const auto* collectors = tree->Find("collectors");
  ASSERT_NE(collectors, nullptr);
  yaml::Problems problems;
  const auto map = [&](const char* name) {
    return yaml::MapReader(collectors->Find(name), name, problems);
  };
  auto disk = map("disk");
  EXPECT_EQ(ReadDiskOptions(disk), DiskOptions());
  auto net = map("net");
  EXPECT_EQ(ReadNetOptions(net), NetOptions());
  auto tcp = map("tcp");
  EXPECT_EQ(ReadTcpOptions(tcp), TcpOptions());
  for (const auto* module : AllCollectors()) {
    EXPECT_NE(collectors->Find(module->name), nullptr)
        << module->name << ": users look for it here";
  }
}

TEST(Settings, AreReadIntoTheCollectorsOptions) {
  const auto settings = ParseSettings(R"(
sampling: {interval: 500ms, follow_scrapes: false}
paths: {procfs: /host/proc, sysfs: /host/sys}
web: {listen_addresses: ["127.0.0.1:1", "[::1]:1"], config_file: web.yml}
log_level: warning
node_exporter_names: true
collectors: {netstat: {enabled: false}}
record: {dir: /tmp/r, instance: io01, role: io, compression_level: 3, flush_interval: 5s, format: columns,
         keep_days: 7, max_bytes: 2000000000, fsync: false, metrics: [load1]}
)",
                                      "exporter.yml");
  ASSERT_TRUE(settings) << settings.error().Text();
  EXPECT_EQ(settings->interval, 500ms);
  EXPECT_FALSE(settings->follow_scrapes);
  EXPECT_EQ(settings->procfs, "/host/proc");
  EXPECT_EQ(settings->sysfs, "/host/sys");
  EXPECT_THAT(settings->listen_addresses, ElementsAre("127.0.0.1:1", "[::1]:1"));
  EXPECT_EQ(settings->web_config_file, "web.yml");
  EXPECT_EQ(settings->log_level, LogLevel::kWarning);
  EXPECT_TRUE(settings->node_exporter_names);
  EXPECT_EQ(settings->collectors.size(), DefaultCollectors() - 1);
  for (const auto& chosen : settings->collectors) {
    EXPECT_NE(chosen.module->name, "netstat");
  }
  EXPECT_EQ(settings->record.dir, "/tmp/r");
  EXPECT_EQ(settings->record.keep_days, 7U);
  EXPECT_EQ(settings->record.max_bytes, 2'000'000'000U);
  EXPECT_FALSE(settings->record.fsync);
  EXPECT_EQ(settings->record.instance, "io01");
  EXPECT_EQ(settings->record.role, "io");
  EXPECT_EQ(settings->record.flush_interval, 5s);
  EXPECT_EQ(settings->record.format, RecordingForm::kColumns);
  EXPECT_THAT(settings->record.metrics, ElementsAre("load1"));
}

TEST(Settings, OfCollectorsAreReadIntoTheirOptions) {
  const auto tree = yaml::Parse(R"(
disk: {device_include: "^sd", device_exclude: "", gauges: false, mount_refresh: 7s}
net: {device_exclude: "^docker", speed_refresh: 2m}
tcp: {ports: [2049, 49152-49251], per_socket: true, max_sockets: 7, exclude_loopback: false}
)",
                                "exporter.yml");
  ASSERT_TRUE(tree);
  yaml::Problems problems;
  auto map = yaml::MapReader(tree->Find("disk"), "disk", problems);
  const auto disk = ReadDiskOptions(map);
  EXPECT_EQ(disk.devices.include, "^sd");
  EXPECT_EQ(disk.devices.exclude, "");
  EXPECT_FALSE(disk.gauges);
  EXPECT_EQ(disk.mount_refresh, 7s);
  map = yaml::MapReader(tree->Find("net"), "net", problems);
  const auto net = ReadNetOptions(map);
  EXPECT_EQ(net.devices.exclude, "^docker");
  EXPECT_EQ(net.speed_refresh, 120s);
  map = yaml::MapReader(tree->Find("tcp"), "tcp", problems);
  const auto tcp = ReadTcpOptions(map);
  EXPECT_THAT(tcp.ports, ElementsAre(PortRange{2049, 2049}, PortRange{49152, 49251}));
  EXPECT_TRUE(tcp.per_socket);
  EXPECT_EQ(tcp.max_sockets, 7U);
  EXPECT_FALSE(tcp.exclude_loopback);
  EXPECT_TRUE(problems.empty());
}

TEST(Settings, OfProbesAreOffUntilTheyAreTurnedOn) {
  EXPECT_FALSE(ParseSettings("", "")->probe.enabled);
  const auto settings = ParseSettings(
      "probe: {enabled: true, interval: 1m, timeout: 5s}\npaths: {devfs: /host/dev}\n", "");
  EXPECT_EQ(settings->probe, (ProbeOptions{.enabled = true,
                                           .interval = std::chrono::minutes(1),
                                           .patience = std::chrono::seconds(5)}));
  EXPECT_EQ(settings->devfs, "/host/dev");
  EXPECT_THAT(Refusal("probe: {interval: 1s}\n"), HasSubstr("exporter.yml:1: probe.interval"));
  EXPECT_THAT(Refusal("probe: {timeout: 2m}\n"), HasSubstr("probe.timeout: expected at most 1m"));
  EXPECT_THAT(Refusal("probe: {enable: true}\n"), HasSubstr("probe.enable: unknown key"));
}

TEST(Settings, NameTheLineOfAnUnknownKeyAndTheOnesThereAre) {
  EXPECT_THAT(Refusal("collectors:\n  disk:\n    device_includ: x\n"),
              AllOf(HasSubstr("exporter.yml:3: collectors.disk.device_includ: unknown key"),
                    HasSubstr("device_include")));
}

TEST(Settings, NameTheLineOfAWrongType) {
  EXPECT_EQ(Refusal("sampling:\n  interval: fast\n"),
            "exporter.yml:2: sampling.interval: expected a duration such as 1s or 500ms, got "
            "\"fast\"");
  EXPECT_THAT(Refusal("collectors: {tcp: {max_sockets: many}}"),
              HasSubstr("collectors.tcp.max_sockets: expected a whole number from 1"));
}

TEST(Settings, NameABadPattern) {
  EXPECT_THAT(Refusal("collectors:\n  net:\n    device_exclude: \"(\"\n"),
              HasSubstr("exporter.yml:3: collectors.net.device_exclude: expected a regular"));
}

TEST(Settings, TellEveryProblemNotOnlyTheFirst) {
  EXPECT_THAT(
      Refusal("foo: 1\nsampling: {interval: 1h}\nlog_level: loud\n"),
      AllOf(HasSubstr("exporter.yml:1: foo"), HasSubstr("exporter.yml:2: sampling.interval"),
            HasSubstr("exporter.yml:3: log_level")));
}

TEST(Settings, KnowWhatIsAPort) {
  for (const auto* bad : {"0", "70000", "nfs", "5-2", "-1"}) {
    EXPECT_THAT(Refusal(std::string("collectors: {tcp: {ports: [\"") + bad + "\"]}}"),
                HasSubstr("collectors.tcp.ports: expected ports such as"))
        << bad;
  }
}

TEST(Settings, RecordOnlyWhatTheCatalogueHas) {
  EXPECT_THAT(Refusal("record: {metrics: [load1, lode2]}"), HasSubstr("got \"lode2\""));
}

TEST(Settings, LoseNoMoreThanAMinute) {
  EXPECT_THAT(Refusal("record: {flush_interval: 2m}"), HasSubstr("at most 60s"));
  EXPECT_THAT(Refusal("record: {format: rows}"),
              HasSubstr("expected one of text columns, got \"rows\""));
}

TEST(Settings, AreCheckedAcrossKeys) {
  EXPECT_THAT(Refusal("collectors: {tcp: {interval: 10s}}"),
              HasSubstr("collectors.tcp.interval: expected at most"));
  EXPECT_THAT(Refusal("record: {role: \"\"}"), HasSubstr("record.role"));
}

}  // namespace
}  // namespace limpet::config_test
