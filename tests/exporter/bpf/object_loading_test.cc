#include "exporter/bpf/object_loading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "exporter/bpf/capabilities.h"

namespace limpet::bpf::object_loading_test {
namespace {

using ::testing::IsSupersetOf;

std::vector<std::string> Names(const std::vector<Handed>& handed, Kind kind) {
  std::vector<std::string> names;
  for (const auto& one : handed) {
    if (one.kind == kind) {
      names.push_back(one.name);
      EXPECT_TRUE(one.descriptor.IsOpen()) << one.name;
    }
  }
  return names;
}

// Into the real kernel, which is the only one to say whether it takes the programs.
class ObjectLoading : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto missing = MissingCapabilities(); !missing.empty()) {
      GTEST_SKIP() << "needs " << missing;
    }
  }
  // Null, and the test skipped, where the build or the kernel has none.
  static std::vector<Handed> Load(const Request& request) {
    auto handed = LoadObject(request);
    if (!handed) {
      EXPECT_NE(handed.error().code, ErrorCode::kInternal) << handed.error().Text();
      return {};
    }
    return *std::move(handed);
  }
};

TEST_F(ObjectLoading, HandsOverWhatTheBlockProgramsCountIn) {
  const auto handed = Load(BlockRequest{.max_devices = 3});
  if (handed.empty()) {
    GTEST_SKIP();
  }
  EXPECT_THAT(Names(handed, Kind::kArray), IsSupersetOf({"cells", "devices", "drops"}));
  EXPECT_THAT(Names(handed, Kind::kLink),
              IsSupersetOf({"block_issue", "block_complete", "block_complete_nested"}));
  EXPECT_EQ(Names(handed, Kind::kProgram).size(), Names(handed, Kind::kLink).size());
}

// Each combination leaves other branches to the verifier.
TEST_F(ObjectLoading, TheVerifierTakesTheSyscallProgramsWithEverySetting) {
  const SyscallRequest by_name{.targets = {{"no-such-name", 0, true}}};
  auto narrowed = by_name;
  narrowed.cgroups = {1, 2};
  narrowed.network_namespace = 1;
  auto logging = by_name;
  logging.ring_bytes = 1U << 20U;
  auto full = by_name;
  full.targets.resize(16, {"another", 0, false});
  for (const auto& request : {by_name, narrowed, logging, full}) {
    const auto handed = Load(request);
    if (handed.empty()) {
      GTEST_SKIP();
    }
    EXPECT_THAT(Names(handed, Kind::kArray),
                IsSupersetOf({"cells", "errors", "threads", "peers", "totals"}));
    EXPECT_EQ(Names(handed, Kind::kRing).size(), 1U);
    // Signals are for the log: no other setting has the machine's signals run a program.
    EXPECT_EQ(std::ranges::count(Names(handed, Kind::kLink), "syscall_signal"),
              request.ring_bytes > 0 ? 1 : 0);
    // The iterator that looks for processes has run by then.
    EXPECT_EQ(Names(handed, Kind::kProgram).size(), Names(handed, Kind::kLink).size() + 1);
  }
}

}  // namespace
}  // namespace limpet::bpf::object_loading_test
