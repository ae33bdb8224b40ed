#include "diagnoser/sources/recording_export.h"

#include <gtest/gtest.h>

#include <string>

namespace limpet::recording_export_test {
namespace {

std::string Exported(std::string_view lines, Format format = Format::kOpenMetrics) {
  return std::string(RecordingExport("j").Convert(lines, format));
}

TEST(RecordingExport, AddsTheLabelsThatDashboardsAskFor) {
  EXPECT_EQ(Exported("a_total{instance=\"io1\",role=\"server\",device=\"sda\"} 7 17.500\n"),
            "a_total{job=\"j\",node=\"io1\",instance=\"io1\",role=\"server\",device=\"sda\"} 7 "
            "17.500\n");
  EXPECT_EQ(Exported("a{job=\"x\",node=\"n\",instance=\"io1\"} 7 17\n"),
            "a{job=\"x\",node=\"n\",instance=\"io1\"} 7 17.000\n")
      << "those that are there stay";
  EXPECT_EQ(Exported("a 7 17\n"), "a{job=\"j\"} 7 17.000\n");
  EXPECT_EQ(RecordingExport("").Convert("a 7 17\n", Format::kOpenMetrics), "a{} 7 17.000\n");
}

TEST(RecordingExport, IsNotConfusedByWhatALabelSays) {
  EXPECT_EQ(Exported("a{x=\"job=\\\"1\\\",node=\\\"2\\\" } 3\",instance=\"i\\\\\"} 7 17\n"),
            "a{job=\"j\",node=\"i\\\\\",x=\"job=\\\"1\\\",node=\\\"2\\\" } "
            "3\",instance=\"i\\\\\"} 7 17.000\n");
  EXPECT_EQ(Exported("a{my_job=\"m\",xinstance=\"i\"} 7 17\n"),
            "a{job=\"j\",my_job=\"m\",xinstance=\"i\"} 7 17.000\n");
}

TEST(RecordingExport, ReadsTimesOfBothFormats) {
  EXPECT_EQ(Exported("a 7 1769817605.25\n"), "a{job=\"j\"} 7 1769817605.250\n");
  EXPECT_EQ(Exported("a 7 1769817605250\n", Format::kText), "a{job=\"j\"} 7 1769817605.250\n");
}

TEST(RecordingExport, DescribesAMetricOnceAndLeavesEndMarksToTheCaller) {
  RecordingExport exporting("j");
  const std::string_view file = "# HELP a A.\n# TYPE a gauge\n# a comment\na 1 1\n# EOF\n";
  EXPECT_EQ(exporting.Convert(file, Format::kOpenMetrics),
            "# HELP a A.\n# TYPE a gauge\na{job=\"j\"} 1 1.000\n");
  exporting.BeginFile();
  EXPECT_EQ(exporting.Convert("# TYPE a gauge\na 1 2\n", Format::kOpenMetrics),
            "a{job=\"j\"} 1 2.000\n");
}

TEST(RecordingExport, LeavesOutInstantsThatAnEarlierFileHas) {
  RecordingExport exporting("");
  const auto convert = [&](std::string_view lines) {
    return std::string(exporting.Convert(lines, Format::kOpenMetrics));
  };
  convert("a{instance=\"x\"} 1 10\nb{instance=\"x\"} 1 10\na{instance=\"x\"} 2 20\n");
  EXPECT_EQ(exporting.Total().samples, 3U) << "the same instant within a file is another series";
  exporting.BeginFile();
  EXPECT_EQ(convert("a{instance=\"x\"} 3 19\na{instance=\"x\"} 4 20\na{instance=\"x\"} 5 21\n"),
            "a{node=\"x\",instance=\"x\"} 5 21.000\n");
  EXPECT_EQ(convert("a{instance=\"y\"} 6 11\n"), "a{node=\"y\",instance=\"y\"} 6 11.000\n")
      << "another node's";
  EXPECT_EQ(exporting.Total().repeated, 2U);
}

TEST(RecordingExport, CountsLinesThatAreNoSamples) {
  RecordingExport exporting("j");
  EXPECT_EQ(exporting.Convert(
                "a 1\na{x=\"1\" 1 1\na one 1\na 1 2 3\n} 1 1\n\n{\n{} 1 1\na 1 4733510400\n",
                Format::kOpenMetrics),
            "");
  EXPECT_EQ(exporting.Total().bad, 8U);
}

}  // namespace
}  // namespace limpet::recording_export_test
