#include "exporter/probe/prober.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/exporter/probe/fake_disk.h"
#include "tests/support/manual_clock.h"

namespace limpet::prober_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using State = ProbeAnswer::State;

class ProberTest : public ::testing::Test {
 protected:
  Prober Make(OpenProbedDisk open, bool enabled = true) {
    return {{.enabled = enabled, .interval = 5min, .patience = 10s},
            std::move(open),
            clock_,
            [this](LogLevel, std::string_view text) { log_.emplace_back(text); }};
  }
  // Until the disk's thread has come to an end.
  static ProbeAnswer Wait(Prober& prober, const std::string& device) {
    auto answer = prober.Ask(device);
    for (int i = 0; i < 2000 && answer.state == State::kRunning; ++i) {
      std::this_thread::sleep_for(5ms);
      answer = prober.Ask(device);
    }
    return answer;
  }
  // Reads of 4 ms each.
  testing::FakeDisk::OnRead Healthy() {
    return [this](std::uint64_t) -> Result<void> {
      clock_->Advance(4ms);
      return {};
    };
  }

  std::shared_ptr<testing::ManualClock> clock_ = std::make_shared<testing::ManualClock>();
  std::vector<std::string> log_;
};

TEST_F(ProberTest, IsOffUntilItIsTurnedOn) {
  auto prober = Make(testing::OpenFakes(Healthy()), false);
  EXPECT_EQ(prober.Ask("sdb").state, State::kOff);
  EXPECT_TRUE(prober.Metrics().empty());
  prober.SetOptions({.enabled = true});
  EXPECT_EQ(Wait(prober, "sdb").state, State::kDone);
}

TEST_F(ProberTest, ReadsADiskOnceInAnInterval) {
  auto prober = Make(testing::OpenFakes(Healthy()));
  auto answer = Wait(prober, "sdb");
  ASSERT_EQ(answer.state, State::kDone);
  EXPECT_EQ(answer.reads.reads, 30U);
  EXPECT_EQ(answer.reads.median, 4ms);
  EXPECT_THAT(log_, ElementsAre("probe of sdb: 30 reads of 4 KiB, median 4 ms, longest 4 ms"));
  EXPECT_EQ(prober.Metrics().front().samples.front().value, 30);

  clock_->Advance(4min);
  answer = prober.Ask("sdb");
  EXPECT_EQ(answer.state, State::kDone) << "the last result";
  EXPECT_EQ(answer.age, 4min + 120ms);
  clock_->Advance(1min);
  EXPECT_EQ(prober.Ask("sdb").state, State::kRunning);
  EXPECT_EQ(Wait(prober, "sdb").state, State::kDone);
  EXPECT_EQ(prober.Metrics().front().samples.front().value, 60);
}

TEST_F(ProberTest, ReadsOneDiskAtATime) {
  testing::Gate gate;
  auto prober = Make(testing::OpenFakes([&](std::uint64_t) -> Result<void> {
    gate.Wait();
    return {};
  }));
  EXPECT_EQ(prober.Ask("sdb").state, State::kRunning);
  EXPECT_EQ(prober.Ask("sdc").state, State::kBusy);
  gate.Open();
  EXPECT_EQ(Wait(prober, "sdb").state, State::kDone);
  EXPECT_EQ(Wait(prober, "sdc").state, State::kDone);
}

TEST_F(ProberTest, LeavesADiskThatHangs) {
  auto gate = std::make_shared<testing::Gate>();
  auto prober = Make([&](const std::string& device) -> Result<std::unique_ptr<ProbedDisk>> {
    return std::unique_ptr<ProbedDisk>(std::make_unique<testing::FakeDisk>(
        [gate, hangs = device == "sdb"](std::uint64_t) -> Result<void> {
          if (hangs) {
            gate->Wait();
          }
          return {};
        }));
  });
  EXPECT_EQ(prober.Ask("sdb").state, State::kRunning);
  gate->WaitUntilSomebodyWaits();
  clock_->Advance(9s);
  EXPECT_EQ(prober.Ask("sdb").state, State::kRunning);
  clock_->Advance(1s);
  auto answer = prober.Ask("sdb");
  EXPECT_EQ(answer.state, State::kNoAnswer);
  EXPECT_EQ(answer.waited, 10s);
  EXPECT_THAT(log_.back(), HasSubstr("probe of sdb: no answer in 10 s"));
  EXPECT_EQ(Wait(prober, "sdc").state, State::kDone) << "other disks are read";

  // However long it takes: no second thread waits for the same disk.
  clock_->Advance(1h);
  answer = prober.Ask("sdb");
  EXPECT_EQ(answer.state, State::kNoAnswer);
  EXPECT_EQ(answer.waited, 1h + 10s);
  gate->Open();
  for (int i = 0; i < 2000 && answer.state != State::kDone; ++i) {
    std::this_thread::sleep_for(5ms);
    answer = prober.Ask("sdb");
  }
  EXPECT_EQ(answer.state, State::kDone) << "it is back, and read at once";
}

TEST_F(ProberTest, StartsNoMoreWhileFourHang) {
  auto gate = std::make_shared<testing::Gate>();
  auto prober = Make(testing::OpenFakes([gate](std::uint64_t) -> Result<void> {
    gate->Wait();
    return {};
  }));
  for (const auto* device : {"sda", "sdb", "sdc", "sdd"}) {
    EXPECT_EQ(prober.Ask(device).state, State::kRunning);
    clock_->Advance(10s);
    EXPECT_EQ(prober.Ask(device).state, State::kNoAnswer);
  }
  EXPECT_EQ(prober.Ask("sde").state, State::kBusy);
  gate->Open();
}

TEST_F(ProberTest, TellsWhyADiskCannotBeRead) {
  auto prober = Make([](const std::string& device) -> Result<std::unique_ptr<ProbedDisk>> {
    return Error{ErrorCode::kPermission, "permission denied", "/dev/" + device};
  });
  const auto answer = Wait(prober, "sdb");
  EXPECT_EQ(answer.state, State::kFailed);
  EXPECT_EQ(answer.error.Text(), "/dev/sdb: permission denied");
  EXPECT_THAT(log_, ElementsAre("probe of sdb: /dev/sdb: permission denied"));
}

TEST_F(ProberTest, OpensNoPath) {
  auto prober = Make(testing::OpenFakes(Healthy()));
  EXPECT_EQ(prober.Ask("../etc/shadow").state, State::kBadName);
  EXPECT_EQ(prober.Ask("").state, State::kBadName);
}

}  // namespace
}  // namespace limpet::prober_test
