#include "diagnoser/evidence/windows/write_records.h"

#include <gmock/gmock.h>

#include <vector>

#include "tests/support/server_bytes.h"

namespace limpet::write_records_test {
namespace {

using ::testing::IsEmpty;
using testing::RowNumber;
using testing::Server;
using ::testing::SizeIs;

constexpr std::int64_t kStart = 1'700'000'000;

PresetSettings Quick() {
  auto preset = DefaultPreset();
  preset.window = testing::kWindow;
  preset.shift = 4;
  return preset;
}

struct Told {
  PresetSettings preset = Quick();
  std::vector<Member> members = {{.name = "a", .node = "a"}};
  WriteRecords records;

  // The history in the window that ends at that second.
  std::vector<WriteStretch> Add(std::int64_t second, const MemberSamples& server) {
    std::vector<MemberSamples> samples = {server};
    const auto end = UnixFromSeconds(kStart + second);
    records.AddTo(end, preset, rows::kInterfaces, members, samples);
    records.Keep(end, members, samples);
    return samples[0].writes.stretches;
  }
};

TEST(WriteRecords, WindowsAddWhatHasPassedSinceTheLast) {
  Told told;
  EXPECT_THAT(told.Add(4, Server({.written = 1, .received = 2})), IsEmpty()) << "no course yet";
  EXPECT_THAT(told.Add(8, Server({.written = 3, .received = 4})), IsEmpty());
  auto first = Server({.written = 5, .received = 6});
  first.course.resize(rows::kInterfaces.size());
  first.course[RowNumber("unreceived")].fill(5);
  first.course[RowNumber("rxbyt")].fill(6);
  EXPECT_THAT(told.Add(12, first), SizeIs(kCourseBlocks));
  const auto stretches = told.Add(16, Server({.written = 7, .received = 8}));
  ASSERT_THAT(stretches, SizeIs(kCourseBlocks + 1));
  EXPECT_EQ(stretches.back().end, UnixFromSeconds(kStart + 16));
  EXPECT_EQ(stretches.back().seconds, 4);
  EXPECT_EQ(stretches.back().written, 7);
  EXPECT_EQ(stretches.back().received, 8);
  EXPECT_EQ(stretches.front().written, 5);
  EXPECT_THAT(told.Add(16, Server({.written = 7, .received = 8})), SizeIs(kCourseBlocks + 1))
      << "the same window once more";
  EXPECT_THAT(told.Add(20, Server({.written = 7, .received = 8}, 3)), SizeIs(kCourseBlocks + 1))
      << "it has holes";
}

TEST(WriteRecords, WhatIsTooLongAgoIsForgotten) {
  Told told;
  auto first = Server({.written = 5, .received = 6});
  first.course.resize(rows::kInterfaces.size());
  (void)told.Add(12, first);
  const auto later = 12 + static_cast<std::int64_t>(ToSeconds(kHeldBack));
  EXPECT_THAT(told.Add(later, Server({.written = 7, .received = 8})), SizeIs(1));
}

}  // namespace
}  // namespace limpet::write_records_test
