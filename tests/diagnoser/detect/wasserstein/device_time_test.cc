#include "diagnoser/detect/wasserstein/device_time.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "diagnoser/metrics/samples.h"

namespace limpet::device_time_test {
namespace {

// A disk that takes a seconds a request and b a byte, `slow` times as long as its peers.
struct Disk {
  double requests = 100;  // a second
  double size = 64e3;     // bytes a request
  double slow = 1;
  double varies = 0;  // part by which the size goes up and down
};
constexpr double kPerRequest = 2e-3;
constexpr double kPerByte = 1e-8;

class DeviceTimesTest : public ::testing::Test {
 protected:
  std::vector<double> Slowdowns(const std::vector<Disk>& disks) {
    samples_.clear();
    for (const auto& disk : disks) {
      samples_.push_back(Make(disk));
    }
    members_.resize(disks.size());
    const GroupSamples group{
        .end = {}, .metrics = rows::kDisks, .members = members_, .samples = samples_};
    std::vector<std::size_t> who(disks.size());
    std::iota(who.begin(), who.end(), std::size_t{0});
    DeviceTimes times(group, who);
    std::vector<double> slowdowns;
    for (const auto place : who) {
      slowdowns.push_back(times.Slowdown(place).value_or(-1));
      busiest_.push_back(times.IsBusiest(place));
    }
    return slowdowns;
  }
  static MemberSamples Make(const Disk& disk) {
    constexpr std::size_t kWindow = 32;
    std::vector<std::vector<double>> metrics(rows::kDisks.size(), std::vector<double>(kWindow));
    for (std::size_t t = 0; t < kWindow; ++t) {
      const double size = disk.size * (1 + disk.varies * std::sin(static_cast<double>(t)));
      const double busy = disk.slow * disk.requests * (kPerRequest + kPerByte * size);
      metrics[Index(DiskMetric::kUtil)][t] = 100 * busy;
      metrics[Index(DiskMetric::kRequests)][t] = disk.requests;
      metrics[Index(DiskMetric::kRead)][t] = disk.requests * size / kBytesPerSector;
    }
    MemberSamples member;
    for (const auto& metric : metrics) {
      member.metrics.Add(metric);
    }
    return member;
  }

  std::vector<Member> members_;
  std::vector<MemberSamples> samples_;
  std::vector<bool> busiest_;
};

TEST_F(DeviceTimesTest, ASlowDeviceTakesLongerForTheSameWork) {
  const auto slowdowns = Slowdowns({{}, {}, {}, {.slow = 1.8}});
  EXPECT_NEAR(slowdowns[3], 1.8, 1e-9);
  EXPECT_LE(slowdowns[0], 1 + 1e-9);
}

TEST_F(DeviceTimesTest, MoreWorkIsNotSlowness) {
  const auto slowdowns = Slowdowns({{}, {}, {}, {.requests = 170}});
  EXPECT_NEAR(slowdowns[3], 1, 1e-9);
  EXPECT_TRUE(busiest_[3]);
  EXPECT_FALSE(busiest_[0]);
}

// Per request it is even faster than its peers.
TEST_F(DeviceTimesTest, ASlowDiskWithSmallRequestsIsFoundWherePeersRequestsVary) {
  const auto slowdowns = Slowdowns({{.size = 256e3, .varies = 0.5},
                                    {.size = 300e3, .varies = 0.5},
                                    {.size = 200e3, .varies = 0.5},
                                    {.size = 20e3, .slow = 1.8}});
  EXPECT_NEAR(slowdowns[3], 1.8, 0.01);
}

TEST_F(DeviceTimesTest, WherePeersRequestsAreAllOfOneSizeNobodyIsBlamedForAnother) {
  for (const double size : {40e3, 77e3, 128e3}) {
    const auto slowdowns = Slowdowns({{}, {}, {}, {.size = size}});
    EXPECT_LE(slowdowns[3], 1.01) << size;
  }
}

// Kernels 5.0 to 6.9: flash with a request in every clock tick is always busy.
TEST_F(DeviceTimesTest, ADiskIsBusyNoLongerThanItsRequestsTake) {
  const auto slowdown = [&](bool by_queue) {
    samples_.clear();
    for (const double await : {0.1, 0.1, 0.1, 0.15}) {
      std::vector<std::vector<double>> metrics(rows::kDisks.size(), std::vector<double>(32));
      const auto fill = [&](DiskMetric metric, double value) {
        metrics[Index(metric)].assign(32, value);
      };
      fill(DiskMetric::kUtil, 97);
      fill(DiskMetric::kRequests, 2000);
      fill(DiskMetric::kRead, 2000 * 128);
      fill(DiskMetric::kAwait, by_queue ? 0 : await);
      fill(DiskMetric::kQueueSize, by_queue ? 2 * await : 0);
      MemberSamples member;
      for (const auto& metric : metrics) {
        member.metrics.Add(metric);
      }
      samples_.push_back(std::move(member));
    }
    members_.resize(4);
    const GroupSamples group{
        .end = {}, .metrics = rows::kDisks, .members = members_, .samples = samples_};
    const std::vector<std::size_t> who = {0, 1, 2, 3};
    return DeviceTimes(group, who).Slowdown(3).value_or(-1);
  };
  EXPECT_NEAR(slowdown(true), 1.5, 1e-9);
  EXPECT_NEAR(slowdown(false), 1.5, 1e-9) << "a kernel whose queue loses parts of a tick";
}

TEST_F(DeviceTimesTest, WithoutEnoughThatWorkThereIsNothingToCompareWith) {
  EXPECT_EQ(Slowdowns({{}, {.requests = 0}, {.requests = 0}, {.slow = 2}})[3], -1);
  EXPECT_EQ(Slowdowns({{.requests = 0}, {.requests = 0}, {.requests = 0}})[0], -1);
  EXPECT_EQ(Slowdowns({{}, {}, {}, {.requests = 0}})[3], -1);
}

// Disks whose requests are at the device for 40 ms each, as many at once as there are: busy all the
// time, with a load that goes up and down.
class DeepQueueTest : public ::testing::Test {
 protected:
  struct Disk {
    double slow = 1;
    bool measured = true;
    double wave = 0.6;  // part by which the load goes up and down
  };
  static constexpr double kTime = 0.04;  // s
  static constexpr double kRate = 400;   // requests a second, of all disks alike

  static MemberSamples Make(const Disk& disk) {
    constexpr std::size_t kWindow = 32;
    std::vector<std::vector<double>> metrics(rows::kDisks.size(), std::vector<double>(kWindow));
    MemberSamples member;
    for (std::size_t t = 0; t < kWindow; ++t) {
      const double rate = kRate * (1 + disk.wave * std::sin(static_cast<double>(t)));
      metrics[Index(DiskMetric::kUtil)][t] = 100;
      metrics[Index(DiskMetric::kRequests)][t] = rate;
      metrics[Index(DiskMetric::kRead)][t] = rate * 32;
      if (disk.measured) {
        member.device.at_device.push_back(rate * kTime * disk.slow);
        member.device.busy.push_back(1);
        member.device.requests.push_back(rate);
        member.device.bytes.push_back(rate * 32 * kBytesPerSector);
      }
    }
    for (const auto& metric : metrics) {
      member.metrics.Add(metric);
    }
    return member;
  }

  // Of the last one.
  void Compare(const std::vector<Disk>& disks) {
    samples_.clear();
    for (const auto& disk : disks) {
      samples_.push_back(Make(disk));
    }
    Look();
  }
  void Look() {
    const std::vector<Member> members(samples_.size());
    const GroupSamples group{
        .end = {}, .metrics = rows::kDisks, .members = members, .samples = samples_};
    std::vector<std::size_t> who(samples_.size());
    std::iota(who.begin(), who.end(), std::size_t{0});
    DeviceTimes times(group, who);
    slowdown_ = times.Slowdown(who.size() - 1).value_or(-1);
    by_kernel_ = times.ByKernel(who.size() - 1, slowdown_);
  }

  std::vector<MemberSamples> samples_;
  double slowdown_ = 0;
  std::optional<DeviceTime> by_kernel_;
};

TEST_F(DeepQueueTest, TimeAtTheDeviceTellsWhatBusyTimeCannot) {
  Compare({{}, {}, {}, {.slow = 2}});
  EXPECT_NEAR(slowdown_, 2, 1e-9);
  ASSERT_TRUE(by_kernel_);
  EXPECT_TRUE(by_kernel_->decides);
  EXPECT_NEAR(by_kernel_->mean, 80, 1e-9);
  EXPECT_NEAR(by_kernel_->peer_median, 40, 1e-9);
  EXPECT_DOUBLE_EQ(by_kernel_->slowdown, slowdown_);
}

TEST_F(DeepQueueTest, APeerWithoutTheKernelsClockTakesAllBackToBusyTime) {
  Compare({{}, {}, {.measured = false}, {.slow = 2}});
  EXPECT_NEAR(slowdown_, 1, 1e-9);
  EXPECT_FALSE(by_kernel_);
}

TEST_F(DeepQueueTest, APeerWithoutAnyRequestIsNoneOfThem) {
  samples_ = {Make({}), Make({}), Make({}), MemberSamples(), Make({.slow = 2})};
  for (std::size_t metric = 0; metric < rows::kDisks.size(); ++metric) {
    samples_[3].metrics.Add(std::vector<double>(32, 0));
  }
  Look();
  EXPECT_NEAR(slowdown_, 2, 1e-9);
}

TEST_F(DeepQueueTest, ALoadThatNeverChangesLeavesItToBusyTime) {
  const Disk steady{.wave = 0.01};
  Compare({steady, steady, steady, {.slow = 2, .wave = 0.01}});
  EXPECT_NEAR(slowdown_, 1, 1e-9);
  ASSERT_TRUE(by_kernel_);
  EXPECT_FALSE(by_kernel_->decides);
}

// One arm, busy all the time: it serves as many requests whatever their queue, and the slowest disk
// of a striped closed loop has the longest.
TEST_F(DeepQueueTest, ALongQueueAtASingleArmIsNobodysFault) {
  Compare({{.wave = 0}, {.wave = 0}, {.wave = 0}, {.wave = 0}});
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    auto& device = samples_[i].device;
    for (std::size_t t = 0; t < device.at_device.size(); ++t) {
      device.at_device[t] = (i == 3 ? 20 : 3) * (1 + 0.6 * std::sin(static_cast<double>(t)));
      device.requests[t] *= 1 + 0.15 * std::sin(static_cast<double>(t));  // shorter seeks
    }
  }
  Look();
  EXPECT_NEAR(slowdown_, 1, 0.01);
  EXPECT_FALSE(by_kernel_->decides);
}

// Peers have never had more than 26 requests, and nobody knows whether they could serve 60 at once.
TEST_F(DeepQueueTest, ADeeperQueueThanAnyPeersProvesNothingByItself) {
  Compare({{}, {}, {}, {}});
  for (auto& depth : samples_[3].device.at_device) {
    depth = 60;
  }
  Look();
  EXPECT_TRUE(by_kernel_->decides);
  EXPECT_NEAR(slowdown_, 1.6, 0.03) << "25.6 of them over 16";
}

}  // namespace
}  // namespace limpet::device_time_test
