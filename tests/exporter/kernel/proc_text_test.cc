// The small files of /proc: stat, loadavg, vmstat and its like, self/stat.
#include <gtest/gtest.h>

#include <string>

#include "exporter/kernel/keyed_lines.h"
#include "exporter/kernel/loadavg.h"
#include "exporter/kernel/pid_stat.h"
#include "exporter/kernel/proc_stat.h"

namespace limpet::proc_text_test {
namespace {

TEST(ProcStat, ReadsTheLinesOfTheWholeHost) {
  const auto stat = ParseProcStat(
      "cpu  5769 1 3655 447538 333 2 63 16 9 8\n"
      "cpu0 2424 0 1437 224761 13 0 9 5 0 0\n"
      "intr 236277 0 13 1\n"
      "ctxt 500\n"
      "btime 1700000000\n"
      "processes 12\n"
      "procs_running 3\n"
      "procs_blocked 0\n"
      "softirq 9 8 7\n");
  EXPECT_EQ(stat.cpu_ticks[0], 5769U);
  EXPECT_EQ(stat.cpu_ticks[3], 447538U);
  EXPECT_EQ(stat.cpu_ticks[7], 16U);
  EXPECT_EQ(stat.interrupts, 236277U);
  EXPECT_EQ(stat.context_switches, 500U);
  EXPECT_EQ(stat.boot_time, 1700000000U);
  EXPECT_EQ(stat.forks, 12U);
  EXPECT_EQ(stat.running, 3U);
  EXPECT_EQ(stat.blocked, 0U);
}

TEST(ProcStat, LeavesOutWhatIsNotThere) {
  const auto stat = ParseProcStat("cpu  1 2 3 4\nctxt x\nprocs_running 3");
  EXPECT_EQ(stat.cpu_ticks[3], 4U);
  EXPECT_EQ(stat.cpu_ticks[4], std::nullopt);
  EXPECT_EQ(stat.context_switches, std::nullopt);
  EXPECT_EQ(stat.running, std::nullopt) << "cut";
}

TEST(LoadAverage, ReadsFourFields) {
  const auto load = ParseLoadAverage("0.20 0.18 0.12 1/80 11206\n");
  ASSERT_TRUE(load);
  EXPECT_EQ(load->load1, 0.20);
  EXPECT_EQ(load->load15, 0.12);
  EXPECT_EQ(load->runnable, 1U);
  EXPECT_EQ(load->threads, 80U);
}

TEST(LoadAverage, WantsThemWhole) {
  EXPECT_FALSE(ParseLoadAverage(""));
  EXPECT_FALSE(ParseLoadAverage("0.20 0.18 0.12\n"));
  EXPECT_FALSE(ParseLoadAverage("0.20 0.18 0.12 180 1\n"));
  EXPECT_FALSE(ParseLoadAverage("nan 0.18 0.12 1/80 1\n"));
  EXPECT_FALSE(ParseLoadAverage("0.20 0.18 0.12 1/80 112"));
}

TEST(KeyedLines, ReadsTheKeysItWasAskedFor) {
  KeyedLines lines({"pgpgin", "oom_kill", "pgfault"});
  const auto values = lines.Parse("nr_free 5\npgpgin 7\npgfault_other 1\npgfault 9\n");
  EXPECT_EQ(values, (KeyedLines::Values{7, std::nullopt, 9}));
}

TEST(KeyedLines, FindsKeysThatMoved) {
  KeyedLines lines({"a", "b"});
  EXPECT_EQ(lines.Parse("x 0\na 1\nb 2\n"), (KeyedLines::Values{1, 2}));
  EXPECT_EQ(lines.Parse("x 0\na 3\nb 4\n"), (KeyedLines::Values{3, 4}));
  EXPECT_EQ(lines.Parse("b 5\nx 0\na 6\n"), (KeyedLines::Values{6, 5}));
  EXPECT_EQ(lines.Parse("y 0\nx 0\na 8\nb 7\n"), (KeyedLines::Values{8, 7}));
  EXPECT_EQ(lines.Parse("a 9\n"), (KeyedLines::Values{9, std::nullopt}));
  EXPECT_EQ(lines.Parse(""), (KeyedLines::Values{std::nullopt, std::nullopt}));
}

TEST(KeyedLines, FindsAKeyThatComesInThePlaceOfAnother) {
  KeyedLines lines({"a", "b"});
  EXPECT_EQ(lines.Parse("x 0\na 1\n"), (KeyedLines::Values{1, std::nullopt}));
  EXPECT_EQ(lines.Parse("b 2\na 3\n"), (KeyedLines::Values{3, 2}));
}

TEST(KeyedLines, LeavesOutDamagedValues) {
  KeyedLines lines({"a", "b", "c"});
  EXPECT_EQ(lines.Parse("a -1\nb 2x\nc 12"), KeyedLines::Values(3));
}

TEST(PidStat, FindsItsFieldsBehindAnyName) {
  const auto stat =
      ParsePidStat("42 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 7 18 19 20 2048 22\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->threads, 7U);
  EXPECT_EQ(stat->resident_pages, 2048U);
  EXPECT_FALSE(ParsePidStat("42 (a) S 1 2 3\n"));
  EXPECT_FALSE(ParsePidStat(""));
}

}  // namespace
}  // namespace limpet::proc_text_test
