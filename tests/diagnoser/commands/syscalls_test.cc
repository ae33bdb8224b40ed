// System calls from end to end: recordings, training, a thresholds file, a replay of each fault.
#include <functional>
#include <string>

#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/syscall_fleet.h"
#include "tests/support/temp_folder.h"

namespace limpet::syscalls_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::RunWith;
using testing::SyscallFleet;

// A minute without a fault, then as `inject` says.
std::string Recording(const std::function<void(SyscallFleet&)>& inject, int seconds = 150,
                      std::uint32_t seed = 1) {
  SyscallFleet fleet(seed);
  std::string text;
  for (int second = 1; second <= seconds; ++second) {
    if (second == 60) {
      inject(fleet);
    }
    fleet.Step();
    text += fleet.Recording();
  }
  return text + "# EOF\n";
}

class SyscallsFromEndToEnd : public ::testing::Test {
 protected:
  Outcome Replayed(const std::function<void(SyscallFleet&)>& inject, bool trained = false) {
    const auto recording = folder_.Write("run.om", Recording(inject));
    std::vector<std::string> words = {"replay", "--config", config_, "--format", "text"};
    if (trained) {
      words.insert(words.end(), {"--thresholds", Thresholds()});
    }
    words.push_back(recording);
    return RunWith(words);
  }
  std::string Thresholds() {
    auto file = folder_.Path("t.yml");
    const auto outcome = RunWith(
        {"train", "--config", config_, "--output", file,
         folder_.Write("healthy.om",
                       Recording([](SyscallFleet& fleet) { fleet.probing = true; }, 240, 2))});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    EXPECT_THAT(outcome.out,
                HasSubstr("system calls of io: 24 thresholds, 2 errors that are normal"));
    return file;
  }

  testing::TempFolder folder_;
  std::string config_ = folder_.Write(
      "d.yml", std::string(testing::kQuickConfig) +
                   "addresses: {10.0.0.1: s1, 10.0.0.2: s2, 10.0.0.3: s3, 10.0.0.4: s4, "
                   "10.0.0.5: s5, 10.0.0.6: s6}\n");
};

TEST_F(SyscallsFromEndToEnd, SlowCallsAreNamedOnceTrained) {
  const auto outcome = Replayed([](SyscallFleet& fleet) { fleet.slow = 3; }, true);
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("s3: slow-syscalls"));
  for (const auto* other : {"s1: ", "s2: ", "s4: ", "s5: ", "s6: "}) {
    EXPECT_THAT(outcome.out, Not(HasSubstr(other)));
  }
}

TEST_F(SyscallsFromEndToEnd, ErrorsCrashesAndHangsAreNamedUntrained) {
  EXPECT_THAT(Replayed([](SyscallFleet& fleet) { fleet.errors = 5; }).out,
              HasSubstr("s5: propagated-error (EMFILE of its open (storage)"));
  EXPECT_THAT(Replayed([](SyscallFleet& fleet) { fleet.dead = 2; }).out,
              HasSubstr("s2: server-crash (client c1 got"));
  EXPECT_THAT(Replayed([](SyscallFleet& fleet) { fleet.stopped = 4; }).out,
              HasSubstr("s4: server-hang (a call of client c1 on a file has not returned"));
}

TEST_F(SyscallsFromEndToEnd, WithoutAFaultNobodyIsNamed) {
  const auto outcome = Replayed([](SyscallFleet& fleet) { fleet.probing = true; }, true);
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" 0 verdicts"));
}

}  // namespace
}  // namespace limpet::syscalls_test
