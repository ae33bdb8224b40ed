#include "diagnoser/sources/counter_text.h"

#include <gmock/gmock.h>

#include <cmath>

namespace limpet::counter_text_test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kBegin = UnixFromSeconds(1000);

Rates BusyDisk() {
  Rates rates;
  rates.Set(Rate::kRequests, 20);
  rates.Set(Rate::kReadBytes, 1000);
  rates.Set(Rate::kAwait, 5);
  rates.Set(Rate::kUtilization, 40);
  return rates;
}

TEST(CounterText, AddsUpRatesOverTheirIntervals) {
  CounterText text;
  const Owner disk{.node = "oss1", .device = "sda"};
  EXPECT_TRUE(text.Add(disk, BusyDisk(), kBegin, Duration()));
  EXPECT_THAT(
      text.Take(),
      HasSubstr(
          "limpet_disk_reads_completed_total{instance=\"oss1\",device=\"sda\"} 0 1000.000\n"));
  (void)text.Add(disk, BusyDisk(), kBegin + 10s, 10s);
  (void)text.Add(disk, BusyDisk(), kBegin + 20s, 10s);
  const auto lines = text.Take();
  for (const auto* line :
       {"reads_completed_total{instance=\"oss1\",device=\"sda\"} 200 1010.000\n",
        "reads_completed_total{instance=\"oss1\",device=\"sda\"} 400 1020.000\n",
        "writes_completed_total{instance=\"oss1\",device=\"sda\"} 0 1020.000\n",
        "read_bytes_total{instance=\"oss1\",device=\"sda\"} 20000 1020.000\n",
        "read_time_seconds_total{instance=\"oss1\",device=\"sda\"} 2 1020.000\n",
        "io_time_seconds_total{instance=\"oss1\",device=\"sda\"} 8 1020.000\n"}) {
    EXPECT_THAT(lines, HasSubstr(line));
  }
  EXPECT_THAT(lines, Not(HasSubstr("written_bytes")));  // nobody said anything of it
}

TEST(CounterText, BeginsEachNodeAsABootDoes) {
  CounterText text;
  (void)text.Add({.node = "oss1", .role = "oss", .device = "sda"}, BusyDisk(), kBegin, Duration());
  EXPECT_THAT(
      text.Take(),
      HasSubstr("limpet_boot_time_seconds{instance=\"oss1\",role=\"oss\"} 1000 1000.000\n"));
  (void)text.Add({.node = "oss1", .device = "sdb"}, BusyDisk(), kBegin, Duration());
  EXPECT_THAT(text.Take(), Not(HasSubstr("boot_time")));
  text.BreakOff({.node = "oss1"}, kBegin + 90s);
  EXPECT_EQ(text.Take(), "limpet_boot_time_seconds{instance=\"oss1\"} 1090 1090.000\n");
}

TEST(CounterText, LeavesOutWhatIsNoRate) {
  Rates rates;
  rates.Set(Rate::kReadBytes, -1);
  rates.Set(Rate::kWrittenBytes, std::nan(""));
  EXPECT_FALSE(rates.Any());
  rates.Set(Rate::kAwait, 5);  // of no requests that are known
  CounterText text;
  (void)text.Add({.node = "a", .device = "sda"}, rates, kBegin, 1s);
  EXPECT_THAT(text.Take(), Not(HasSubstr("disk")));
}

TEST(CounterText, WritesInterfacesNodesAndReadings) {
  Rates rates;
  rates.Set(Rate::kSentBytes, 7);
  CounterText text;
  (void)text.Add({.node = "a", .device = "eth0"}, rates, kBegin, 2s);
  text.AddToNode({.node = "a"}, "cpu_seconds_total", "user", 1.5, kBegin);
  text.AddReading({.node = "a"}, "load1", 0.25, kBegin);
  const auto lines = text.Take();
  EXPECT_THAT(
      lines,
      HasSubstr(
          "limpet_network_transmit_bytes_total{instance=\"a\",device=\"eth0\"} 14 1000.000\n"));
  EXPECT_THAT(lines,
              HasSubstr("limpet_cpu_seconds_total{instance=\"a\",mode=\"user\"} 1.5 1000.000\n"));
  EXPECT_THAT(lines, HasSubstr("limpet_load1{instance=\"a\"} 0.25 1000.000\n"));
}

TEST(CounterText, EscapesNames) {
  CounterText text;
  text.AddReading({.node = "a\"b\\c\nd"}, "load1", 1, kBegin);
  EXPECT_EQ(text.Take(), "limpet_load1{instance=\"a\\\"b\\\\c\\nd\"} 1 1000.000\n");
}

}  // namespace
}  // namespace limpet::counter_text_test
