#include "diagnoser/sources/recording_slice.h"

#include <gmock/gmock.h>

#include <utility>

namespace limpet::recording_slice_test {
namespace {

class OneText final : public ByteSource {
 public:
  explicit OneText(std::string text) : text_(std::move(text)) {}
  Result<std::string> Read() override { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

Recording File(std::string text) { return {"a", std::make_unique<OneText>(std::move(text))}; }

std::string Text(const Slice& slice) {
  std::string text;
  for (const auto& piece : slice.pieces) {
    text += piece.Text();
  }
  return text;
}

constexpr const char* kText =
    "# TYPE limpet_disk_info gauge\n"
    "limpet_disk_info{device=\"sda\"} 1 100.000\na 1 100.000\na 2 110.000\na 3 120.000\n";

TEST(ReadSlice, IsATurnAndSaysWhenTheNextBegins) {
  auto recording = File(kText);
  const auto slice = ReadSlice(
      recording, {.until = UnixFromSeconds(110), .range = {}, .max_pieces = 9, .spare = {}});
  EXPECT_TRUE(Text(slice).ends_with("a 2 110.000\n"));
  EXPECT_TRUE(slice.turn_over);
  EXPECT_EQ(slice.next, UnixFromSeconds(120));
  EXPECT_EQ(slice.bytes_read, std::string(kText).size());
  const auto last = ReadSlice(
      recording,
      {.until = UnixFromSeconds(150), .range = {}, .begins = false, .max_pieces = 9, .spare = {}});
  EXPECT_EQ(Text(last), "a 3 120.000\n");
  EXPECT_TRUE(last.turn_over);
  EXPECT_FALSE(last.next);
}

TEST(ReadSlice, StopsWhenItIsFull) {
  auto recording = File(kText);
  const auto slice = ReadSlice(
      recording, {.until = UnixFromSeconds(150), .range = {}, .max_pieces = 1, .spare = {}});
  EXPECT_EQ(slice.pieces.size(), 1U);
  EXPECT_FALSE(slice.turn_over);
}

// Its disks are the same, whenever one begins to look.
TEST(ReadSlice, KeepsWhatIsSaidOnceWhenTheBeginIsCutOff) {
  auto recording = File(kText);
  const TimeRange range{.from = UnixFromSeconds(105), .to = UnixFromSeconds(115)};
  EXPECT_EQ(**FindFirstTurn(recording, range), UnixFromSeconds(105));
  const auto slice = ReadSlice(
      recording, {.until = UnixFromSeconds(150), .range = range, .max_pieces = 9, .spare = {}});
  EXPECT_EQ(Text(slice), "limpet_disk_info{device=\"sda\"} 1 105.000\na 2 110.000\n");
  EXPECT_TRUE(slice.turn_over);
  EXPECT_FALSE(slice.next) << "what is later does not count";
}

TEST(ReadSlice, AFileThatIsEarlierOrLaterGivesNothing) {
  auto early = File(kText);
  const auto slice = ReadSlice(early, {.until = UnixFromSeconds(230),
                                       .range = {.from = UnixFromSeconds(200)},
                                       .max_pieces = 1,
                                       .spare = {}});
  EXPECT_EQ(Text(slice), "");
  EXPECT_TRUE(slice.turn_over);
  EXPECT_FALSE(slice.next);
  auto late = File(kText);
  EXPECT_FALSE(*FindFirstTurn(late, {.to = UnixFromSeconds(99)}));
}

TEST(ReadSlice, GivesBackMemoryThatItDidNotNeed) {
  auto recording = File("a 1 100.0\n");
  const auto slice = ReadSlice(
      recording,
      {.until = UnixFromSeconds(150), .range = {}, .max_pieces = 9, .spare = {"x", "y", "z"}});
  EXPECT_EQ(slice.spare.size() + 2, 3U) << "one for the piece, one for the attempt after it";
}

}  // namespace
}  // namespace limpet::recording_slice_test
