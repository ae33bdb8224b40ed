#include "exporter/syscall_log.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace limpet::syscall_log_test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class Log : public ::testing::Test {
 protected:
  void Put(const SyscallEvent& event) {
    log_.Event(std::as_bytes(std::span<const SyscallEvent>(&event, 1)));
  }
  static SyscallEvent Call(long number, std::int64_t result) {
    SyscallEvent event{};
    event.number = static_cast<__u32>(number);
    event.result = result;
    event.started_ns = 2'500'000'000;
    event.duration_ns = 1'000'000;
    event.tgid = 7;
    event.tid = 8;
    return event;
  }

  std::vector<Json> lines_;
  SyscallLog log_{UnixTime(std::chrono::seconds(1000)),
                  [this](std::string_view line) { lines_.push_back(Json::parse(line)); }};
};

TEST_F(Log, ACallHasTheFieldsOfThePaper) {
  auto call = Call(SYS_pread64, 100);
  call.sequence = 41;
  call.arguments[0] = 3;
  Put(call);
  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_EQ(lines_[0], Json::parse(R"({"type":"call","record":1,"sequence":41,"time":1002.5,"pid":7,
      "tid":8,"call":"pread64","args":["0x3","0x0","0x0","0x0","0x0","0x0"],"result":100,
      "duration":0.001})"));
}

TEST_F(Log, AFailedCallNamesItsError) {
  Put(Call(SYS_fsync, -EIO));
  EXPECT_EQ(lines_[0]["errno"], "EIO");
  Put(Call(SYS_read, -512));
  EXPECT_EQ(lines_[1]["errno"], "ERESTART");
  Put(Call(SYS_mmap, -4096));  // an address, not an error
  EXPECT_FALSE(lines_[2].contains("errno"));
}

TEST_F(Log, ANewDescriptorIsDescribed) {
  auto open = Call(SYS_openat, 5);
  open.descriptor = {.mode = S_IFREG | 0600, .device = 8U << 20U | 1U, .inode = 77};
  std::strcpy(open.path, "data/\xff");  // NOLINT: fits
  Put(open);
  ASSERT_EQ(lines_.size(), 2U);
  EXPECT_EQ(lines_[1]["type"], "descriptor");
  EXPECT_EQ(lines_[1]["fd"], 5);
  EXPECT_EQ(lines_[1]["kind"], "file");
  EXPECT_EQ(lines_[1]["device"], "8:1");
  EXPECT_EQ(lines_[1]["inode"], 77);
  EXPECT_EQ(lines_[1]["name"], "data/\xef\xbf\xbd") << "not UTF-8, but the line is";
}

TEST_F(Log, AConnectionIsNamedByItsPeer) {
  auto connect = Call(SYS_connect, 0);
  connect.arguments[0] = 9;
  connect.descriptor = {.mode = S_IFSOCK, .family = AF_INET, .port = 24007};
  connect.descriptor.address[2] = htonl(0xffff);
  ::inet_pton(AF_INET, "10.0.0.3", &connect.descriptor.address[3]);
  Put(connect);
  EXPECT_EQ(lines_[1]["peer"], "10.0.0.3:24007");
  EXPECT_EQ(lines_[1]["family"], "inet");
  EXPECT_EQ(lines_[1]["fd"], 9);
}

TEST_F(Log, AClosedDescriptorIsGone) {
  auto close = Call(SYS_close, 0);
  close.arguments[0] = 5;
  Put(close);
  EXPECT_EQ(lines_[1]["change"], "close");
  Put(Call(SYS_close, -EBADF));
  EXPECT_EQ(lines_.size(), 3U) << "only the call";
}

TEST_F(Log, ASignalIsNoCall) {
  Put(Call(kSignalNumber, SIGKILL));
  Put(Call(kSignalNumber, SIGRTMIN + 2));
  ASSERT_EQ(lines_.size(), 2U);
  EXPECT_EQ(lines_[0], Json::parse(R"({"type":"signal","time":1002.5,"pid":7,"tid":8,
      "signal":"SIGKILL"})"));
  EXPECT_EQ(lines_[1]["signal"], "SIGRTMIN+2");
  EXPECT_TRUE(log_.Totals().empty());
}

TEST_F(Log, LossesAreLinesOfTheirOwn) {
  log_.Lost(0);
  EXPECT_TRUE(lines_.empty());
  log_.Lost(5);
  log_.Lost(7);
  ASSERT_EQ(lines_.size(), 2U);
  EXPECT_EQ(lines_[1]["events"], 2);
}

TEST_F(Log, TheSummaryAddsUpEachCall) {
  Put(Call(SYS_fsync, -EIO));
  Put(Call(SYS_fsync, 0));
  log_.Summary();
  EXPECT_EQ(lines_.back()["records"], 2);
  EXPECT_EQ(lines_.back()["calls"],
            Json::parse(R"([{"call":"fsync","calls":2,"errors":1,"seconds":0.002}])"));
  const auto table = SummaryTable(log_.Totals());
  EXPECT_THAT(table, HasSubstr("100.00    0.002000      1000.0         2         1 fsync\n"));
  EXPECT_THAT(table, HasSubstr("total"));
}

TEST_F(Log, WhatIsNoEventIsLeftOut) {
  log_.Event(std::vector<std::byte>(8));
  EXPECT_TRUE(lines_.empty());
}

TEST(SummaryTable, OfNothingIsEmpty) { EXPECT_THAT(SummaryTable({}), HasSubstr("total")); }

}  // namespace
}  // namespace limpet::syscall_log_test
