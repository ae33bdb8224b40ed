#include "exporter/bpf/event_ring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace limpet::bpf::event_ring_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t kSize = 64;
constexpr std::uint32_t kBusy = 1U << 31U;
constexpr std::uint32_t kDiscarded = 1U << 30U;

// Writes as the kernel does; the second half of the data mirrors the first.
class Ring : public ::testing::Test {
 protected:
  void Put(std::string_view text, std::uint32_t flags = 0) {
    std::vector<char> bytes(8 + (text.size() + 7) / 8 * 8);
    const auto length = static_cast<std::uint32_t>(text.size()) | flags;
    std::memcpy(bytes.data(), &length, sizeof(length));
    std::copy(text.begin(), text.end(), bytes.begin() + 8);
    for (const char one : bytes) {
      const auto at = producer_++ % kSize;
      data_[at] = data_[at + kSize] = std::byte(one);
    }
  }
  std::vector<std::string> Read() {
    std::vector<std::string> read;
    ring_.Drain([&](std::span<const std::byte> record) {
      read.emplace_back(reinterpret_cast<const char*>(record.data()), record.size());  // NOLINT
    });
    return read;
  }

  std::uint64_t consumer_ = 0;
  std::uint64_t producer_ = 0;
  alignas(8) std::array<std::byte, 2 * kSize> data_{};
  EventRing ring_{&consumer_, &producer_, data_, nullptr};
};

TEST_F(Ring, GivesEachRecordOnce) {
  Put("one");
  Put("twelve chars");
  EXPECT_THAT(Read(), ElementsAre("one", "twelve chars"));
  EXPECT_THAT(Read(), IsEmpty());
  EXPECT_EQ(consumer_, producer_);
}

TEST_F(Ring, GoesOnAtItsEnd) {
  for (int i = 0; i < 20; ++i) {
    Put("record " + std::to_string(i));
    EXPECT_THAT(Read(), ElementsAre("record " + std::to_string(i)));
  }
}

TEST_F(Ring, StopsAtARecordThatIsBeingWritten) {
  Put("one");
  const auto begin = producer_;
  Put("two", kBusy);
  Put("three");
  EXPECT_THAT(Read(), ElementsAre("one"));
  const std::uint32_t length = 3;
  std::memcpy(&data_[begin], &length, sizeof(length));
  EXPECT_THAT(Read(), ElementsAre("two", "three"));
}

TEST_F(Ring, PassesOverARecordThatWasGivenUp) {
  Put("one", kDiscarded);
  Put("two");
  EXPECT_THAT(Read(), ElementsAre("two"));
}

TEST_F(Ring, IsNotLeftByALengthThatCannotBe) {
  const std::uint32_t length = 4 * kSize;
  std::memcpy(data_.data(), &length, sizeof(length));
  producer_ = kSize;
  EXPECT_THAT(Read(), IsEmpty());
}

}  // namespace
}  // namespace limpet::bpf::event_ring_test
