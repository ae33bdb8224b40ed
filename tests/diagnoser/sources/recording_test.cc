#include "diagnoser/sources/recording.h"

#include <gmock/gmock.h>

#include <deque>

namespace limpet {
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

std::vector<std::string> Pieces(Recording& recording) {
  std::vector<std::string> pieces;
  while (true) {
    const auto piece = recording.Next();
    if (!piece || !*piece) {
      EXPECT_TRUE(piece) << piece.error().Text();
      return pieces;
    }
    pieces.emplace_back((*piece)->text);
  }
}

TEST(Recording, ComesInPiecesOfTenSeconds) {
  auto recording = Of({"# TYPE a counter\na{x=\"} 5\"} 1 100.5\na 2 110.5\na 3 110.6\n# EOF\n"});
  EXPECT_EQ(**recording.Peek(), UnixFromMilliseconds(100'500));
  EXPECT_THAT(Pieces(recording), ElementsAre("# TYPE a counter\na{x=\"} 5\"} 1 100.5\na 2 110.5\n",
                                             "a 3 110.6\n"));
  EXPECT_FALSE(recording.Cut());
}

TEST(Recording, APieceDoesNotDependOnHowTheBytesCame) {
  const std::string text = "a 1 100.0\na 2 105.0\nb 7 111.0\n";
  std::deque<std::string> single;
  for (const char c : text) {
    single.emplace_back(1, c);
  }
  // The first chunk tells the encoding by its first four bytes.
  auto whole = Of({text});
  auto chopped = Of({text.substr(0, 5), text.substr(5, 1), text.substr(6)});
  EXPECT_EQ(Pieces(whole), Pieces(chopped));
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
  for (const auto& piece : Pieces(recording)) {
    // 10 s and the instant itself: 11 seconds of ten lines.
    EXPECT_LE(std::count(piece.begin(), piece.end(), '\n'), 110);
    EXPECT_EQ(piece.back(), '\n');
    joined += piece;
    ++expected;
  }
  EXPECT_EQ(joined, text);
  EXPECT_EQ(expected, 46U);
}

TEST(Recording, AnUnfinishedLineIsLeftOutAndSaidSo) {
  auto recording = Of({"a 1 100.0\na 2 10"});
  EXPECT_THAT(Pieces(recording), ElementsAre("a 1 100.0\n"));
  EXPECT_TRUE(recording.Cut());
}

TEST(Recording, MillisecondsOfTheTextFormatAreUnderstood) {
  auto recording = Of({"a 1 1700000000123\na 2 1700000001123\n"});
  EXPECT_EQ(**recording.Peek(), UnixFromMilliseconds(1'700'000'000'123));
}

TEST(Recording, WithoutTimestampsThereIsNothing) {
  auto recording = Of({"a 1\nb 2\n"});
  EXPECT_TRUE(Pieces(recording).empty());
  auto empty = Of({});
  EXPECT_TRUE(Pieces(empty).empty());
}

TEST(Recording, ALineWithoutAnEndIsAnError) {
  auto recording = Of({std::string(5U << 20U, 'x')});
  const auto piece = recording.Next();
  ASSERT_FALSE(piece);
  EXPECT_EQ(piece.error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace limpet
