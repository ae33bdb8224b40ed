#include "diagnoser/runtime/recorded_step.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace limpet::recorded_step_test {
namespace {

using namespace std::chrono_literals;

// A recording of `readings` readings of two disks of a node, `step` seconds apart but where one was
// lost.
std::string Write(const std::string& name, int step, int readings, bool stamps = true) {
  const auto path = std::filesystem::temp_directory_path() / name;
  std::ofstream file(path);
  file << "# TYPE limpet_disk_reads_completed counter\n";
  for (int i = 0; i < readings; ++i) {
    for (const auto* device : {"sda", "sdb"}) {
      const auto at = stamps ? fmt::format(" {}.250", 1'700'000'000 + step * (i < 3 ? i : i + 1))
                             : std::string();
      file << fmt::format("limpet_disk_reads_completed_total{{device=\"{}\"}} {}{}\n", device, i,
                          at);
    }
  }
  file << "# EOF\n";
  return path;
}

TEST(RecordedStep, IsTheMedianTimeBetweenReadings) {
  EXPECT_EQ(FindRecordedStep({Write("step-15.om", 15, 8)}), 15s);
  EXPECT_EQ(FindRecordedStep({Write("step-1.om", 1, 8)}), 1s);
}

std::string WriteText(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / name;
  std::ofstream(path) << text;
  return path;
}

TEST(RecordedStep, CountsMillisecondsInPrometheusText) {
  EXPECT_EQ(FindRecordedStep({WriteText("step-ms.om",
                                        "a{x=\"y\"} 1 1700000000000\na{x=\"y\"} 2 1700000015000\n"
                                        "a{x=\"y\"} 3 1700000030000\n")}),
            15s);
}

TEST(RecordedStep, WhatIsNoInstantIsNoReading) {
  EXPECT_EQ(FindRecordedStep({WriteText("step-far.om",
                                        "a 1 -9000000000.250\na 2 1700000000.250\n"
                                        "a 3 1700000015.250\na 4 9000000000.250\n# EOF\n")}),
            15s);
}

TEST(RecordedStep, IsThatOfOtherProgramsFiles) {
  EXPECT_EQ(FindRecordedStep({WriteText("step.csv",
                                        "time,node,device,requests\n0,a,sda,1\n600,a,sda,2\n"
                                        "1200,a,sda,3\n")}),
            600s);
}

TEST(RecordedStep, IsUnknownWithoutTwoStampedReadings) {
  EXPECT_EQ(FindRecordedStep({Write("step-once.om", 15, 1)}), std::nullopt);
  EXPECT_EQ(FindRecordedStep({Write("step-none.om", 15, 8, false)}), std::nullopt);
  EXPECT_EQ(FindRecordedStep({"/nowhere/step.om"}), std::nullopt);
}

}  // namespace
}  // namespace limpet::recorded_step_test
