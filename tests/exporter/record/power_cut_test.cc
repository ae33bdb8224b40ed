// The power goes at 200 random instants: what was not on the disk is gone, what was being written
// is there in part or as zeros. At most a minute may be missing, and the next life goes on.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "exporter/record/recorder.h"
#include "tests/exporter/record/memory_folder.h"
#include "tests/exporter/record/recorded_samples.h"
#include "tests/support/manual_clock.h"

namespace limpet::power_cut_test {
namespace {

using std::chrono_literals::operator""s;

constexpr int kCuts = 200;
constexpr UnixTime kStart = std::chrono::sys_days(std::chrono::year(2026) / 12 / 31);

struct PowerCut {};

// What a file system may leave of an append that was not synced: nothing, a part, or its length
// with blocks that were never written.
void Tear(std::string& content, std::string_view bytes, std::mt19937_64& random) {
  const auto part = random() % (bytes.size() + 1);
  switch (random() % 3) {
    case 0:
      content += bytes.substr(0, part);
      break;
    case 1:
      content += bytes.substr(0, part);
      content.append(bytes.size() - part, '\0');
      break;
    default:
      break;
  }
}

class PowerCutTest : public ::testing::TestWithParam<RecordingForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, PowerCutTest,
                         ::testing::Values(RecordingForm::kText, RecordingForm::kColumns));

TEST_P(PowerCutTest, LosesAtMostAMinuteAndTheNextStartGoesOn) {
  std::mt19937_64 random(18);
  testing::ManualClock clock(kStart);
  const auto disk = std::make_shared<testing::MemoryDisk>();
  int number = 0;
  std::set<int> seen;
  std::set<std::string> files;  // of the lives so far
  Duration longest{};
  for (int cut = 0; cut < kCuts; ++cut) {
    Recorder recorder({.instance = "io01", .format = GetParam(), .compression_level = 1},
                      std::make_unique<testing::MemoryFolder>(disk), clock,
                      [](LogLevel, std::string_view) {});
    const auto began = clock.Now();
    // Half of them while a frame is being written: the next one from some second on.
    const auto seconds = 1 + random() % 300;
    const bool in_append = random() % 2 == 0;
    try {
      for (std::uint64_t i = 0; i < seconds || in_append; ++i) {
        if (i == seconds) {
          disk->before_append = [&](std::string& content, std::string_view bytes) {
            Tear(content, bytes, random);
            throw PowerCut();
          };
        }
        recorder.Add(testing::NumberedSample(clock.Now(), number++));
        clock.Advance(1s);
      }
    } catch (const PowerCut&) {
      clock.Advance(1s);
    }
    disk->before_append = nullptr;

    auto newest = began - 1s;
    for (const auto& [name, bytes] : disk->files) {
      if (!files.insert(name).second) {
        continue;
      }
      for (const auto& sample : testing::RecordedSamples(bytes)) {
        EXPECT_TRUE(seen.insert(sample.number).second) << sample.number << " is there twice";
        EXPECT_EQ(sample.at, kStart + sample.number * 1s) << "and as it was written";
        newest = std::max(newest, sample.at);
      }
    }
    longest = std::max(longest, clock.Now() - 1s - newest);
  }
  EXPECT_LE(longest, 60s) << "from the newest sample that is on the disk to the cut";
  EXPECT_GT(longest, 50s) << "or the cuts came at none of the bad instants";
}

}  // namespace
}  // namespace limpet::power_cut_test
