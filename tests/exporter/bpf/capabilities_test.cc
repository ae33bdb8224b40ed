#include "exporter/bpf/capabilities.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace limpet::bpf::capabilities_test {
namespace {

// Rights of a process are gone for good, so each test gives up those of a child.
template <class Body>
bool InAChild(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(body() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Capabilities, AreMissingOnceTheyAreDropped) {
  EXPECT_TRUE(InAChild([] {
    DropBpfCapabilities();
    return MissingCapabilities() == "CAP_BPF and CAP_PERFMON";
  }));
}

TEST(Capabilities, OfTheLoaderAreTheTwoAlone) {
  if (!MissingCapabilities().empty()) {
    GTEST_SKIP() << "this test has " << MissingCapabilities() << " not";
  }
  EXPECT_TRUE(InAChild([] {
    // chroot is what CAP_SYS_CHROOT of the same root would let it do.
    return KeepOnlyBpfCapabilities().has_value() && MissingCapabilities().empty() &&
           ::chroot("/") != 0;
  }));
}

TEST(Capabilities, ThatAreMissingCannotBeKept) {
  EXPECT_TRUE(InAChild([] {
    DropBpfCapabilities();
    return !KeepOnlyBpfCapabilities().has_value();
  }));
}

}  // namespace
}  // namespace limpet::bpf::capabilities_test
