#include "exporter/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace limpet {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Refusal(const std::string& text) {
  const auto settings = ParseSettings(text, "exporter.yml");
  return settings ? "accepted" : settings.error().Text();
}

TEST(Settings, OfAnEmptyFileAreTheDefaults) {
  const auto settings = ParseSettings("", "exporter.yml");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->interval, 1s);
  EXPECT_THAT(settings->listen_addresses, ElementsAre(":9836"));
  EXPECT_EQ(settings->collectors.procfs, "/proc");
  EXPECT_TRUE(settings->collectors.disk.devices.IsDefault());
  EXPECT_FALSE(settings->collectors.tcp.per_socket);
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
  EXPECT_EQ(shipped->collectors.disk.gauges, none.collectors.disk.gauges);
  EXPECT_EQ(shipped->collectors.disk.identity_refresh, none.collectors.disk.identity_refresh);
  EXPECT_EQ(shipped->collectors.disk.mount_refresh, none.collectors.disk.mount_refresh);
  EXPECT_TRUE(shipped->collectors.disk.devices.IsDefault());
  EXPECT_TRUE(shipped->collectors.net.devices.IsDefault());
  EXPECT_EQ(shipped->collectors.net.speed_refresh, none.collectors.net.speed_refresh);
  EXPECT_EQ(shipped->collectors.tcp.ports, none.collectors.tcp.ports);
  EXPECT_EQ(shipped->collectors.tcp.max_sockets, none.collectors.tcp.max_sockets);
  EXPECT_EQ(shipped->collectors.tcp.max_peers, none.collectors.tcp.max_peers);
  EXPECT_EQ(shipped->collectors.tcp.interval, none.collectors.tcp.interval);
  EXPECT_EQ(shipped->collectors.tcp.max_interval, none.collectors.tcp.max_interval);
  EXPECT_EQ(shipped->collectors.tcp.cpu_share, none.collectors.tcp.cpu_share);
  EXPECT_EQ(shipped->record.role, none.record.role);
  EXPECT_EQ(shipped->record.compression_level, none.record.compression_level);
  EXPECT_EQ(shipped->record.flush_interval, none.record.flush_interval);
}

TEST(Settings, AreReadIntoTheCollectorsOptions) {
  const auto settings = ParseSettings(R"(
sampling: {interval: 500ms}
paths: {procfs: /host/proc, sysfs: /host/sys}
web: {listen_addresses: ["127.0.0.1:1", "[::1]:1"], config_file: web.yml}
log_level: warning
node_exporter_names: true
collectors:
  disk: {device_include: "^sd", device_exclude: "", gauges: false}
  net: {device_exclude: "^docker"}
  netstat: {enabled: false}
  tcp: {ports: [2049, 49152-49251], per_socket: true, max_sockets: 7, exclude_loopback: false}
record: {output_dir: /tmp/r, instance: io01, role: io, compression_level: 3, flush_interval: 5s,
         metrics: [load1]}
)",
                                      "exporter.yml");
  ASSERT_TRUE(settings) << settings.error().Text();
  EXPECT_EQ(settings->interval, 500ms);
  EXPECT_EQ(settings->collectors.procfs, "/host/proc");
  EXPECT_EQ(settings->collectors.sysfs, "/host/sys");
  EXPECT_THAT(settings->listen_addresses, ElementsAre("127.0.0.1:1", "[::1]:1"));
  EXPECT_EQ(settings->web_config_file, "web.yml");
  EXPECT_EQ(settings->log_level, LogLevel::kWarning);
  EXPECT_TRUE(settings->node_exporter_names);
  EXPECT_EQ(settings->collectors.disk.devices.include, "^sd");
  EXPECT_EQ(settings->collectors.disk.devices.exclude, "");
  EXPECT_FALSE(settings->collectors.disk.gauges);
  EXPECT_EQ(settings->collectors.net.devices.exclude, "^docker");
  EXPECT_FALSE(settings->collectors.netstat.enabled);
  EXPECT_THAT(settings->collectors.tcp.ports,
              ElementsAre(PortRange{2049, 2049}, PortRange{49152, 49251}));
  EXPECT_TRUE(settings->collectors.tcp.per_socket);
  EXPECT_EQ(settings->collectors.tcp.max_sockets, 7U);
  EXPECT_FALSE(settings->collectors.tcp.exclude_loopback);
  EXPECT_EQ(settings->record.instance, "io01");
  EXPECT_EQ(settings->record.role, "io");
  EXPECT_EQ(settings->record.flush_interval, 5s);
  EXPECT_THAT(settings->record.metrics, ElementsAre("load1"));
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
}

TEST(Settings, AreCheckedAcrossKeys) {
  EXPECT_THAT(Refusal("collectors: {tcp: {interval: 10s}}"),
              HasSubstr("collectors.tcp.interval: expected at most"));
  EXPECT_THAT(Refusal("record: {role: \"\"}"), HasSubstr("record.role"));
}

}  // namespace
}  // namespace limpet
