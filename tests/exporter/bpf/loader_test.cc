#include "exporter/bpf/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "exporter/bpf/capabilities.h"

namespace limpet::bpf::loader_test {
namespace {

using ::testing::HasSubstr;

// Loading itself is tested end to end (tests/e2e/bpf_test.py); here, what comes of not being let.
TEST(Loader, WithoutRightsSaysWhichAreMissing) {
  const pid_t child = ::fork();  // whoever runs the tests keeps theirs
  if (child == 0) {
    DropBpfCapabilities();
    Loader loader([](LogLevel, std::string_view) {});
    const auto loaded = loader.Load(BlockRequest{});
    ::_exit(!loaded && loaded.error().code == ErrorCode::kPermission &&
                    loaded.error().message.find("CAP_BPF and CAP_PERFMON") != std::string::npos &&
                    loader.All().size() == 1
                ? 0
                : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Loader, ThatIsClosedLoadsNothingMore) {
  const pid_t child = ::fork();
  if (child == 0) {
    Loader loader([](LogLevel, std::string_view) {});
    loader.Close();
    const auto loaded = loader.Load(BlockRequest{});
    ::_exit(!loaded && loaded.error().message.find("next restart") != std::string::npos ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Loader, NamesThePartThatIsMissing) {
  EXPECT_EQ(MissingPart(ErrorCode::kPermission), "permission");
  EXPECT_EQ(MissingPart(ErrorCode::kNotFound), "btf");
  EXPECT_EQ(MissingPart(ErrorCode::kUnavailable), "build");
  EXPECT_EQ(MissingPart(ErrorCode::kInternal), "kernel");
}

}  // namespace
}  // namespace limpet::bpf::loader_test
