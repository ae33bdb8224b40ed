#include "diagnoser/sources/recording.h"

#include <gmock/gmock.h>

#include <deque>

#include "exporter/common/columns/chunk_text.h"
#include "exporter/common/columns/text_chunks.h"
#include "exporter/common/exposition/codec.h"

namespace limpet::recording_test {
namespace {

using ::testing::ElementsAre;

class Chunks final : public ByteSource {
 public:
  explicit Chunks(std::deque<std::string> chunks) : chunks_(std::move(chunks)) {}
  Result<std::string> Read() override {
    if (chunks_.empty()) {
      return std::string();
    }
    auto chunk = std::move(chunks_.front());
    chunks_.pop_front();
    return chunk;
  }

 private:
  std::deque<std::string> chunks_;
};

Recording Of(std::deque<std::string> chunks) {
  return {"x.om", std::make_unique<Chunks>(std::move(chunks))};
}

constexpr Duration kTurn = std::chrono::seconds(10);

// What each turn of ten seconds gives.
std::vector<std::string> Turns(Recording& recording) {
  std::vector<std::string> turns;
  while (true) {
    const auto first = recording.Peek();
    if (!first || !*first) {
      EXPECT_TRUE(first) << first.error().Text();
      return turns;
    }
    turns.emplace_back();
    while (true) {
      const auto piece = recording.Next(**first + kTurn);
      if (!piece || !*piece) {
        EXPECT_TRUE(piece) << piece.error().Text();
        break;
      }
      EXPECT_EQ((*piece)->text.back(), '\n');
      turns.back() += (*piece)->text;
    }
  }
}

TEST(Recording, IsReadAsFarAsIsAsked) {
  auto recording = Of({"# TYPE a counter\na{x=\"} 5\"} 1 100.5\na 2 110.5\na 3 110.6\n# EOF\n"});
  EXPECT_EQ(**recording.Peek(), UnixFromMilliseconds(100'500));
  EXPECT_THAT(Turns(recording), ElementsAre("# TYPE a counter\na{x=\"} 5\"} 1 100.5\na 2 110.5\n",
                                            "a 3 110.6\n# EOF\n"));
  EXPECT_FALSE(recording.Cut());
}

TEST(Recording, ATurnDoesNotDependOnHowTheBytesCame) {
  const std::string text = "a 1 100.0\na 2 105.0\nb 7 111.0\n";
  std::deque<std::string> single;
  for (const char c : text) {
    single.emplace_back(1, c);
  }
  // The first chunk tells the encoding by its first four bytes.
  auto whole = Of({text});
  auto chopped = Of({text.substr(0, 5), text.substr(5, 1), text.substr(6)});
  EXPECT_EQ(Turns(whole), Turns(chopped));
}

TEST(Recording, AManyLinedFileIsCutInTheRightPlaces) {
  std::string text;
  std::size_t expected = 0;
  for (int i = 0; i < 5000; ++i) {
    text += "a{i=\"" + std::to_string(i % 7) + "\"} " + std::to_string(i) + " " +
            std::to_string(1000 + i / 10) + ".0\n";
  }
  auto recording = Of({text});
  std::string joined;
  for (const auto& turn : Turns(recording)) {
    // 10 s and the instant itself: 11 seconds of ten lines.
    EXPECT_LE(std::count(turn.begin(), turn.end(), '\n'), 110);
    joined += turn;
    ++expected;
  }
  EXPECT_EQ(joined, text);
  EXPECT_EQ(expected, 46U);
}

TEST(Recording, APieceIsNoMoreThanIsDecodedAtOnce) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    text += "a{i=\"" + std::to_string(i) + "\"} 1 1000.0\n";
  }
  auto recording = Of({text.substr(0, 100), text.substr(100)});
  std::string joined;
  while (true) {
    const auto piece = recording.Next(UnixFromSeconds(1000));
    ASSERT_TRUE(piece);
    if (!*piece) {
      break;
    }
    EXPECT_LE((*piece)->text.size(), 65U << 10U);
    joined += (*piece)->text;
  }
  EXPECT_EQ(joined, text);
}

TEST(Recording, ALineLongerThanWhatIsDecodedAtOnceIsWhole) {
  const auto text = "a 1 100.0\nb{c=\"" + std::string(300'000, 'x') + "\"} 2 101.0\na 3 102.0\n";
  auto recording = Of({text});
  EXPECT_THAT(Turns(recording), ElementsAre(text));
}

TEST(Recording, AnUnfinishedLineIsLeftOutAndSaidSo) {
  auto recording = Of({"a 1 100.0\na 2 10"});
  EXPECT_THAT(Turns(recording), ElementsAre("a 1 100.0\n"));
  EXPECT_TRUE(recording.Cut());
}

TEST(Recording, MillisecondsOfTheTextFormatAreUnderstood) {
  auto recording = Of({"a 1 1700000000123\na 2 1700000001123\n"});
  EXPECT_EQ(**recording.Peek(), UnixFromMilliseconds(1'700'000'000'123));
}

TEST(Recording, WithoutTimestampsThereIsNothing) {
  auto recording = Of({"a 1\nb 2\n"});
  EXPECT_TRUE(Turns(recording).empty());
  auto empty = Of({});
  EXPECT_TRUE(Turns(empty).empty());
}

TEST(Recording, ALineWithoutAnEndIsAnError) {
  auto recording = Of({std::string(5U << 20U, 'x')});
  const auto piece = recording.Next(UnixFromSeconds(100));
  ASSERT_FALSE(piece);
  EXPECT_EQ(piece.error().code, ErrorCode::kTooLarge);
}

// A recording in columns, as the recorder writes it: each chunk a zstd frame.
std::string InColumns(const std::string& text) {
  columns::TextChunks chunks(std::chrono::seconds(10));
  ZstdWriter zstd(3);
  auto bytes = zstd.Write(chunks.Convert(text, Format::kOpenMetrics));
  bytes += zstd.EndFrame();
  bytes += zstd.Write(chunks.Finish());
  return bytes += zstd.EndFrame();
}

std::string SomeText(int seconds) {
  std::string text = "# TYPE a counter\n";
  for (int i = 0; i < seconds; ++i) {
    const auto stamp = " " + std::to_string(1'700'000'000 + i) + ".250\n";
    text += "a_total{x=\"y\"} " + std::to_string(7 * i) + stamp;
    text += "b " + std::to_string(i) + ".5" + stamp;
  }
  return text + "# EOF\n";
}

TEST(Recording, ColumnsAreTheSameTextInTheSameTurns) {
  const auto text = SomeText(200);
  auto of_text = Of({text});
  const auto turns = Turns(of_text);
  const auto bytes = InColumns(text);
  std::deque<std::string> little;
  for (std::size_t at = 0; at < bytes.size(); at += 5) {
    little.push_back(bytes.substr(at, 5));
  }
  for (const auto& pieces : {std::deque<std::string>{bytes}, little}) {
    auto recording = Of(pieces);
    EXPECT_EQ(Turns(recording), turns);
    EXPECT_FALSE(recording.Cut());
  }
}

TEST(Recording, ColumnsThatWereCutAreReadToTheLastWholeChunk) {
  const auto text = SomeText(40);
  columns::TextChunks chunks(std::chrono::seconds(20));
  const auto first = chunks.Convert(text, Format::kOpenMetrics);
  const auto second = chunks.Finish();
  for (std::size_t size = 1; size < second.size(); ++size) {
    auto recording = Of({first + second.substr(0, size)});
    std::string read;
    for (const auto& turn : Turns(recording)) {
      read += turn;
    }
    ASSERT_EQ(read, text.substr(0, text.find("a_total{x=\"y\"} 140 "))) << size;
    ASSERT_TRUE(recording.Cut());
  }
}

TEST(Recording, RowsOfColumnsAreHandedOutInTheSameTurns) {
  const auto text = SomeText(95);
  auto of_text = Of({text});
  const auto turns = Turns(of_text);
  auto recording = Of({InColumns(text)});
  recording.HandOutRows();
  for (const auto& turn : turns) {
    const auto first = recording.Peek();
    ASSERT_TRUE(first && *first);
    std::string lines;
    while (true) {
      const auto piece = recording.Take(**first + kTurn, "spare");
      ASSERT_TRUE(piece);
      if (!*piece) {
        break;
      }
      EXPECT_FALSE((*piece)->IsEmpty());
      EXPECT_EQ((*piece)->Text(), "");
      columns::ChunkText rows;
      for (rows.Begin(*(*piece)->rows.chunk, (*piece)->rows.begin, (*piece)->rows.end);
           !rows.IsDone();) {
        rows.Append(lines, 100);
      }
    }
    EXPECT_EQ(lines, turn);
  }
  EXPECT_FALSE(*recording.Peek());
  EXPECT_FALSE(recording.Cut());
}

// As after a power cut within the first minute: one such file must not stop those beside it.
TEST(Recording, WithADamagedFirstChunkThereIsNothing) {
  columns::TextChunks chunks;
  auto plain = chunks.Convert(SomeText(5), Format::kOpenMetrics);
  plain += chunks.Finish();
  plain.back() = static_cast<char>(plain.back() ^ 1);
  auto recording = Of({plain});
  ASSERT_TRUE(recording.Peek());
  EXPECT_FALSE(*recording.Peek());
  EXPECT_TRUE(recording.Cut());
}

TEST(Recording, OfALaterVersionSaysSo) {
  auto recording = Of({"\x8bLC\x02 of another format"});
  const auto first = recording.Peek();
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().Text().substr(0, 11), "x.om: this ");
}

}  // namespace
}  // namespace limpet::recording_test
