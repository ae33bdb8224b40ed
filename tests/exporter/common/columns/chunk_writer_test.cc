// Whatever samples are written, the same come back, bit for bit and in their order.
#include "exporter/common/columns/chunk_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/exporter/common/columns/chunks.h"

namespace limpet::columns::chunk_writer_test {
namespace {

using testing::Plain;
using testing::PlainSample;
using testing::ReadAll;

constexpr UnixTime kStart = UnixFromSeconds(1'769'817'605);

class ChunkWriterTest : public ::testing::Test {
 protected:
  void Add(UnixTime at, const std::string& series, double value) {
    if (!writer_.Add(at, series, value)) {
      Finish();
      ASSERT_TRUE(writer_.Add(at, series, value));
    }
    added_.push_back(Plain(at, series, value));
  }
  void Finish(bool continues = true) { bytes_ += writer_.Finish(continues); }
  void ExpectAllBack() {
    Finish();
    EXPECT_EQ(ReadAll(bytes_), added_);
  }

  ChunkWriter writer_;
  std::string bytes_;
  std::vector<PlainSample> added_;
};

TEST_F(ChunkWriterTest, AnEmptyOneWritesNothing) { EXPECT_EQ(writer_.Finish(false), ""); }

TEST_F(ChunkWriterTest, SeriesThatDoNotMoveCostAByteAMinute) {
  for (int minute = 0; minute < 2; ++minute) {
    for (int second = 0; second < 60; ++second) {
      for (int i = 0; i < 300; ++i) {
        Add(kStart + std::chrono::seconds(60 * minute + second), "series" + std::to_string(i),
            1e12 + i);
      }
    }
    if (minute == 0) {
      Finish();
    }
  }
  const auto first = bytes_.size();
  ExpectAllBack();
  EXPECT_LT(bytes_.size() - first, 360U);
}

// Series of every kind; each continues from where it was.
double Move(int kind, double before, std::mt19937_64& random) {
  using Limits = std::numeric_limits<double>;
  const auto small = static_cast<double>(random() % 100);
  switch (kind) {
    case 0:  // a counter
      return before + small;
    case 1:  // one that moves now and then, in milliseconds
      return random() % 5 == 0 ? std::nearbyint((before + small / 1000) * 1000) / 1000 : before;
    case 2:  // one that is reset
      return random() % 20 == 0 ? 0 : before + 4096 * small;
    case 3:  // a gauge with two decimals
      return std::nearbyint((before * 0.9 + small / 50) * 100) / 100;
    case 4:  // one that no decimal says
      return std::sqrt(small);
    case 5:  // hostile
      return std::vector<double>{Limits::quiet_NaN(),
                                 -Limits::quiet_NaN(),
                                 Limits::infinity(),
                                 -Limits::infinity(),
                                 -0.0,
                                 0,
                                 Limits::max(),
                                 Limits::lowest(),
                                 Limits::denorm_min(),
                                 9007199254740994.0,
                                 1e15,
                                 1e15 + 0.5,
                                 -1}[random() % 13];
    case 6:  // bits
      return std::bit_cast<double>(random());
    default:
      return before;  // never moves
  }
}

TEST_F(ChunkWriterTest, RandomSeriesComeBackBitForBit) {
  std::mt19937_64 random(5);
  for (int run = 0; run < 30; ++run) {
    writer_ = ChunkWriter();
    bytes_.clear();
    added_.clear();
    std::vector<double> values(1 + random() % 40);
    auto at = kStart;
    for (int second = 0; second < 200; ++second) {
      at += random() % 40 == 0
                ? std::chrono::nanoseconds(static_cast<std::int64_t>(random() % 9'000'000'000'000) -
                                           4'000'000'000'000)
                : std::chrono::milliseconds(1000 + random() % 2);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = Move(static_cast<int>(i % 8), values[i], random);
        // Some appear and vanish, and are others after a while.
        const bool is_there = i % 3 != 0 || random() % 4 != 0;
        if (is_there) {
          Add(at, "s" + std::to_string(i) + (i % 7 == 0 ? std::to_string(second / 50) : ""),
              values[i]);
        }
      }
      if (random() % 30 == 0) {
        Finish(random() % 4 != 0);
      }
    }
    ExpectAllBack();
  }
}

TEST_F(ChunkWriterTest, LinesThatComeInAnotherOrderKeepIt) {
  Add(kStart, "b", 1);
  Add(kStart, "a", 2);
  Add(kStart, "b", 3);
  Add(kStart, "b", 4);
  Add(kStart + std::chrono::seconds(1), "a", 5);
  Add(kStart, "a", 6);
  ExpectAllBack();
}

TEST_F(ChunkWriterTest, AnHourCanBeReadFromItsMiddle) {
  std::string after;  // what the hundred chunks after the first have
  for (int minute = 0; minute < 100; ++minute) {
    Add(kStart + std::chrono::minutes(minute), "a", minute);
    const auto chunk = writer_.Finish(true);
    after += minute == 0 ? "" : chunk;
  }
  const auto read = ReadAll(after);
  ASSERT_EQ(read.size(), 40U) << "from the next that begins anew";
  EXPECT_EQ(read.front(), Plain(kStart + std::chrono::minutes(60), "a", 60));
}

TEST_F(ChunkWriterTest, SeriesThatAreGoneAreForgotten) {
  for (int i = 0; i < 300; ++i) {
    Add(kStart, "connection" + std::to_string(i), i);
  }
  Finish();
  Add(kStart + std::chrono::seconds(1), "a", 1);
  Finish();
  Add(kStart + std::chrono::seconds(2), "a", 1);
  const auto last = writer_.Finish(true);
  EXPECT_LT(last.size(), 50U) << "no byte for each of those that are gone";
  bytes_ += last;
  EXPECT_EQ(ReadAll(bytes_), added_);
}

TEST_F(ChunkWriterTest, AFullChunkTakesNoMore) {
  std::size_t samples = 0;
  while (writer_.Add(kStart + std::chrono::seconds(samples), "a", 1)) {
    ++samples;
  }
  EXPECT_EQ(samples, std::size_t{1} << 18U);
  EXPECT_EQ(ReadAll(writer_.Finish(true)).size(), samples);
  EXPECT_TRUE(writer_.Add(kStart, "a", 1));
  EXPECT_FALSE(writer_.Add(kStart, std::string(kMaxSeriesBytes + 1, 'x'), 1));
}

TEST_F(ChunkWriterTest, RowsTimesColumnsAreBounded) {
  for (std::uint32_t i = 0; i < 5000; ++i) {
    ASSERT_TRUE(writer_.Add(kStart, std::to_string(i), i));
  }
  // Each a row of its own, because the order of the columns is broken.
  std::size_t rows = 1;
  while (writer_.Add(kStart, "0", 1)) {
    ++rows;
  }
  EXPECT_LE(rows * 5000, kMaxValues);
  EXPECT_EQ(ReadAll(writer_.Finish(true)).size(), rows + 4999);
}

}  // namespace
}  // namespace limpet::columns::chunk_writer_test
