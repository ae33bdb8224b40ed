#include "exporter/probe/probed_disk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/temp_folder.h"

namespace limpet::probed_disk_test {
namespace {

using ::testing::HasSubstr;

class ProbedDiskTest : public ::testing::Test {
 protected:
  std::string Problem(const std::string& device) const {
    const auto opened = ProbedDisksIn(folder_.Path("dev"), folder_.Path("sys"))(device);
    return opened ? "opened" : opened.error().Text();
  }
  testing::TempFolder folder_;
};

TEST_F(ProbedDiskTest, SaysThatTheKernelHasNoSuchDisk) {
  EXPECT_EQ(Problem("sdb"), "sdb: the kernel has no such disk; was it removed?");
  folder_.Write("sys/class/block/sdc/dev", "something else\n");
  EXPECT_THAT(Problem("sdc"), HasSubstr("the kernel has no such disk"));
}

TEST_F(ProbedDiskTest, SaysWhatHidesTheDeviceNode) {
  folder_.Write("sys/class/block/sdb/dev", "8:16\n");
  folder_.Write("dev/sdc", "");
  EXPECT_THAT(Problem("sdb"), HasSubstr(folder_.Path("dev/sdb") + ": no such file"));
  EXPECT_THAT(Problem("sdb"), HasSubstr("PrivateDevices=no"));
}

TEST_F(ProbedDiskTest, ReadsNoFileThatIsNotThatVeryDisk) {
  folder_.Write("sys/class/block/cciss!c0d0/dev", "104:0\n");
  folder_.Write("dev/cciss/c0d0", std::string(kProbeBlock, 'x'));
  EXPECT_THAT(Problem("cciss!c0d0"), HasSubstr("expected block device 104:0"));
}

TEST(DeviceName, IsNoPath) {
  for (const auto* name : {"sdb", "nvme0n1", "cciss!c0d0", "dm-3", "mmcblk0.x_y"}) {
    EXPECT_TRUE(IsDeviceName(name)) << name;
  }
  for (const auto* name : {"", ".", "..", "../sda", "a/b", "sd b", "sd\nb", "\xc3\xa4"}) {
    EXPECT_FALSE(IsDeviceName(name)) << name;
  }
  EXPECT_FALSE(IsDeviceName(std::string(65, 'a')));
}

}  // namespace
}  // namespace limpet::probed_disk_test
