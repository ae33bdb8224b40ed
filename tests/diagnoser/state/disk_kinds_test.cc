#include "diagnoser/state/disk_kinds.h"

#include <gtest/gtest.h>

#include "diagnoser/state/codec.h"

namespace limpet::disk_kinds_test {
namespace {

const std::vector<DiskKindMemory> kKinds = {
    {.group = "server-disks",
     .splits = {{.within = "data", .label = "device", .odd = {"sda", "sdb"}}},
     .names = {{"data, others of device", ""}, {"data, those of device", "2"}}}};

TEST(DiskKindsState, WhatIsWrittenIsRead) {
  PipelineState state;
  state.disk_kinds = kKinds;
  const auto read = DecodeState(EncodeState(state, {}), {});
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_TRUE(read->ignored.empty());
  EXPECT_EQ(read->state.disk_kinds, kKinds);
}

TEST(DiskKindsState, WhatIsCutIsNotUsed) {
  ByteWriter out;
  WriteDiskKinds(kKinds, out);
  for (std::size_t length = 0; length < out.Bytes().size(); ++length) {
    ByteReader in(std::string_view(out.Bytes()).substr(0, length));
    EXPECT_FALSE(ReadDiskKinds(in)) << length;
  }
}

}  // namespace
}  // namespace limpet::disk_kinds_test
