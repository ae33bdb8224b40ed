#include "diagnoser/state/writes.h"

#include <gtest/gtest.h>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/state/codec.h"

namespace limpet::writes_test {
namespace {

WriteStretch Stretch(std::int64_t second) {
  return {
      .end = UnixFromSeconds(1'700'000'000 + second), .seconds = 4, .written = 1, .received = 2};
}

const WriteMemory kMemory = {
    .preset = "default",
    .group = "lan",
    .servers = {{"io01", {Stretch(4), Stretch(8)}}, {"io02", {Stretch(8)}}}};

PipelineConfig Config() {
  return {.presets = {DefaultPreset()},
          .groups = {{.name = "lan", .kind = GroupKind::kNetwork, .roles = {"io"}}}};
}

TEST(WritesState, WhatIsWrittenIsRead) {
  PipelineState state;
  state.writes = {kMemory};
  const auto read = DecodeState(EncodeState(state, Config()), Config());
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_TRUE(read->ignored.empty());
  EXPECT_EQ(read->state.writes, state.writes);
}

TEST(WritesState, AChangedGroupBeginsAnew) {
  PipelineState state;
  state.writes = {kMemory};
  auto changed = Config();
  changed.groups[0].roles = {"server"};
  const auto read = DecodeState(EncodeState(state, Config()), changed);
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_TRUE(read->state.writes.empty());
}

TEST(WritesState, WhatIsCutOrOutOfOrderIsNotUsed) {
  ByteWriter out;
  WriteWrites(kMemory, out);
  const auto& bytes = out.Bytes();
  WriteMemory read{.preset = kMemory.preset, .group = kMemory.group, .servers = {}};
  ByteReader whole(bytes);
  EXPECT_TRUE(ReadWrites(whole, {}, read));
  EXPECT_EQ(read, kMemory);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ByteReader in(std::string_view(bytes).substr(0, length));
    EXPECT_FALSE(ReadWrites(in, {}, read)) << length;
  }
  ByteWriter twice;
  WriteWrites({.preset = {}, .group = {}, .servers = {{"io01", {Stretch(8), Stretch(8)}}}}, twice);
  ByteReader in(twice.Bytes());
  EXPECT_FALSE(ReadWrites(in, {}, read));
}

}  // namespace
}  // namespace limpet::writes_test
