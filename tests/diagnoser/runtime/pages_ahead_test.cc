#include "diagnoser/runtime/pages_ahead.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "diagnoser/pipeline/pipeline.h"

namespace limpet::pages_ahead_test {
namespace {

constexpr UnixTime kStart = UnixFromSeconds(1'700'000'000);

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {TestbenchPreset()};
  config.groups = {{.name = "io"}};
  return config;
}

Recording::OwnedPiece Piece(const std::string& device, int second) {
  Recording::OwnedPiece piece;
  piece.buffer =
      fmt::format("limpet_disk_reads_completed_total{{device=\"{}\",instance=\"a\"}} 1 {}.000\n",
                  device, 1'700'000'000 + second);
  piece.size = piece.buffer.size();
  return piece;
}

RecordingSet::Piece Given(const Slice& slice, std::size_t number, PagesAhead& pages) {
  return {.source = "a.om",
          .text = slice.pieces[number].Text(),
          .format = Format::kOpenMetrics,
          .use = &pages,
          .number = number,
          .watermark = kStart};
}

TEST(PagesAhead, ReadsUpToWhatIsNew) {
  Pipeline pipeline(Config());
  PagesPool pool;
  Slice slice;
  slice.pieces.push_back(Piece("sda", 0));
  slice.pieces.push_back(Piece("sda", 1));
  auto pages = pool.Take(pipeline.ReadAhead("a.om"), "a.om", kStart);
  EXPECT_EQ(pages->Page(0), nullptr);
  pages->Read(slice);
  EXPECT_NE(pages->Page(0), nullptr);
  EXPECT_EQ(pages->Page(1), nullptr) << "it is read when the new series is known";
  for (std::size_t i = 0; i < slice.pieces.size(); ++i) {
    const auto piece = Given(slice, i, *pages);
    ASSERT_TRUE(pipeline.Ingest(
        RecordedScrape(piece.source, kStart, piece.format, piece.text, nullptr), AheadOf(piece)));
  }

  Slice next;
  next.pieces.push_back(Piece("sda", 2));
  next.pieces.push_back(Piece("sda", 3));
  pages->Begin(pipeline.ReadAhead("a.om"), "a.om", kStart);
  pages->Read(next);
  EXPECT_NE(pages->Page(0), nullptr);
  EXPECT_NE(pages->Page(1), nullptr);
  EXPECT_EQ(pages->Page(2), nullptr);
  EXPECT_EQ(pages->Page(1)->Page().Samples().size(), 1U);
}

TEST(PagesAhead, APieceWithoutThemIsReadWhenItIsIngested) { EXPECT_EQ(AheadOf({}), nullptr); }

TEST(PagesPool, GivesAgainWhatIsNotUsedAnyMore) {
  Pipeline pipeline(Config());
  PagesPool pool;
  const auto take = [&] { return pool.Take(pipeline.ReadAhead("a.om"), "a.om", kStart); };
  auto one = take();
  const auto* const first = one.get();
  auto two = take();
  EXPECT_NE(two.get(), first);
  one.reset();
  EXPECT_EQ(take().get(), first);
}

}  // namespace
}  // namespace limpet::pages_ahead_test
