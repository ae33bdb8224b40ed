#include "exporter/common/exposition/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/command.h"
#include "tests/support/temp_folder.h"

namespace limpet::codec_test {
namespace {

using ::testing::HasSubstr;

// Compressible, as pages are, and of any length.
std::string Page(std::size_t size, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) {
    text += "limpet_disk_reads_total{device=\"sd" + std::to_string(random() % 30) + "\"} " +
            std::to_string(random() % 100000) + "\n";
  }
  text.resize(size);
  return text;
}

std::string Zstd(std::string_view text) {
  ZstdWriter writer(3);
  auto encoded = writer.Write(text);
  encoded += writer.EndFrame();
  return encoded;
}

struct Fed {
  std::string text;
  bool whole = false;
  std::string error;
};

Fed FeedInPieces(Encoding encoding, std::string_view encoded, std::size_t size,
                 const DecodeLimits& limits = {}) {
  Decoder decoder(encoding, limits);
  Fed fed;
  while (!encoded.empty()) {
    decoder.Feed(encoded.substr(0, size));
    encoded.remove_prefix(std::min(size, encoded.size()));
    while (true) {
      const auto piece = decoder.Next();
      if (!piece) {
        fed.error = piece.error().Text();
        return fed;
      }
      if (piece->empty()) {
        break;
      }
      EXPECT_LE(piece->size(), 64U * 1024);
      fed.text += *piece;
    }
  }
  fed.whole = decoder.Whole();
  return fed;
}

TEST(Codec, ReadsBackWhatItWrote) {
  for (const std::size_t size : {0U, 1U, 1000U, 65536U, 300'000U}) {
    const auto page = Page(size);
    const auto gzip = Decode(Encoding::kGzip, GzipEncode(page));
    ASSERT_TRUE(gzip) << gzip.error().Text();
    EXPECT_TRUE(gzip->text == page);
    EXPECT_FALSE(gzip->cut);
    const auto plain = Decode(Encoding::kIdentity, page);
    EXPECT_TRUE(plain->text == page);
    const auto zstd = Decode(Encoding::kZstd, Zstd(page));
    ASSERT_TRUE(zstd) << zstd.error().Text();
    EXPECT_TRUE(zstd->text == page);
    EXPECT_EQ(zstd->cut, size == 0);  // nothing at all is no frame
  }
}

TEST(Codec, OtherProgramsReadItToo) {
  const testing::TempFolder folder;
  const auto page = Page(200'000);
  folder.Write("page.gz", GzipEncode(page));
  folder.Write("page.zst", Zstd(page) + Zstd("end\n"));
  const auto gzip = testing::RunCommand("gzip -dc " + folder.Path("page.gz"));
  EXPECT_TRUE(gzip.output == page);
  const auto zstd = testing::RunCommand("zstd -dcq " + folder.Path("page.zst"));
  EXPECT_TRUE(zstd.output == page + "end\n");
}

TEST(Codec, ReadsWhatOtherProgramsWrite) {
  const testing::TempFolder folder;
  const auto page = Page(200'000);
  const auto path = folder.Write("page", page);
  ASSERT_EQ(testing::RunCommand("gzip -k " + path + " && zstd -q -19 " + path).status, 0);
  for (const auto* name : {"page.gz", "page.zst"}) {
    const auto encoded = folder.Read(name);
    const auto decoded = Decode(SniffEncoding(encoded), encoded);
    ASSERT_TRUE(decoded) << decoded.error().Text();
    EXPECT_TRUE(decoded->text == page) << name;
  }
}

TEST(Codec, TakesPiecesOfAnySize) {
  const auto page = Page(50'000);
  for (const auto& [encoding, encoded] :
       {std::pair(Encoding::kGzip, GzipEncode(page)), std::pair(Encoding::kZstd, Zstd(page)),
        std::pair(Encoding::kIdentity, page)}) {
    for (const std::size_t size : {1U, 7U, 4096U, 1U << 20}) {
      const auto fed = FeedInPieces(encoding, encoded, size);
      EXPECT_EQ(fed.error, "");
      EXPECT_TRUE(fed.text == page);
      EXPECT_TRUE(fed.whole);
    }
  }
}

TEST(Codec, MembersAndFramesInARowAreOneText) {
  EXPECT_EQ(Decode(Encoding::kGzip, GzipEncode("a\n") + GzipEncode("") + GzipEncode("b\n"))->text,
            "a\nb\n");
  EXPECT_EQ(Decode(Encoding::kZstd, Zstd("a\n") + Zstd("b\n"))->text, "a\nb\n");
}

TEST(Codec, ACutGivesAllThatWasWholeAndSaysSo) {
  const auto page = Page(30'000);
  const auto gzip = GzipEncode(page);
  const auto frames = Zstd(page) + Zstd("the second frame\n");
  const auto first = Zstd(page).size();
  for (std::size_t i = 1; i < 40; ++i) {
    const auto cut = FeedInPieces(Encoding::kGzip, gzip.substr(0, gzip.size() * i / 40), 1000);
    EXPECT_EQ(cut.error, "");
    EXPECT_FALSE(cut.whole);
    EXPECT_TRUE(page.starts_with(cut.text));
    EXPECT_GE(cut.text.size() * 40 + 40 * 4096, page.size() * i) << i;  // nearly all of it
  }
  for (auto size = first + 1; size < frames.size(); ++size) {
    const auto cut = FeedInPieces(Encoding::kZstd, frames.substr(0, size), 1000);
    EXPECT_EQ(cut.error, "") << size;
    EXPECT_FALSE(cut.whole);
    EXPECT_TRUE(cut.text.starts_with(page));
  }
  EXPECT_TRUE(FeedInPieces(Encoding::kZstd, frames.substr(0, first), 1000).whole);
  EXPECT_TRUE(Decode(Encoding::kGzip, "")->cut);
}

TEST(Codec, DamageIsAnErrorAfterAllThatWasGood) {
  const auto page = Page(200'000);
  auto frames = Zstd(page) + std::string(100, '\0');  // what some file systems leave after a crash
  const auto fed = FeedInPieces(Encoding::kZstd, frames, 1 << 20);
  EXPECT_TRUE(fed.text == page);
  EXPECT_THAT(fed.error, HasSubstr("the compressed data is damaged at byte "));
  auto gzip = GzipEncode(page);
  gzip[gzip.size() - 5] = static_cast<char>(gzip[gzip.size() - 5] ^ 1);  // its checksum
  EXPECT_THAT(Decode(Encoding::kGzip, gzip).error().Text(), HasSubstr("incorrect data check"));
  EXPECT_FALSE(Decode(Encoding::kGzip, "<html>"));
  EXPECT_FALSE(Decode(Encoding::kZstd, "<html>"));
}

TEST(Codec, ABombIsStoppedByItsRatioAndByItsSize) {
  const std::string zeros(std::size_t{40} << 20, '\0');
  for (const auto& [encoding, bomb] : {std::pair(Encoding::kGzip, GzipEncode(zeros, 9)),
                                       std::pair(Encoding::kZstd, Zstd(zeros))}) {
    ASSERT_LT(bomb.size(), 1U << 18);
    const auto by_ratio = Decode(encoding, bomb);
    ASSERT_FALSE(by_ratio);
    EXPECT_EQ(by_ratio.error().code, ErrorCode::kTooLarge);
    EXPECT_THAT(by_ratio.error().Text(), HasSubstr("a bomb?"));
    const DecodeLimits wide{.max_output = 30U << 20, .max_ratio = DecodeLimits::kNone};
    const auto by_size = FeedInPieces(encoding, bomb, 1 << 20, wide);
    EXPECT_THAT(by_size.error, HasSubstr("expected at most 31457280 bytes"));
    EXPECT_LE(by_size.text.size(), wide.max_output);
    EXPECT_EQ(Decode(encoding, bomb, {.max_output = 50U << 20, .max_ratio = DecodeLimits::kNone})
                  ->text.size(),
              zeros.size());
  }
}

TEST(Codec, ManyEmptyMembersAreNothing) {
  std::string members;
  const auto empty = GzipEncode("");
  for (int i = 0; i < 20'000; ++i) {
    members += empty;
  }
  const auto decoded = Decode(Encoding::kGzip, members);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->text, "");
  EXPECT_FALSE(decoded->cut);
}

TEST(Codec, NothingIsReadAfterAnError) {
  Decoder decoder(Encoding::kGzip);
  decoder.Feed("garbage");
  EXPECT_FALSE(decoder.Next());
  decoder.Feed(GzipEncode("good"));
  EXPECT_FALSE(decoder.Next());
  EXPECT_FALSE(decoder.Whole());
}

TEST(ZstdWriter, EveryEndedFrameCanBeReadAlone) {
  for (const int level : {1, 9, 19}) {
    ZstdWriter writer(level, 1000);
    std::string file;
    std::string text;
    for (unsigned minute = 0; minute < 5; ++minute) {
      for (unsigned second = 0; second < 60; ++second) {
        const auto page = Page(500, minute * 60 + second);
        file += writer.Write(page);
        text += page;
      }
      file += writer.EndFrame();
      EXPECT_EQ(writer.EndFrame(), "");
      const auto decoded = Decode(Encoding::kZstd, file);
      ASSERT_TRUE(decoded);
      EXPECT_TRUE(decoded->text == text);
      EXPECT_FALSE(decoded->cut);
    }
  }
}

TEST(SniffEncoding, KnowsTheMagicNumbers) {
  EXPECT_EQ(SniffEncoding(GzipEncode("x")), Encoding::kGzip);
  EXPECT_EQ(SniffEncoding(Zstd("x")), Encoding::kZstd);
  EXPECT_EQ(SniffEncoding("limpet_x 1\n"), Encoding::kIdentity);
  EXPECT_EQ(SniffEncoding(""), Encoding::kIdentity);
}

}  // namespace
}  // namespace limpet::codec_test
