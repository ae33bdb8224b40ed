#include "diagnoser/sources/recording_set.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <utility>

namespace limpet::recording_set_test {
namespace {

using ::testing::ElementsAre;

class OneText final : public ByteSource {
 public:
  explicit OneText(std::string text, bool breaks = false)
      : text_(std::move(text)), breaks_(breaks) {}
  Result<std::string> Read() override {
    if (text_.empty() && breaks_) {
      return Error{ErrorCode::kInternal, "disk on fire", "x"};
    }
    return std::exchange(text_, {});
  }

 private:
  std::string text_;
  bool breaks_;
};

Recording File(const std::string& name, std::string text, bool breaks = false) {
  return {name, std::make_unique<OneText>(std::move(text), breaks)};
}

TEST(RecordingSet, MergesByTime) {
  std::vector<Recording> recordings;
  recordings.push_back(File("a", "a 1 100.0\na 2 140.0\n"));
  recordings.push_back(File("b", "b 1 90.0\nb 2 130.0\n"));
  recordings.push_back(File("c", ""));
  RecordingSet set(std::move(recordings));
  std::vector<std::string> order;
  std::vector<UnixTime> watermarks;
  while (true) {
    const auto piece = set.Next();
    ASSERT_TRUE(piece);
    if (!*piece) {
      break;
    }
    order.emplace_back((*piece)->text);
    watermarks.push_back((*piece)->watermark);
  }
  EXPECT_THAT(order, ElementsAre("b 1 90.0\n", "a 1 100.0\n", "b 2 130.0\n", "a 2 140.0\n"));
  EXPECT_TRUE(std::is_sorted(watermarks.begin(), watermarks.end()));
  EXPECT_EQ(watermarks.front(), UnixFromSeconds(85));
}

TEST(RecordingSet, ATurnIsHalfAMinuteButTheFirstOneASecond) {
  std::string long_text = "a 1 98.0\n";
  for (int second = 100; second < 150; ++second) {
    long_text += "a 1 " + std::to_string(second) + ".0\n";
  }
  std::vector<Recording> recordings;
  recordings.push_back(File("a", long_text));
  recordings.push_back(File("b", "b 1 115.0\n"));
  RecordingSet set(std::move(recordings));
  const auto begin = set.Next();
  ASSERT_TRUE(begin && *begin);
  EXPECT_EQ((*begin)->text, "a 1 98.0\n");
  const auto first = set.Next();
  ASSERT_TRUE(first && *first);
  EXPECT_EQ((*first)->source, "a");
  EXPECT_TRUE((*first)->text.ends_with("a 1 130.0\n"));
  EXPECT_EQ((*first)->watermark, UnixFromSeconds(95));
  const auto second = set.Next();
  ASSERT_TRUE(second && *second);
  EXPECT_EQ((*second)->text, "b 1 115.0\n");
  EXPECT_EQ((*second)->watermark, UnixFromSeconds(110));
  const auto third = set.Next();
  ASSERT_TRUE(third && *third);
  EXPECT_EQ((*third)->watermark, UnixFromSeconds(126));
}

// Every piece as "source watermark text", and errors.
std::vector<std::string> ReadAll(RecordingSet::Settings settings) {
  std::vector<Recording> recordings;
  for (int file = 0; file < 5; ++file) {
    std::string text;
    for (int second = 0; second < 300; ++second) {
      for (int line = 0; line < 40; ++line) {
        text += "series_" + std::to_string(line) + "{x=\"a long label, as they are\"} 1 " +
                std::to_string(1000 + 7 * file + second) + ".000\n";
      }
    }
    recordings.push_back(File(std::to_string(file), text, file == 3));
  }
  RecordingSet set(std::move(recordings), std::move(settings));
  std::vector<std::string> all;
  while (true) {
    const auto piece = set.Next();
    if (!piece) {
      all.push_back(piece.error().Text());
      continue;
    }
    if (!*piece) {
      EXPECT_GT(set.BytesRead(), 5U * 300 * 40 * 40);
      return all;
    }
    all.push_back(std::string((*piece)->source) + IsoTime((*piece)->watermark) +
                  std::string((*piece)->text));
  }
}

TEST(RecordingSet, ReadAheadOnOtherThreadsItIsTheSame) {
  const auto expected = ReadAll({});
  EXPECT_GT(expected.size(), 60U);
  for (const std::size_t ahead : {1U, 2U, 9U}) {
    EXPECT_EQ(ReadAll({.range = {},
                       .launch =
                           [](std::function<Slice()> read) {
                             return std::async(std::launch::async, std::move(read));
                           },
                       .turns_ahead = ahead}),
              expected);
  }
}

RecordingSet::Settings OnOtherThreads(std::size_t ahead, std::size_t together) {
  return {.range = {},
          .launch =
              [](std::function<Slice()> read) {
                return std::async(std::launch::async, std::move(read));
              },
          .turns_ahead = ahead,
          .turns_together = together};
}

TEST(RecordingSet, SeveralTurnsAtOnceAreTheSamePieces) {
  const auto expected = ReadAll({});
  for (const std::size_t together : {1U, 2U, 5U}) {
    EXPECT_EQ(ReadAll(OnOtherThreads(together + 2, together)), expected);
  }
}

// a, b, c and d begin within five seconds of each other, e does not.
TEST(RecordingSet, GivesTurnsThatBeginTogetherAtOnce) {
  std::vector<Recording> recordings;
  const std::vector<std::pair<std::string, int>> files = {
      {"a", 100}, {"b", 101}, {"c", 104}, {"d", 105}, {"e", 106}};
  for (const auto& [name, first] : files) {
    std::string text;
    for (const int at : {first, first + 40}) {
      text += name + " 1 " + std::to_string(at) + ".0\n";
    }
    recordings.push_back(File(name, text));
  }
  RecordingSet set(std::move(recordings), OnOtherThreads(9, 5));
  std::vector<std::string> rounds;
  while (true) {
    const auto pieces = set.NextPieces();
    ASSERT_TRUE(pieces);
    if (pieces->empty()) {
      break;
    }
    rounds.emplace_back();
    for (const auto& piece : *pieces) {
      rounds.back() += piece.source;
      EXPECT_LE(piece.watermark - pieces->front().watermark, RecordingSet::kDisorder);
    }
  }
  EXPECT_THAT(rounds, ElementsAre("ab", "cd", "e", "ab", "c", "d", "e"))
      << "at most half of the files that are left";
}

TEST(RecordingSet, AFileThatBreaksAmongSeveralEndsAlone) {
  std::vector<Recording> recordings;
  for (const char* const name : {"a", "b", "c", "d", "e", "f"}) {
    recordings.push_back(File(name, "x 1 100.0\nx 1 140.0\n", *name == 'b'));
  }
  RecordingSet set(std::move(recordings), OnOtherThreads(9, 9));
  std::string order;
  while (true) {
    const auto pieces = set.NextPieces();
    if (!pieces) {
      EXPECT_NE(pieces.error().Text().find("disk on fire"), std::string::npos);
      order += '!';
      continue;
    }
    if (pieces->empty()) {
      break;
    }
    for (const auto& piece : *pieces) {
      order += piece.source;
    }
  }
  EXPECT_EQ(std::ranges::count(order, '!'), 1);
  EXPECT_EQ(std::ranges::count(order, 'b'), 2);
  EXPECT_EQ(order.size(), 13U);
  EXPECT_LT(order.rfind('b'), order.find('!'));
}

// Remembers what it was given.
class Texts final : public SliceUse {
 public:
  void Read(const Slice& slice) override {
    for (const auto& piece : slice.pieces) {
      texts.emplace_back(piece.Text());
    }
  }
  std::vector<std::string> texts;
};

// The first slice of a turn alone: what comes after it is read while it is in use.
TEST(RecordingSet, WhatIsMadeOfASliceStandsAtItsPieces) {
  std::string text;
  for (int line = 0; line < 60'000; ++line) {
    text += "series_" + std::to_string(line) + "{x=\"a long label, as they are\"} 1 1000.000\n";
  }
  text += "late 1 1031.000\n";
  std::vector<Recording> recordings;
  recordings.push_back(File("a", text));
  std::vector<std::string> begun;
  RecordingSet set(std::move(recordings),
                   {.range = {},
                    .launch =
                        [](std::function<Slice()> read) {
                          return std::async(std::launch::async, std::move(read));
                        },
                    .await = nullptr,
                    .use =
                        [&](std::string_view source, UnixTime watermark) {
                          begun.push_back(std::string(source) + IsoTime(watermark));
                          return std::make_shared<Texts>();
                        }});
  std::size_t with = 0;
  std::size_t without = 0;
  std::string read;
  for (auto piece = set.Next(); piece && *piece; piece = set.Next()) {
    read += (*piece)->text;
    if (const auto* const use = static_cast<const Texts*>((*piece)->use)) {
      EXPECT_EQ(use->texts.at((*piece)->number), (*piece)->text);
      ++with;
    } else {
      ++without;
    }
  }
  EXPECT_EQ(read, text);
  EXPECT_EQ(with, RecordingSet::kMaxSlice + 1) << "and the line of the second turn";
  EXPECT_GT(without, 0U);
  EXPECT_THAT(begun, ElementsAre("a" + IsoTime(UnixFromSeconds(1000) - RecordingSet::kDisorder),
                                 "a" + IsoTime(UnixFromSeconds(1031) - RecordingSet::kDisorder)));
}

TEST(RecordingSet, LeftInTheMiddleItWaitsForItsReaders) {
  std::vector<Recording> recordings;
  recordings.push_back(File("a", "a 1 100.0\n"));
  recordings.push_back(File("b", "b 1 100.0\n"));
  RecordingSet set(std::move(recordings), {.range = {},
                                           .launch =
                                               [](std::function<Slice()> read) {
                                                 return std::async(std::launch::async,
                                                                   std::move(read));
                                               },
                                           .turns_ahead = 3});
  ASSERT_TRUE(set.Next());
}

TEST(RecordingSet, GoesOnWithoutAFileThatBreaks) {
  std::vector<Recording> recordings;
  recordings.push_back(File("bad", "a 1 100.0\n", true));
  recordings.push_back(File("good", "b 1 101.0\n"));
  RecordingSet set(std::move(recordings));
  std::size_t errors = 0;
  std::vector<std::string> texts;
  for (int i = 0; i < 10; ++i) {
    const auto piece = set.Next();
    if (!piece) {
      ++errors;
    } else if (*piece) {
      texts.emplace_back((*piece)->text);
    }
  }
  EXPECT_EQ(errors, 1U);
  EXPECT_THAT(texts, ElementsAre("a 1 100.0\n", "b 1 101.0\n"));
}

}  // namespace
}  // namespace limpet::recording_set_test
