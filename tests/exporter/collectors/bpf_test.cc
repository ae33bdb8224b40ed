#include "exporter/collectors/bpf.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "exporter/bpf/capabilities.h"
#include "tests/support/families.h"
#include "tests/support/map_files.h"

namespace limpet::bpf_test {
namespace {

using testing::Value;

std::unique_ptr<FileReader> NoFiles() {
  return std::make_unique<testing::MapFiles>(std::make_shared<testing::FileTree>());
}

TEST(Bpf, ReportsNothingWhenNobodyAskedForPrograms) {
  BpfCollector none(nullptr, NoFiles());
  EXPECT_TRUE(none.Collect({})->empty());
  BpfCollector unused(std::make_shared<bpf::Loader>([](LogLevel, std::string_view) {}), NoFiles());
  EXPECT_TRUE(unused.Collect({})->empty());
}

// In a child, which gives up the right to load; the names of what runs are tested end to end.
TEST(Bpf, SaysForWantOfWhatProgramsDoNotRun) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto loader = std::make_shared<bpf::Loader>([](LogLevel, std::string_view) {});
    bpf::DropBpfCapabilities();
    static_cast<void>(loader->Load(bpf::BlockRequest{}));
    BpfCollector collector(loader, NoFiles());
    const auto page = collector.Collect({}).value();
    ::_exit(Value(page, "bpf_available", R"(programs="block",missing="permission")") == 0 ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Bpf, ProgramsHaveTheNamesOfTheirCollectors) {
  EXPECT_EQ(ProgramsName(bpf::BlockRequest{}), "block");
  EXPECT_EQ(ProgramsName(bpf::SyscallRequest{}), "syscall");
}

}  // namespace
}  // namespace limpet::bpf_test
