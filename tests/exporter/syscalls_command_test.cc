#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "exporter/commands.h"

namespace limpet::syscalls_command_test {
namespace {

using ::testing::HasSubstr;

// Wrong use; what it logs is tested end to end (tests/e2e/bpf_test.py).
class Syscalls : public ::testing::Test {
 protected:
  int Run(const SyscallsFlags& flags) {
    const RealClock clock;
    const auto sink = [this](LogLevel, std::string_view text) { log_ += text; };
    return RunSyscalls(flags, {clock, clock.Now(), sink, [](std::string_view) {},
                               std::make_shared<bpf::Loader>(sink)});
  }
  std::string log_;
};

TEST_F(Syscalls, NeedProcesses) {
  EXPECT_EQ(Run({}), kExitUsage);
  EXPECT_THAT(log_, HasSubstr("--name or --pid"));
}

TEST_F(Syscalls, OfANameTheKernelCutsAreRefused) {
  EXPECT_EQ(Run({.names = "dd,sixteen-bytes-ab", .pids = ""}), kExitUsage);
  EXPECT_THAT(log_, HasSubstr("--name: expected names of at most 15 bytes"));
}

TEST_F(Syscalls, OfAProcessThatIsNotThereAreRefused) {
  EXPECT_EQ(Run({.names = "", .pids = "2147483647"}), kExitUsage);
  EXPECT_THAT(log_, HasSubstr("no such process: 2147483647"));
  EXPECT_EQ(Run({.names = "", .pids = "x"}), kExitUsage);
}

}  // namespace
}  // namespace limpet::syscalls_command_test
