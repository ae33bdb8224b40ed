#include "exporter/record/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "exporter/collectors/catalog/disk.h"
#include "exporter/collectors/catalog/host.h"
#include "exporter/common/exposition/codec.h"
#include "tests/exporter/record/memory_folder.h"
#include "tests/support/manual_clock.h"

namespace limpet {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""min;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;
using ::testing::StartsWith;

constexpr UnixTime kMidnight = std::chrono::sys_days(std::chrono::year(2026) / 1 / 31);

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() : clock_(kMidnight + 5s) { Make({}); }

  void Make(const std::vector<std::string>& metrics) {
    recorder_ = std::make_unique<Recorder>(
        RecordOptions{
            .output_dir = "", .instance = "io01", .compression_level = 1, .metrics = metrics},
        std::make_unique<testing::MemoryFolder>(disk_), clock_,
        [this](LogLevel, std::string_view text) { log_ += std::string(text) + "\n"; });
  }

  // One sample now; then a second passes.
  void Second() {
    const auto device = MakeLabels({{"device", "sda"}});
    recorder_->Add(Snapshot(clock_.Now(),
                            {{&catalog::kDiskReadsCompleted, {{device, reads_}}},
                             {&catalog::kDiskAwait, {{device, 0.5}}},
                             {&catalog::kLoad1, {{nullptr, 0.25}}}},
                            {}));
    reads_ += 1;
    clock_.Advance(1s);
  }
  void Seconds(int count) {
    for (int i = 0; i < count; ++i) {
      Second();
    }
  }
  std::string Text(const std::string& name) {
    const auto decoded =
        Decode(Encoding::kZstd, disk_->files[name], {.max_ratio = DecodeLimits::kNone});
    return decoded ? decoded->text : decoded.error().Text();
  }

  testing::ManualClock clock_;
  std::shared_ptr<testing::MemoryDisk> disk_ = std::make_shared<testing::MemoryDisk>();
  std::string log_;
  std::unique_ptr<Recorder> recorder_;
  double reads_ = 7;
};

TEST_F(RecorderTest, WritesABlockASecondWithTimeAndNodeOnEveryLine) {
  Seconds(2);
  recorder_->Close();
  ASSERT_THAT(disk_->files, ElementsAre(Key("20260131T000005Z.om.zst")));
  EXPECT_EQ(Text("20260131T000005Z.om.zst"),
            "# HELP limpet_disk_reads_completed Reads completed successfully.\n"
            "# TYPE limpet_disk_reads_completed counter\n"
            "limpet_disk_reads_completed_total{instance=\"io01\",role=\"server\",device=\"sda\"} 7 "
            "1769817605.000\n"
            "# HELP limpet_load1 Load average over 1 minute.\n"
            "# TYPE limpet_load1 gauge\n"
            "limpet_load1{instance=\"io01\",role=\"server\"} 0.25 1769817605.000\n"
            "limpet_disk_reads_completed_total{instance=\"io01\",role=\"server\",device=\"sda\"} 8 "
            "1769817606.000\n"
            "limpet_load1{instance=\"io01\",role=\"server\"} 0.25 1769817606.000\n"
            "# EOF\n");
}

TEST_F(RecorderTest, RecordsWhatItIsTold) {
  Make({"disk_await_seconds"});
  Second();
  recorder_->Close();
  EXPECT_THAT(Text("20260131T000005Z.om.zst"), HasSubstr("limpet_disk_await_seconds"));
  EXPECT_THAT(Text("20260131T000005Z.om.zst"), Not(HasSubstr("reads_completed")));
}

TEST_F(RecorderTest, EndsAFrameEveryMinuteSoThatACrashLosesNoMore) {
  Seconds(60);
  EXPECT_TRUE(disk_->files.empty());
  Second();
  EXPECT_THAT(Text("20260131T000005Z.om.zst"), EndsWith("1769817664.000\n"));
  Seconds(60);
  EXPECT_THAT(Text("20260131T000005Z.om.zst"), EndsWith("1769817724.000\n"));
  EXPECT_EQ(recorder_->Total().frames_written, 2U);
}

TEST_F(RecorderTest, BeginsAFileFiveSecondsAfterMidnight) {
  clock_.Advance(std::chrono::hours(24) - 3s);
  Seconds(6);
  recorder_->Close();
  ASSERT_THAT(disk_->files,
              ElementsAre(Key("20260201T000002Z.om.zst"), Key("20260201T000005Z.om.zst")));
  EXPECT_THAT(Text("20260201T000002Z.om.zst"), EndsWith("1769904004.000\n# EOF\n"));
  EXPECT_THAT(Text("20260201T000005Z.om.zst"), StartsWith("# HELP"));
}

TEST_F(RecorderTest, ASmallStepBackMakesNoSecondFileAndTimeStillGrows) {
  Seconds(3);
  clock_.StepWall(-4s);
  Seconds(5);
  recorder_->Close();
  EXPECT_EQ(disk_->files.size(), 1U);
  EXPECT_EQ(recorder_->Total().skipped, 4U);
  EXPECT_THAT(Text("20260131T000005Z.om.zst"), HasSubstr("1769817608.000"));
}

TEST_F(RecorderTest, NeverWritesOverAFile) {
  disk_->files["20260131T000005Z.om.zst"] = "precious";
  disk_->files["20260131T000005Z-1.om.zst"] = "precious";
  Second();
  recorder_->Close();
  EXPECT_EQ(disk_->files["20260131T000005Z.om.zst"], "precious");
  EXPECT_EQ(disk_->files["20260131T000005Z-1.om.zst"], "precious");
  EXPECT_THAT(Text("20260131T000005Z-2.om.zst"), EndsWith("# EOF\n"));
}

TEST_F(RecorderTest, AFullDiskIsSaidOnceAMinuteAndNothingIsLostWhenItIsFreed) {
  Seconds(61);
  disk_->full = true;
  Seconds(180);
  EXPECT_THAT(log_, HasSubstr("No space left on device"));
  EXPECT_EQ(recorder_->Waiting(), 3U);
  disk_->full = false;
  recorder_->Close();
  EXPECT_EQ(recorder_->Waiting(), 0U);
  EXPECT_EQ(recorder_->Total().frames_lost, 0U);
  const auto text = Text("20260131T000005Z.om.zst");
  std::size_t lines = 0;
  for (auto at = text.find("reads_completed_total"); at != std::string::npos;
       at = text.find("reads_completed_total", at + 1)) {
    ++lines;
  }
  EXPECT_EQ(lines, 241U);
}

TEST_F(RecorderTest, ADiskThatStaysFullCostsBoundedMemoryAndTheOldestSamples) {
  disk_->full = true;
  Seconds(65 * 60);
  EXPECT_EQ(recorder_->Waiting(), 60U);
  EXPECT_EQ(recorder_->Total().frames_lost, 4U);
  disk_->full = false;
  recorder_->Close();
  EXPECT_EQ(recorder_->Total().frames_lost, 5U);
  EXPECT_THAT(Text("20260131T000005Z.om.zst"), EndsWith("# EOF\n"));
}

TEST_F(RecorderTest, ACutFileIsReadableToItsLastWholeFrame) {
  Seconds(121);
  auto& bytes = disk_->files["20260131T000005Z.om.zst"];
  bytes.resize(bytes.size() - 10);
  const auto decoded = Decode(Encoding::kZstd, bytes, {.max_ratio = DecodeLimits::kNone});
  ASSERT_TRUE(decoded);
  EXPECT_TRUE(decoded->cut);
  EXPECT_THAT(decoded->text, HasSubstr("1769817664.000\n")) << "all of the first minute";
}

TEST_F(RecorderTest, ClosingWithoutASampleMakesNoFile) {
  recorder_->Close();
  EXPECT_TRUE(disk_->files.empty());
}

}  // namespace
}  // namespace limpet
