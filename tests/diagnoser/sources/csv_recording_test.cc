#include "diagnoser/sources/csv_recording.h"

#include <gmock/gmock.h>

#include "diagnoser/sources/csv_cells.h"
#include "tests/diagnoser/sources/converter_texts.h"

namespace limpet::csv_recording_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

auto Converted(std::string_view text, std::size_t piece = 1000) {
  return ConvertText<CsvRecording>(text, piece);
}

constexpr std::string_view kLong =
    "time,node,device,metric,value\n"
    "1000,oss1,sda,requests,20\n"
    "1000,oss1,sda,await,5\n"
    "1010,oss1,sda,requests,20\n"
    "1010,oss1,sda,await,5\n";

TEST(CsvRecording, ReadsALineAMetric) {
  const auto made = Converted(kLong);
  EXPECT_THAT(made.warnings, IsEmpty());
  EXPECT_EQ(made.lines,
            "limpet_disk_reads_completed_total{instance=\"oss1\",device=\"sda\"} 0 1000.000\n"
            "limpet_disk_writes_completed_total{instance=\"oss1\",device=\"sda\"} 0 1000.000\n"
            "limpet_disk_read_time_seconds_total{instance=\"oss1\",device=\"sda\"} 0 1000.000\n"
            "limpet_disk_write_time_seconds_total{instance=\"oss1\",device=\"sda\"} 0 1000.000\n"
            "limpet_boot_time_seconds{instance=\"oss1\"} 1000 1000.000\n"
            "limpet_disk_reads_completed_total{instance=\"oss1\",device=\"sda\"} 200 1010.000\n"
            "limpet_disk_writes_completed_total{instance=\"oss1\",device=\"sda\"} 0 1010.000\n"
            "limpet_disk_read_time_seconds_total{instance=\"oss1\",device=\"sda\"} 1 1010.000\n"
            "limpet_disk_write_time_seconds_total{instance=\"oss1\",device=\"sda\"} 0 1010.000\n");
}

TEST(CsvRecording, ReadsAColumnAMetric) {
  const auto made = Converted(
      "\xEF\xBB\xBFnode,time,await,device,requests,note\r\n"
      "oss1,1970-01-01T00:16:40Z,5,sda,20,\r\n"
      "oss1,1970-01-01T00:16:50Z,5,sda,20,\"a, b\"\r\n");
  EXPECT_EQ(made.lines, Converted(kLong).lines);
  EXPECT_THAT(made.warnings, ElementsAre(HasSubstr("column \"note\" is no metric")));
}

TEST(CsvRecording, IsTheSameHoweverItIsCut) {
  for (const std::size_t piece : {1U, 3U, 40U}) {
    EXPECT_EQ(Converted(kLong, piece).lines, Converted(kLong).lines) << piece;
  }
}

TEST(CsvRecording, TakesCountersAndGaugesAsTheyAre) {
  const auto made = Converted(
      "time,node,role,device,metric,value\n"
      "5,oss1,oss,sda,node_disk_read_bytes_total,123456\n"
      "5,oss1,oss,,load1,0.5\n");
  EXPECT_EQ(
      made.lines,
      "limpet_load1{instance=\"oss1\",role=\"oss\"} 0.5 5.000\n"
      "limpet_disk_read_bytes_total{instance=\"oss1\",role=\"oss\",device=\"sda\"} 123456 5.000\n");
}

TEST(CsvRecording, LeavesOutBadRowsAndNamesThem) {
  const auto made = Converted(
      "time,node,device,metric,value\n"
      "1000,oss1,sda,requests,20\n"
      "noon,oss1,sda,requests,20\n"
      "1010,,sda,requests,20\n"
      "1010,oss1,sda,colour,20\n"
      "1010,oss1,sda,requests,many\n"
      "1010,oss1,sda,requests,-1\n"
      "1010,oss1,sda,requests\n"
      "\n"
      "1010,oss1,sda,\"requests,1\n"
      "900,oss1,sda,requests,20\n"
      "1010,oss1,sda,requests,20\n"
      "1020,oss1,sda,requests,3");
  EXPECT_THAT(
      made.warnings,
      ElementsAre(HasSubstr("x.csv:3: expected a time such as"),
                  HasSubstr("x.csv:4: expected the name of a node"),
                  HasSubstr("x.csv:5: expected a metric such as await"),
                  HasSubstr("x.csv:6: expected a number that is not negative, got \"many\""),
                  HasSubstr("x.csv:7: expected a number that is not negative, got \"-1\""),
                  HasSubstr("x.csv:8: expected 5 cells as in the header, got 4"),
                  HasSubstr("x.csv:10: expected 5 cells"),
                  HasSubstr("x.csv:11: expected rows in order of time"),
                  HasSubstr("x.csv:13: the file ends in the middle"),
                  HasSubstr("left out 9 of 11 rows")));
  EXPECT_THAT(made.lines, HasSubstr("} 200 1010.000\n"));
  EXPECT_THAT(made.lines, Not(HasSubstr("1020.000")));
}

TEST(CsvRecording, NamesTheFirstBadRowsOnly) {
  std::string text = "time,node,metric,value\n";
  for (int i = 0; i < 1000; ++i) {
    text += "x\n";
  }
  EXPECT_EQ(Converted(text).warnings.size(), InputNotes::kMaxNamed + 1);
}

TEST(CsvRecording, SaysThatAwaitNeedsRequests) {
  const auto made = Converted("time,node,device,await\n5,a,sda,1\n6,a,sda,1\n");
  EXPECT_THAT(made.warnings, ElementsAre(HasSubstr("await counts only beside requests")));
}

TEST(CsvRecording, RefusesOtherHeadersAndLinesWithoutEnd) {
  EXPECT_THAT(Converted("time,node,metric\n").problem,
              HasSubstr("x.csv:1: expected a header such as"));
  EXPECT_THAT(Converted(std::string(CsvRecording::kMaxLine + 1, 'x')).problem,
              HasSubstr("at most 64 KiB"));
  EXPECT_TRUE(IsCsvHeader("node,time,device,await"));
  EXPECT_FALSE(IsCsvHeader("limpet_load1{instance=\"a\"} 1 5.000"));
}

TEST(CsvCells, AreParted) {
  using Cells = std::vector<std::string>;
  EXPECT_EQ(SplitCsv("a, b ,,", 10), (Cells{"a", "b", "", ""}));
  EXPECT_EQ(SplitCsv(R"("a,""b""", c)", 10), (Cells{"a,\"b\"", "c"}));
  EXPECT_EQ(SplitCsv("", 10), (Cells{""}));
  EXPECT_EQ(SplitCsv("\"a", 10), std::nullopt);
  EXPECT_EQ(SplitCsv("a,b,c", 2), std::nullopt);
}

}  // namespace
}  // namespace limpet::csv_recording_test
