#include "diagnoser/state/syscalls.h"

#include <gmock/gmock.h>

namespace limpet::syscalls_test {
namespace {

using std::chrono::seconds;
using ::testing::SizeIs;

constexpr auto kNow = UnixFromSeconds(1'700'000'000);

SyscallMemory Memory() {
  SyscallMemory memory;
  memory.second = kNow;
  memory.failures = {{.client = "c1",
                      .peer = "10.0.0.2:49152",
                      .from = kNow - seconds(1),
                      .to = kNow,
                      .error = "EOF"}};
  memory.broken = {{.server = "s2",
                    .what = Breakage::kHang,
                    .since = kNow - seconds(9),
                    .last = kNow,
                    .client = "c1",
                    .error = {},
                    .call = "read",
                    .open = seconds(40),
                    .kind = LastCall::kSent,
                    .contact = kNow - seconds(40),
                    .clients = 2}};
  PropagatedError found;
  found.server = {.node = "s3",
                  .role = "io",
                  .client = false,
                  .path = "storage",
                  .call = "open",
                  .error = "EMFILE",
                  .from = kNow - seconds(2),
                  .to = kNow - seconds(1),
                  .count = 7};
  found.client_node = "c1";
  found.client_call = "write";
  found.client_error = "EIO";
  found.client_at = kNow;
  found.last = kNow;
  memory.propagated = {found};
  return memory;
}

std::string Bytes(const SyscallMemory& memory) {
  ByteWriter out;
  WriteSyscalls(memory, out);
  return out.Bytes();
}

std::optional<SyscallMemory> Read(std::string_view bytes) {
  ByteReader in(bytes);
  return ReadSyscalls(in);
}

TEST(Syscalls, AreReadAsTheyWereWritten) {
  const auto read = Read(Bytes(Memory()));
  ASSERT_TRUE(read);
  EXPECT_EQ(Bytes(*read), Bytes(Memory()));
  EXPECT_EQ(read->second, kNow);
  ASSERT_THAT(read->broken, SizeIs(1));
  EXPECT_EQ(read->broken[0].contact, kNow - seconds(40));
  ASSERT_THAT(read->propagated, SizeIs(1));
  EXPECT_EQ(read->propagated[0].server.count, 7U);
}

TEST(Syscalls, WhatIsCutOffIsRefused) {
  const auto bytes = Bytes(Memory());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(Read(std::string_view(bytes).substr(0, size))) << size;
  }
}

TEST(Syscalls, NumbersOfNoEnumeratorAreRefused) {
  auto memory = Memory();
  memory.broken[0].kind = static_cast<LastCall>(9);
  EXPECT_FALSE(Read(Bytes(memory)));
}

}  // namespace
}  // namespace limpet::syscalls_test
