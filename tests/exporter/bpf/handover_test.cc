#include "exporter/bpf/handover.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace limpet::bpf::handover_test {
namespace {

std::vector<Handed> Some() {
  std::vector<Handed> some;
  some.push_back({Kind::kArray, "cells", 4096, Descriptor(::open("/dev/null", O_RDONLY))});
  some.push_back({Kind::kLink, "block_issue", 0, Descriptor(::open("/dev/zero", O_RDONLY))});
  return some;
}

class Handover : public ::testing::Test {
 protected:
  Handover() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
    from_ = Descriptor(ends[0]);
    to_ = Descriptor(ends[1]);
  }
  Descriptor from_;
  Descriptor to_;
};

TEST_F(Handover, BringsNamesSizesAndDescriptors) {
  ASSERT_TRUE(Send(from_.Get(), Some()));
  const auto received = Receive(to_.Get());
  ASSERT_TRUE(received) << received.error().Text();
  ASSERT_EQ(received->size(), 2U);
  EXPECT_EQ((*received)[0].kind, Kind::kArray);
  EXPECT_EQ((*received)[0].name, "cells");
  EXPECT_EQ((*received)[0].bytes, 4096U);
  char byte = 1;
  EXPECT_EQ(::read((*received)[1].descriptor.Get(), &byte, 1), 1) << "that of /dev/zero";
  EXPECT_EQ(byte, 0);
}

TEST_F(Handover, BringsTheReasonOfAFailure) {
  ASSERT_TRUE(Send(from_.Get(), Error{ErrorCode::kPermission, "lacks CAP_BPF", ""}));
  const auto received = Receive(to_.Get());
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().code, ErrorCode::kPermission);
  EXPECT_EQ(received.error().message, "lacks CAP_BPF");
}

TEST_F(Handover, OfALoaderThatDiedIsAnError) {
  from_ = Descriptor();
  const auto received = Receive(to_.Get());
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().message, "the loader ended without a result");
}

TEST_F(Handover, ToNobodyIsAnError) {
  to_ = Descriptor();
  EXPECT_FALSE(Send(from_.Get(), Some()));
}

TEST(HandoverText, RefusesWhatItDoesNotWrite) {
  for (const auto* const text : {"x", "9 0 name", "0 x name", "0 1", "error x y", "error 99 y"}) {
    EXPECT_FALSE(DecodeHandover(text)) << text;
  }
  EXPECT_TRUE(DecodeHandover("0 8 cells\n"));
}

}  // namespace
}  // namespace limpet::bpf::handover_test
