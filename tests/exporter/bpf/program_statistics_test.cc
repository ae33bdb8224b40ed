#include "exporter/bpf/program_statistics.h"

#include <gtest/gtest.h>

namespace limpet::bpf::program_statistics_test {
namespace {

TEST(ProgramStatistics, AreReadFromFdinfo) {
  const auto statistics = ParseProgramFdinfo(
      "pos:\t0\nflags:\t02000002\nprog_type:\t26\nprog_jited:\t1\nprog_tag:\t9f5f6b5d7a4a5c1e\n"
      "memlock:\t4096\nprog_id:\t77\nrun_time_ns:\t1234\nrun_cnt:\t10\nrecursion_misses:\t3\n"
      "verified_insns:\t500\n");
  ASSERT_TRUE(statistics);
  EXPECT_EQ(statistics->run_ns, 1234U);
  EXPECT_EQ(statistics->runs, 10U);
  EXPECT_EQ(statistics->missed, 3U);
}

TEST(ProgramStatistics, OfAnOlderKernelHaveNoMisses) {
  EXPECT_EQ(ParseProgramFdinfo("run_time_ns:\t0\nrun_cnt:\t0\n")->missed, 0U);
}

TEST(ProgramStatistics, OfAnotherFileAreNone) {
  EXPECT_FALSE(ParseProgramFdinfo("pos:\t0\nflags:\t02\n"));
  EXPECT_FALSE(ParseProgramFdinfo("run_time_ns:\tx\n"));
  EXPECT_FALSE(ParseProgramFdinfo(""));
}

}  // namespace
}  // namespace limpet::bpf::program_statistics_test
