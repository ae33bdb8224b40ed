#include "exporter/bpf/syscall_rows.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cerrno>
#include <set>

namespace limpet::bpf::syscall_rows_test {
namespace {

TEST(SyscallRows, SayWhatACallWorksOn) {
  const auto rows = MakeSyscallRows(false);
  EXPECT_EQ(rows[SYS_read].operation, kOperationRead);
  EXPECT_EQ(rows[SYS_read].target, kTargetDescriptor);
  EXPECT_EQ(rows[SYS_read].action, kActionRead);
  EXPECT_EQ(rows[SYS_read].descriptor, 1);
  EXPECT_EQ(rows[SYS_openat].path, 2);
  EXPECT_EQ(rows[SYS_openat].makes, 1);
  EXPECT_EQ(rows[SYS_openat].target, kTargetStorage);
  EXPECT_EQ(rows[SYS_mmap].target, kTargetMemory);
}

TEST(SyscallRows, OfTheCollectorLeaveOutWaiting) {
  const auto counted = MakeSyscallRows(false);
  const auto logged = MakeSyscallRows(true);
  for (const auto number : {SYS_futex, SYS_epoll_pwait, SYS_ppoll, SYS_clock_nanosleep}) {
    EXPECT_EQ(counted[static_cast<std::size_t>(number)].operation, kOperationNone) << number;
    EXPECT_EQ(logged[static_cast<std::size_t>(number)].operation, kOperationOther) << number;
  }
}

TEST(SyscallRows, HandingRequestsToTheKernelIsWorkOnStorage) {
  const auto rows = MakeSyscallRows(false);
  EXPECT_EQ(rows[SYS_io_submit].target, kTargetStorage);
  EXPECT_EQ(rows[SYS_io_submit].operation, kOperationOther);
  EXPECT_EQ(rows[SYS_io_getevents].operation, kOperationNone);
}

// The descriptor of a failed call is looked up by the first argument that was kept.
TEST(SyscallRows, HaveTheDescriptorInTheFirstArgumentWhereItIsLookedUp) {
  for (const auto& row : MakeSyscallRows(true)) {
    if (row.target == kTargetDescriptor) {
      EXPECT_EQ(row.descriptor, 1);
    }
    EXPECT_TRUE(row.descriptor <= 6 && row.path <= 6 && row.operation < kOperations);
  }
}

TEST(SyscallRows, OperationsHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (std::uint32_t i = 0; i < kOperations; ++i) {
    EXPECT_TRUE(names.insert(OperationName(i)).second) << OperationName(i);
  }
  EXPECT_EQ(OperationName(kOperationSocket), "socket");
  EXPECT_EQ(OperationName(kOperationOther), "other");
  EXPECT_EQ(OperationName(kOperations), "unknown");
}

TEST(SyscallRows, NamesOfNumbersNobodyKnowsShowTheNumber) {
  EXPECT_EQ(SyscallName(SYS_fsync), "fsync");
  EXPECT_EQ(SyscallName(511), "unknown:511");
  EXPECT_EQ(ErrnoName(EMFILE), "EMFILE");
  EXPECT_EQ(ErrnoName(kErrnoRestart), "ERESTART");
  EXPECT_EQ(ErrnoName(kErrnoUnknown), "unknown:135");
}

TEST(SyscallRows, AreFoundByName) {
  EXPECT_EQ(FindSyscallRow("accept4")->operation, kOperationAccept);
  EXPECT_EQ(FindSyscallRow("dup2")->makes, 1);
  EXPECT_FALSE(FindSyscallRow("futex"));
}

}  // namespace
}  // namespace limpet::bpf::syscall_rows_test
