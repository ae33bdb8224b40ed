#include "diagnoser/sources/named_text.h"

#include <gtest/gtest.h>

#include "tests/diagnoser/sources/converter_texts.h"

namespace limpet::named_text_test {
namespace {

TEST(NamedText, SaysWhoseSeriesItIs) {
  const auto made = ConvertText<NamedText>(
      "# HELP node_load1 x\n"
      "node_load1 0.5 1700000000000\n"
      "node_disk_reads_completed_total{device=\"sda\"} 5 1700000000000\n"
      "node_a{} 1 1700000000000\n"
      "# EOF\n"
      "node_load1 0.6 17",
      7, "/data/oss3.example.com.prom");
  EXPECT_EQ(made.problem, "");
  EXPECT_EQ(made.lines,
            "# HELP node_load1 x\n"
            "node_load1{instance=\"oss3\"} 0.5 1700000000000\n"
            "node_disk_reads_completed_total{instance=\"oss3\",device=\"sda\"} 5 1700000000000\n"
            "node_a{instance=\"oss3\"} 1 1700000000000\n");
}

TEST(NamedText, IsForTextWithTimesAndWithoutNodes) {
  EXPECT_TRUE(LacksNode("# TYPE a counter\na 1 1700000000000\n"));
  EXPECT_TRUE(LacksNode("a{device=\"x\"} 1 1700000000.5\n"));
  EXPECT_FALSE(LacksNode("a{instance=\"oss1\"} 1 1700000000000\n"));
  EXPECT_FALSE(LacksNode("a{role=\"oss\",instance=\"oss1\"} 1 1700000000000\n"));
  EXPECT_FALSE(LacksNode("a{device=\"x\"} 1\n"));
  EXPECT_FALSE(LacksNode(""));
}

TEST(NamedText, RefusesLinesWithoutEnd) {
  const std::string text(NamedText::kMaxLine + 1, 'x');
  EXPECT_NE(ConvertText<NamedText>(text, 1U << 16U).problem.find("at most 1 MiB"),
            std::string::npos);
}

TEST(NamedText, TakesTheNodeFromTheFile) {
  EXPECT_EQ(NodeOfFile("/data/oss3.example.com.prom"), "oss3");
  EXPECT_EQ(NodeOfFile("oss3"), "oss3");
}

}  // namespace
}  // namespace limpet::named_text_test
