#include "diagnoser/sources/sysstat_json.h"

#include <gmock/gmock.h>

#include "tests/diagnoser/sources/converter_texts.h"

namespace limpet::sysstat_json_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string Record(const std::string& time, int interval, const std::string& sections,
                   const std::string& utc = "1") {
  return R"({"timestamp": {"date": "2026-01-31", "time": ")" + time + R"(", "utc": )" + utc +
         R"(, "interval": )" + std::to_string(interval) + "}, " + sections + "}";
}

std::string Disk(double tps) {
  return R"("disk": [{"disk-device": "sda", "tps": )" + std::to_string(tps) +
         R"(, "rd_sec": 4, "rkB": 2.00, "wkB": 1.00, "await": 5.00, "aqu-sz": 0.10, "util-percent": 40.00}])";
}

std::string File(const std::string& records, const std::string& more = "") {
  return R"({"sysstat": {"hosts": [{"nodename": "oss{1", "number-of-cpus": 4, )" + more +
         "\n\"statistics\": [\n" + records + "\n], \"restarts\": [{\"boot\": {}}]}]}}\n";
}

auto Converted(const std::string& text, std::size_t piece = 1000) {
  return ConvertText<SysstatJson>(text, piece);
}

TEST(SysstatJson, MakesCountersOfRates) {
  const auto made =
      Converted(File(Record("10:00:00", 10, Disk(20)) + ",\n" + Record("10:00:10", 10, Disk(10))));
  EXPECT_EQ(made.problem, "");
  EXPECT_THAT(made.warnings, IsEmpty());
  for (const auto* line :
       {"limpet_disk_reads_completed_total{instance=\"oss{1\",device=\"sda\"} 0 1769853590.000\n",
        "limpet_disk_reads_completed_total{instance=\"oss{1\",device=\"sda\"} 200 1769853600.000\n",
        "limpet_disk_reads_completed_total{instance=\"oss{1\",device=\"sda\"} 300 1769853610.000\n",
        "limpet_disk_read_bytes_total{instance=\"oss{1\",device=\"sda\"} 40960 1769853610.000\n",
        "limpet_disk_written_bytes_total{instance=\"oss{1\",device=\"sda\"} 20480 1769853610.000\n",
        "limpet_disk_read_time_seconds_total{instance=\"oss{1\",device=\"sda\"} 1.5 "
        "1769853610.000\n",
        "limpet_disk_io_time_seconds_total{instance=\"oss{1\",device=\"sda\"} 8 1769853610.000\n",
        "limpet_disk_io_time_weighted_seconds_total{instance=\"oss{1\",device=\"sda\"} 2 "
        "1769853610.000\n"}) {
    EXPECT_THAT(made.lines, HasSubstr(line));
  }
}

// From 12.7.1 on sadf names the zone.
TEST(SysstatJson, ReadsTheZoneOfLaterVersions) {
  auto text = File(Record("10:00:00", 10, Disk(20)));
  const std::string utc = "\"utc\": 1";
  const auto zone = [&](const std::string& name) {
    auto changed = text;
    return Converted(changed.replace(changed.find(utc), utc.size(), "\"tz\": \"" + name + "\""));
  };
  EXPECT_EQ(zone("UTC").lines, Converted(text).lines);
  EXPECT_THAT(zone("UTC").warnings, IsEmpty());
  EXPECT_THAT(zone("CET").warnings, Contains(HasSubstr("in UTC")));
}

TEST(SysstatJson, IsTheSameHoweverItIsCut) {
  const auto text = File(Record("10:00:00", 10, Disk(20)) + "," + Record("10:00:10", 10, Disk(10)),
                         R"("escaped": "a\"]}{\\", "object": {"x": [1]},)");
  const auto whole = Converted(text);
  EXPECT_THAT(whole.lines, HasSubstr(" 300 "));
  for (const std::size_t piece : {1U, 2U, 7U, 50U}) {
    EXPECT_EQ(Converted(text, piece).lines, whole.lines) << piece;
  }
}

TEST(SysstatJson, ReadsInterfacesAndTheHost) {
  const std::string sections =
      R"("network": {"net-dev": [{"iface": "eth0", "rxpck": 3, "txpck": 4, "rxkB": 1, "txkB": 2}]},
      "cpu-load": [{"cpu": "all", "usr": 25, "sys": 5, "iowait": 0}, {"cpu": "0", "usr": 99}],
      "process-and-context-switch": {"cswch": 9}, "paging": {"pgpgin": 6},
      "queue": {"runq-sz": 2, "plist-sz": 98, "ldavg-1": 0.5}, "disk": [])";
  const auto made = Converted(File(Record("10:00:00", 10, sections)));
  for (const auto* line :
       {"limpet_network_receive_bytes_total{instance=\"oss{1\",device=\"eth0\"} 10240 "
        "1769853600.000\n",
        "limpet_network_transmit_packets_total{instance=\"oss{1\",device=\"eth0\"} 40 "
        "1769853600.000\n",
        "limpet_cpu_seconds_total{instance=\"oss{1\",mode=\"user\"} 10 1769853600.000\n",
        "limpet_context_switches_total{instance=\"oss{1\"} 90 1769853600.000\n",
        "limpet_vmstat_pgpgin_total{instance=\"oss{1\"} 60 1769853600.000\n",
        "limpet_processes_threads{instance=\"oss{1\"} 98 1769853600.000\n"}) {
    EXPECT_THAT(made.lines, HasSubstr(line));
  }
  EXPECT_THAT(made.warnings,
              ElementsAre(HasSubstr("has no disk statistics; sadc collects them with -S DISK")));
}

TEST(SysstatJson, BreaksOffWhereAnIntervalIsMissing) {
  const auto made =
      Converted(File(Record("10:00:00", 10, Disk(20)) + "," + Record("10:00:40", 10, Disk(20))));
  EXPECT_THAT(
      made.lines,
      HasSubstr("limpet_boot_time_seconds{instance=\"oss{1\"} 1769853630 1769853630.000\n"));
  EXPECT_THAT(made.lines, HasSubstr("device=\"sda\"} 200 1769853630.000\n"));
  EXPECT_THAT(made.lines, HasSubstr("device=\"sda\"} 400 1769853640.000\n"));
}

TEST(SysstatJson, BridgesASecondOfRounding) {
  const auto made =
      Converted(File(Record("10:00:00", 10, Disk(20)) + "," + Record("10:00:11", 10, Disk(20))));
  EXPECT_THAT(made.lines, HasSubstr("device=\"sda\"} 420 1769853611.000\n"));
  EXPECT_THAT(made.lines, Not(HasSubstr("1769853601.000")));
}

TEST(SysstatJson, LeavesOutRecordsOfLocalTimeAndNamesTheirLines) {
  const auto made = Converted(
      File(Record("10:00:00", 10, Disk(20), "0") + ",\n" + Record("10:00:10", 10, Disk(1))));
  EXPECT_THAT(made.warnings,
              ElementsAre(HasSubstr("x.csv:3: expected a record with its time in UTC"),
                          HasSubstr("left out 1 of 2 rows")));
  EXPECT_THAT(made.lines, HasSubstr("1769853610.000"));
}

TEST(SysstatJson, RefusesWhatSadfDoesNotPrint) {
  EXPECT_THAT(Converted("12:00:01 sda 1.00\n").problem,
              HasSubstr("x.csv:1: expected the JSON that sadf -j prints"));
  EXPECT_THAT(Converted("{}}").problem, HasSubstr("expected the JSON"));
  EXPECT_THAT(Converted(std::string(100, '[')).problem, HasSubstr("expected the JSON"));
  const auto huge = File("{\"a\": \"" + std::string(SysstatJson::kMaxRecord, 'x') + "\"}");
  EXPECT_THAT(Converted(huge, 1U << 16U).problem, HasSubstr("at most 16 MiB"));
}

TEST(SysstatJson, SaysThatAFileEndsInTheMiddle) {
  const auto text = File(Record("10:00:00", 10, Disk(20)) + "," + Record("10:00:10", 10, Disk(20)));
  const auto made = Converted(text.substr(0, text.size() - 150));
  EXPECT_THAT(made.warnings, ElementsAre(HasSubstr("ends in the middle")));
  EXPECT_THAT(made.lines, HasSubstr("1769853600.000"));
  EXPECT_THAT(made.lines, Not(HasSubstr("1769853610.000")));
}

}  // namespace
}  // namespace limpet::sysstat_json_test
