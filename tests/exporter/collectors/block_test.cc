#include "exporter/collectors/block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/support/families.h"
#include "tests/support/kernel_arrays.h"
#include "tests/support/map_files.h"

namespace limpet::block_test {
namespace {

using std::chrono::seconds;
using testing::Find;
using testing::KernelArrays;
using testing::MapFiles;
using testing::Value;

constexpr std::size_t kPlaces = 2;
constexpr auto kSdaReads = R"(device="sda",operation="read")";
constexpr auto kSda = 8U << 20U;

class Block : public ::testing::Test {
 protected:
  Block() : kernel_(bpf::BlockRequest{kPlaces}) {
    kernel_.Add<BlockCell>("cells", (bpf::PossibleCpus() + 1) * kPlaces * kBlockOperations);
    kernel_.Add<BlockDevice>("devices", kPlaces);
    kernel_.Add<__u64>("drops", kBlockDrops);
    files_->files["diskstats"] =
        "   8       0 sda 1 0 8 1 0 0 0 0 0 1 1\n   8      16 sdb 1 0 8 1 0 0 0 0 0 1 1\n"
        "   7       0 loop0 1 0 8 1 0 0 0 0 0 1 1\n";
    collector_ = Make(kernel_.Programs());
  }
  std::unique_ptr<BlockCollector> Make(bpf::ProgramsPtr programs) {
    return std::make_unique<BlockCollector>(
        BlockOptions{}, DeviceFilter::Make({}, kDefaultDiskExclude).value(), std::move(programs),
        std::make_unique<MapFiles>(files_));
  }
  BlockCell& Reads(std::size_t row, std::size_t place = 0) {
    return kernel_.At<BlockCell>("cells", (row * kPlaces + place) * kBlockOperations + kBlockRead);
  }
  BlockDevice& Device(std::size_t place) { return kernel_.At<BlockDevice>("devices", place); }
  Families At(int second) {
    return collector_->Collect({UnixTime(seconds(second)), SteadyTime(seconds(second))}).value();
  }

  std::shared_ptr<testing::FileTree> files_ = std::make_shared<testing::FileTree>();
  KernelArrays kernel_;
  std::unique_ptr<BlockCollector> collector_;
};

TEST_F(Block, AddsUpTheCpusAndTheSecondProgram) {
  Device(0).device = kSda;
  for (const std::size_t row : {std::size_t{0}, std::size_t{bpf::PossibleCpus()}}) {
    Reads(row).device_ns = 1'000'000;
    Reads(row).device[10] = 1;
    Reads(row).total_ns = 3'000'000;
    Reads(row).total[11] = 1;
    Reads(row).bytes = 4096;
    Reads(row).size[3] = 1;
  }
  const auto page = At(1);
  const auto* family = Find(page, "block_device_seconds");
  ASSERT_NE(family, nullptr);
  EXPECT_EQ(family->samples.back().value, 2);
  EXPECT_EQ(family->samples.back().part, SamplePart::kCount);
  EXPECT_EQ(family->samples.back().labels->Rendered(), kSdaReads);
  EXPECT_DOUBLE_EQ(family->samples[family->samples.size() - 2].value, 0.002);
  EXPECT_EQ(
      Value(page, "block_device_seconds", R"(device="sda",operation="read",le="0.001048576")"), 2);
  EXPECT_EQ(
      Value(page, "block_device_seconds", R"(device="sda",operation="read",le="0.000524288")"), 0);
  EXPECT_EQ(Value(page, "block_request_bytes", R"(device="sda",operation="read",le="4096")"), 2);
}

TEST_F(Block, TellsSmallRequestsFromLargeOnes) {
  Device(0).device = kSda;
  Reads(0).device[10] = 5;
  Reads(0).total[11] = 5;
  Reads(0).sized[kBlockSmall] = 3;
  Reads(0).sized_ns[kBlockSmall] = 2'000'000;
  Reads(0).sized[kBlockLarge] = 2;
  Reads(0).sized_ns[kBlockLarge] = 7'000'000;
  const auto page = At(1);
  constexpr auto kSmall = R"(device="sda",operation="read",size="small")";
  constexpr auto kLarge = R"(device="sda",operation="read",size="large")";
  EXPECT_EQ(Value(page, "block_requests_total", kSmall), 3);
  EXPECT_EQ(Value(page, "block_requests_total", kLarge), 2);
  EXPECT_EQ(Value(page, "block_request_seconds_total", kSmall), 0.002);
  EXPECT_DOUBLE_EQ(*Value(page, "block_request_seconds_total", kLarge), 0.007);
}

TEST_F(Block, LeavesOutWhatTheFilterLeavesOutAndOperationsThatNeverWere) {
  Device(0).device = 7U << 20U;  // loop0
  Reads(0).device[0] = 1;
  Device(1).device = kSda;
  EXPECT_EQ(Find(At(1), "block_device_seconds"), nullptr);
}

TEST_F(Block, ADeviceThatTakesAPlaceBeginsAtZero) {
  Device(0).device = kSda;
  Reads(0).device_ns = 5'000'000;
  Reads(0).device[0] = 5;
  Device(0).depth_ns[0] = 1'000'000'000;
  At(1);
  Device(0).device = kSda | 16U;
  Device(0).generation = 1;
  EXPECT_EQ(Find(At(2), "block_device_seconds"), nullptr);
  Reads(0).device_ns += 1'000'000;
  Reads(0).device[0] += 1;
  const auto page = At(3);
  EXPECT_EQ(Find(page, "block_device_seconds")->samples.back().value, 1);
  EXPECT_EQ(Value(page, "block_inflight_seconds_total", R"(device="sdb",depth="1")"), 0);
}

TEST_F(Block, TheTimeOfADepthGrowsWhileADiskHangs) {
  Device(0).device = kSda;
  Device(0).in_flight = 5;
  Device(0).changed_ns = 10'000'000'000;
  constexpr auto kDepth = R"(device="sda",depth="4")";
  EXPECT_EQ(Value(At(12), "block_inflight_seconds_total", kDepth), 2);
  EXPECT_EQ(Value(At(40), "block_inflight_seconds_total", kDepth), 30);
  // The kernel's own sum may come a moment after the change: the counter does not fall.
  Device(0).changed_ns = 41'000'000'000;
  Device(0).in_flight = 0;
  EXPECT_EQ(Value(At(41), "block_inflight_seconds_total", kDepth), 30);
}

TEST_F(Block, CountsWhatWasDropped) {
  kernel_.At<__u64>("drops", kBlockDropUnseen) = 3;
  EXPECT_EQ(Value(At(1), "block_dropped_total", R"(reason="unseen")"), 3);
  EXPECT_EQ(Value(At(1), "block_dropped_total", R"(reason="devices")"), 0);
}

TEST_F(Block, WithoutProgramsReportsNothing) {
  collector_ = Make(nullptr);
  EXPECT_TRUE(At(1).empty());
}

}  // namespace
}  // namespace limpet::block_test
