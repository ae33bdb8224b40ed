#include "diagnoser/publish/component_text.h"

#include <gtest/gtest.h>

#include "tests/diagnoser/publish/incident_events.h"

namespace limpet::component_text_test {
namespace {

TEST(DescribeComponent, SaysWhatItIsAndWhose) {
  EXPECT_EQ(DescribeComponent("io03/sdb", "await"), "disk sdb of io03");
  EXPECT_EQ(DescribeComponent("io03/cciss/c0d0", "rd_sec"), "disk cciss/c0d0 of io03");
  EXPECT_EQ(DescribeComponent("io03", "rxbyt"), "network of io03");
  EXPECT_EQ(DescribeComponent("io03", "receive_bytes"), "network of io03");
  EXPECT_EQ(DescribeComponent("io03", "cwnd_client"), "connections of io03");
}

TEST(DescribeComponent, LeavesWhatItDoesNotKnowAsItIs) {
  EXPECT_EQ(DescribeComponent("io03", "profile"), "io03");
  EXPECT_EQ(DescribeComponent("io03/sdb", "no such metric"), "io03/sdb");
  EXPECT_EQ(DescribeComponent("io03", "await"), "io03");
}

TEST(DescribeComponent, OfAVerdictIsThatOfItsFirstEvidence) {
  auto verdict = testing::DiskBusy(0, "io04", 5);
  EXPECT_EQ(DescribeComponent(verdict), "disk sdb of io04");
  verdict.evidence.clear();
  EXPECT_EQ(DescribeComponent(verdict), "io04");
}

TEST(Rounded, ToThreeDigits) {
  EXPECT_EQ(Rounded(1234.5), "1234");
  EXPECT_EQ(Rounded(-12.34), "-12.3");
  EXPECT_EQ(Rounded(0.004), "0.00");
}

}  // namespace
}  // namespace limpet::component_text_test
