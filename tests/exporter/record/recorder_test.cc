#include "exporter/record/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "exporter/collectors/catalog/disk.h"
#include "exporter/collectors/catalog/host.h"
#include "exporter/common/exposition/codec.h"
#include "tests/exporter/record/memory_folder.h"
#include "tests/exporter/record/recorded_samples.h"
#include "tests/support/manual_clock.h"

namespace limpet::recorder_test {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""min;
using ::testing::Contains;
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

  void Make(const std::vector<std::string>& metrics, std::uint64_t keep_days = 0,
            std::uint64_t max_bytes = 0) {
    recorder_ = std::make_unique<Recorder>(
        RecordOptions{.instance = "io01",
                      .format = form_,
                      .compression_level = 1,
                      .keep_days = keep_days,
                      .max_bytes = max_bytes,
                      .metrics = metrics},
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

  RecordingForm form_ = RecordingForm::kText;
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

TEST_F(RecorderTest, EndsAFrameBeforeItIsAMinuteOldSoThatACrashLosesNoMore) {
  Seconds(58);
  EXPECT_TRUE(disk_->files.empty());
  Second();  // the next sample but one would be a minute after the first
  EXPECT_THAT(Text("20260131T000005Z.om.zst"), EndsWith("1769817663.000\n"));
  EXPECT_EQ(recorder_->Total().newest_written, UnixFromSeconds(1'769'817'663));
  Seconds(59);
  EXPECT_THAT(Text("20260131T000005Z.om.zst"), EndsWith("1769817722.000\n"));
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

TEST_F(RecorderTest, AFullDiskIsSaidOnceAndNothingIsLostWhenItIsFreed) {
  Seconds(59);
  disk_->full = true;
  Seconds(177);
  EXPECT_THAT(log_, HasSubstr("No space left on device"));
  EXPECT_EQ(std::count(log_.begin(), log_.end(), '\n'), 1) << log_;
  EXPECT_TRUE(recorder_->Total().failing);
  EXPECT_EQ(recorder_->Waiting(), 3U);
  disk_->full = false;
  Seconds(5);
  recorder_->Close();
  EXPECT_EQ(recorder_->Waiting(), 0U);
  EXPECT_EQ(recorder_->Total().frames_lost, 0U);
  EXPECT_FALSE(recorder_->Total().failing);
  EXPECT_THAT(log_, HasSubstr("is written again; 0 samples were lost"));
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
  recorder_->Prepare();
  EXPECT_TRUE(recorder_->Total().failing) << "known before the first frame";
  Seconds(64 * 59);
  EXPECT_EQ(recorder_->Waiting(), 60U);
  EXPECT_EQ(recorder_->Total().frames_lost, 4U);
  EXPECT_EQ(recorder_->Total().samples_lost, 4U * 59);
  disk_->full = false;
  recorder_->Close();
  EXPECT_EQ(recorder_->Total().frames_lost, 5U);
  EXPECT_THAT(Text("20260131T000005Z.om.zst"), EndsWith("# EOF\n"));
}

TEST_F(RecorderTest, WhatFollowsAFileThatWasDeletedGoesIntoAnother) {
  Seconds(59);
  disk_->files.clear();
  Seconds(59);
  EXPECT_THAT(Text("20260131T000005Z.om.zst"), EndsWith("1769817722.000\n"));
  EXPECT_FALSE(recorder_->Total().failing);
}

TEST_F(RecorderTest, DeletesWhatIsTooOldAndNothingElse) {
  Make({}, 2);
  disk_->files["20260127T120000Z.om.zst"] = "old";
  disk_->files["20260128T120000Z.om.zst"] = "young enough";
  disk_->files["20250101T120000Z.om"] = "not ours";
  Seconds(59);
  EXPECT_THAT(disk_->files, ElementsAre(Key("20250101T120000Z.om"), Key("20260128T120000Z.om.zst"),
                                        Key("20260131T000005Z.om.zst")));
  EXPECT_EQ(recorder_->Total().files_deleted, 1U);
}

TEST_F(RecorderTest, AClockThatJumpsAheadDeletesNothingForAnHour) {
  Make({}, 2);
  disk_->files["20260130T120000Z.om.zst"] = "yesterday's";
  Seconds(59);
  clock_.StepWall(std::chrono::hours(24 * 365));
  Seconds(59 * 60);
  EXPECT_THAT(disk_->files, Contains(Key("20260130T120000Z.om.zst")));
  Seconds(3 * 60);
  EXPECT_THAT(disk_->files, Not(Contains(Key("20260130T120000Z.om.zst"))));
}

TEST_F(RecorderTest, AllRecordingsTogetherStayBelowTheirBound) {
  constexpr std::uint64_t kBound = 6000;
  Make({}, 0, kBound);
  std::size_t most = 0;
  for (int minute = 0; minute < 120; ++minute) {
    Seconds(60);
    std::size_t total = 0;
    for (const auto& [name, bytes] : disk_->files) {
      total += bytes.size();
    }
    most = std::max(most, total);
  }
  EXPECT_GT(recorder_->Total().files_deleted, 3U);
  EXPECT_LT(most, kBound + 500) << "and the frame that is written next";
  EXPECT_GT(most, kBound / 2);
}

TEST_F(RecorderTest, ACutFileIsReadableToItsLastWholeFrame) {
  Seconds(119);
  auto& bytes = disk_->files["20260131T000005Z.om.zst"];
  bytes.resize(bytes.size() - 10);
  const auto decoded = Decode(Encoding::kZstd, bytes, {.max_ratio = DecodeLimits::kNone});
  ASSERT_TRUE(decoded);
  EXPECT_TRUE(decoded->cut);
  EXPECT_THAT(decoded->text, HasSubstr("1769817663.000\n")) << "all of the first minute";
}

TEST_F(RecorderTest, ClosingWithoutASampleMakesNoFile) {
  recorder_->Close();
  EXPECT_TRUE(disk_->files.empty());
}

// The same in columns.
class ColumnsRecorderTest : public RecorderTest {
 protected:
  ColumnsRecorderTest() {
    form_ = RecordingForm::kColumns;
    Make({});
  }
  std::string Lines(const std::string& name = "20260131T000005Z.columns.zst") {
    return testing::RecordedText(disk_->files[name]);
  }
  // Samples of the counter, which grows by one each second.
  static std::size_t Count(const std::string& text) {
    std::size_t lines = 0;
    for (auto at = text.find("reads_completed_total"); at != std::string::npos;
         at = text.find("reads_completed_total", at + 1)) {
      ++lines;
    }
    return lines;
  }
};

TEST_F(ColumnsRecorderTest, HaveTheLinesOfTheText) {
  Seconds(150);
  recorder_->Close();
  const auto lines = Lines();
  const auto size = disk_->files["20260131T000005Z.columns.zst"].size();
  form_ = RecordingForm::kText;
  clock_.StepWall(-150s);
  reads_ = 7;
  Make({});
  Seconds(150);
  recorder_->Close();
  EXPECT_EQ(lines, Text("20260131T000005Z.om.zst"));
  EXPECT_LT(size, disk_->files["20260131T000005Z.om.zst"].size());
}

TEST_F(ColumnsRecorderTest, AFullDiskLosesNothingWhenItIsFreed) {
  Seconds(59);
  disk_->full = true;
  Seconds(177);
  disk_->full = false;
  Seconds(5);
  recorder_->Close();
  EXPECT_EQ(Count(Lines()), 241U);
}

TEST_F(ColumnsRecorderTest, WhatIsLeftOfALongFailureCanBeRead) {
  Seconds(2 * 59);
  disk_->full = true;
  Seconds(64 * 59);
  disk_->full = false;
  recorder_->Close();
  EXPECT_EQ(recorder_->Total().frames_lost, 5U);
  const auto text = Lines();
  EXPECT_EQ(Count(text), (2U + 59) * 59) << "all that was written";
  EXPECT_THAT(text, EndsWith("# EOF\n"));
}

TEST_F(ColumnsRecorderTest, WhatFollowsAFileThatWasDeletedNeedsItNot) {
  Seconds(2 * 59);
  disk_->files.clear();
  Seconds(2 * 59);
  EXPECT_EQ(Count(Lines()), 2U * 59);
}

TEST_F(ColumnsRecorderTest, ACutFileIsReadableToItsLastWholeFrame) {
  Seconds(119);
  auto& bytes = disk_->files["20260131T000005Z.columns.zst"];
  for (std::size_t cut = 1; cut < 20; ++cut) {
    bytes.resize(bytes.size() - 1);
    // The last four bytes are zstd's checksum; the chunk has one of its own.
    EXPECT_EQ(Count(Lines()), cut <= 4 ? 118U : 59U) << cut;
  }
}

TEST_F(ColumnsRecorderTest, MoreSeriesThanAChunkHoldsMakeChunksOfTheirOwn) {
  Family many{&catalog::kDiskReadsCompleted, {}};
  for (int i = 0; i < 10'000; ++i) {
    many.samples.push_back({MakeLabels({{"device", std::to_string(i)}}), 1.0 * i});
  }
  for (int second = 0; second < 59; ++second) {
    recorder_->Add(Snapshot(clock_.Now(), {many}, {}));
    clock_.Advance(1s);
  }
  EXPECT_EQ(Count(Lines()), 59U * 10'000);
}

}  // namespace
}  // namespace limpet::recorder_test
