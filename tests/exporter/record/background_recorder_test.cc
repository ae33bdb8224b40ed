#include "exporter/record/background_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "exporter/common/exposition/writer.h"
#include "tests/exporter/record/memory_folder.h"
#include "tests/exporter/record/recorded_samples.h"
#include "tests/support/manual_clock.h"

namespace limpet::background_recorder_test {
namespace {

using std::chrono_literals::operator""s;
using ::testing::HasSubstr;

class BackgroundRecorderTest : public ::testing::Test {
 protected:
  std::unique_ptr<BackgroundRecorder> Make() {
    return std::make_unique<BackgroundRecorder>(
        RecordOptions{.instance = "io01", .compression_level = 1},
        std::make_unique<testing::MemoryFolder>(disk_), clock_, [](LogLevel, std::string_view) {});
  }
  static std::string Shown(const BackgroundRecorder& recorder) {
    return Render(recorder.Metrics(), Format::kText, {.describe = false});
  }

  testing::ManualClock clock_{UnixFromSeconds(1'769'817'605)};
  std::shared_ptr<testing::MemoryDisk> disk_ = std::make_shared<testing::MemoryDisk>();
};

TEST_F(BackgroundRecorderTest, WritesWhatItWasGivenAndSaysSo) {
  const auto recorder = Make();
  for (int i = 0; i < 100; ++i) {
    recorder->Push(testing::NumberedSample(clock_.Now() + i * 1s, i));
  }
  recorder->Stop();
  ASSERT_EQ(disk_->files.size(), 1U);
  const auto& file = disk_->files.begin()->second;
  EXPECT_EQ(testing::RecordedSamples(file).size(), 100U);
  EXPECT_EQ(Shown(*recorder),
            "limpet_recorder_up 1\n"
            "limpet_recorder_samples_total 100\n"
            "limpet_recorder_samples_lost_total 0\n"
            "limpet_recorder_written_bytes_total " +
                std::to_string(file.size()) +
                "\n"
                "limpet_recorder_last_write_timestamp_seconds 1769817704\n"
                "limpet_recorder_folder_bytes " +
                std::to_string(recorder->Total().folder_bytes) +
                "\n"
                "limpet_recorder_files_deleted_total 0\n");
}

TEST_F(BackgroundRecorderTest, ADiskThatDoesNotAnswerHoldsUpNobodyAndWhatIsLostIsCounted) {
  std::mutex mutex;
  std::condition_variable changed;
  bool blocked = false;
  bool released = false;
  disk_->before_append = [&](std::string&, std::string_view) {
    std::unique_lock lock(mutex);
    blocked = true;
    changed.notify_all();
    changed.wait(lock, [&] { return released; });
  };
  const auto recorder = Make();
  int number = 0;
  const auto push = [&] {
    recorder->Push(testing::NumberedSample(clock_.Now() + number * 1s, number));
    ++number;
  };
  while (number < 59) {
    push();
  }
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return blocked; });
  }
  while (number < 59 + 400) {
    push();
  }
  EXPECT_EQ(recorder->Dropped(), 100U);
  EXPECT_THAT(Shown(*recorder), HasSubstr("samples_lost_total 100\n"));
  {
    const std::lock_guard lock(mutex);
    released = true;
    changed.notify_all();
  }
  recorder->Stop();
  EXPECT_EQ(testing::RecordedSamples(disk_->files.begin()->second).size(), 359U);
}

TEST_F(BackgroundRecorderTest, SaysThatTheFolderCannotBeWrittenInto) {
  disk_->full = true;
  const auto recorder = Make();
  recorder->Push(testing::NumberedSample(clock_.Now(), 1));
  recorder->Stop();
  EXPECT_THAT(Shown(*recorder), HasSubstr("limpet_recorder_up 0\n"));
  EXPECT_EQ(recorder->LostFrames(), 1U);
}

}  // namespace
}  // namespace limpet::background_recorder_test
