#include "diagnoser/intake/page_reader.h"

#include <gmock/gmock.h>

#include <memory>
#include <utility>

#include "exporter/common/columns/chunk_reader.h"
#include "exporter/common/columns/text_chunks.h"

namespace limpet::page_reader_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;
using LineKind = SeriesCache::LineKind;

constexpr UnixTime kNow = UnixFromSeconds(1'700'000'000);
const std::string kReads = "limpet_disk_reads_completed_total{device=\"sda\"}";
const std::string kWrites = "limpet_disk_writes_completed_total{device=\"sda\"}";

class PageReaderTest : public ::testing::TestWithParam<LineReading> {
 protected:
  Result<IngestStats> Read(std::string text) {
    page_ = std::move(text);  // new lines are views into it
    return reader_.Read(
        {.source = "u", .node = "a", .role = {}, .labels = {}, .at = kNow, .text = page_}, cache_);
  }
  Result<IngestStats> ReadRecording(std::string text) {
    page_ = std::move(text);
    return reader_.Read({.source = "file",
                         .node = {},
                         .role = {},
                         .labels = {},
                         .at = kNow,
                         .format = Format::kOpenMetrics,
                         .recording = true,
                         .text = page_},
                        cache_);
  }
  // The same of the columns that the text becomes.
  Result<IngestStats> ReadColumns(const std::string& text, std::size_t begin, std::size_t end) {
    columns::TextChunks chunks(1h);
    auto bytes = chunks.Convert(text, Format::kOpenMetrics);
    bytes += chunks.Finish();
    columns::ChunkReader reader;
    reader.Feed(bytes);
    const auto chunk = std::make_shared<columns::Chunk>();
    EXPECT_TRUE(*reader.Next(*chunk));
    const columns::ChunkRows rows{.chunk = chunk, .begin = begin, .end = end};
    return reader_.Read({.source = "file",
                         .node = {},
                         .role = {},
                         .labels = {},
                         .at = kNow,
                         .format = Format::kOpenMetrics,
                         .recording = true,
                         .text = {},
                         .rows = &rows},
                        cache_);
  }
  // What was read, in its order.
  std::vector<std::pair<UnixTime, double>> Readings() const {
    std::vector<std::pair<UnixTime, double>> readings;
    const auto runs = reader_.Runs();
    for (std::size_t run = 0; run < runs.size(); ++run) {
      const auto end = run + 1 < runs.size() ? runs[run + 1].begin : reader_.Samples().size();
      for (auto i = runs[run].begin; i < end; ++i) {
        readings.emplace_back(runs[run].at, reader_.Samples()[i].value);
      }
    }
    return readings;
  }
  // As the intake does with what the cache does not know.
  void Learn(bool wanted = true) {
    for (const auto& line : reader_.NewLines()) {
      (void)cache_.Add(line.text, line.kind, {.field = {}, .entity = 0, .wanted = wanted});
    }
  }
  std::vector<LineKind> NewKinds() const {
    std::vector<LineKind> kinds;
    for (const auto& line : reader_.NewLines()) {
      kinds.push_back(line.kind);
    }
    return kinds;
  }
  std::vector<double> Values() const {
    std::vector<double> values;
    for (const auto& sample : reader_.Samples()) {
      values.push_back(sample.value);
    }
    return values;
  }

  std::string page_;
  PageReader reader_{GetParam()};
  SeriesCache cache_;
};

// With and without prediction a page says the same.
INSTANTIATE_TEST_SUITE_P(Both, PageReaderTest,
                         ::testing::Values(LineReading::kPredicted, LineReading::kPlain));

TEST_P(PageReaderTest, LinesThatTheCacheDoesNotKnowAreNew) {
  const auto stats = Read("# HELP x y\n" + kReads + " 5\nsomething_else 7\n");
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->samples, 2U);
  EXPECT_THAT(NewKinds(), ElementsAre(LineKind::kComment, LineKind::kSeries, LineKind::kIgnored));
  const auto& line = reader_.NewLines()[1];
  EXPECT_EQ(line.text, kReads);
  EXPECT_EQ(line.name, "limpet_disk_reads_completed_total");
  EXPECT_EQ(line.labels, "device=\"sda\"");
  // One sample a new line, whatever its kind: the cache learns the order of all of them.
  ASSERT_THAT(reader_.Samples(), SizeIs(3));
  EXPECT_EQ(reader_.Samples()[1].number, PageReader::kFirstNew + 1);
  EXPECT_EQ(reader_.Samples()[1].value, 5);
}

TEST_P(PageReaderTest, LinesThatTheCacheKnowsHaveItsNumbers) {
  const auto page = "# HELP x y\n" + kReads + " 5\nsomething_else 7\n" + kWrites + " 8\n";
  ASSERT_TRUE(Read(page));
  Learn();
  const auto stats = Read(page);
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->samples, 3U);
  EXPECT_THAT(reader_.NewLines(), IsEmpty());
  EXPECT_THAT(Values(), ElementsAre(5, 8)) << "neither the comment nor what nobody wants";
  EXPECT_EQ(reader_.Samples()[0].number, 1U);
  EXPECT_EQ(reader_.Samples()[1].number, 3U);
}

TEST_P(PageReaderTest, LinesInAnotherOrderAreFoundToo) {
  ASSERT_TRUE(Read("# HELP x y\n" + kReads + " 5\n" + kWrites + " 8\n"));
  Learn();
  ASSERT_TRUE(Read(kWrites + " 9\n# HELP x y\n" + kReads + " 6\n"));
  EXPECT_THAT(reader_.NewLines(), IsEmpty());
  EXPECT_THAT(Values(), ElementsAre(9, 6));
  ASSERT_TRUE(Read(kReads + " 7\nnew_one 1\n" + kWrites + " 10\n"));
  EXPECT_THAT(NewKinds(), ElementsAre(LineKind::kIgnored));
  EXPECT_THAT(Values(), ElementsAre(7, 1, 10));
}

TEST_P(PageReaderTest, ASeriesThatNoGroupWantsGivesNoSample) {
  ASSERT_TRUE(Read(kReads + " 5\n"));
  Learn(false);
  const auto stats = Read(kReads + " 6\n");
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->samples, 1U);
  EXPECT_THAT(reader_.Samples(), IsEmpty());
}

TEST_P(PageReaderTest, SamplesOfOneInstantAreOneRun) {
  ASSERT_TRUE(Read("a 1\nb 2\nc 3 1699999999000\nd 4 1699999999000\ne 5\n"));
  const auto runs = reader_.Runs();
  ASSERT_THAT(runs, SizeIs(3));
  EXPECT_EQ(runs[0].at, kNow);
  EXPECT_EQ(runs[0].begin, 0U);
  EXPECT_EQ(runs[1].at, kNow - 1s);
  EXPECT_EQ(runs[1].begin, 2U);
  EXPECT_EQ(runs[2].at, kNow);
  EXPECT_EQ(runs[2].begin, 4U);
}

TEST_P(PageReaderTest, SeriesOfHostsAreIgnoredUntilTheyAreWanted) {
  const std::string user = "limpet_cpu_seconds_total{cpu=\"0\",mode=\"user\"} 5\n";
  ASSERT_TRUE(Read(user));
  EXPECT_THAT(NewKinds(), ElementsAre(LineKind::kIgnored));
  reader_.Want(EntityKind::kHost);
  ASSERT_TRUE(Read(user));
  EXPECT_THAT(NewKinds(), ElementsAre(LineKind::kSeries));
}

TEST_P(PageReaderTest, TheLoadOfHostsIsAlwaysRead) {
  ASSERT_TRUE(Read("limpet_load1 0.5\nlimpet_cpu_seconds_total{cpu=\"0\",mode=\"idle\"} 5\n"));
  EXPECT_THAT(NewKinds(), ElementsAre(LineKind::kSeries, LineKind::kSeries));
}

TEST_P(PageReaderTest, AnExportersStartIsToldOnEveryPage) {
  const std::string page = "limpet_exporter_start_time_seconds 100.5\n";
  ASSERT_TRUE(Read(page));
  EXPECT_THAT(NewKinds(), ElementsAre(LineKind::kIdentity));
  for (int i = 0; i < 2; ++i) {
    ASSERT_THAT(reader_.Claims(), SizeIs(1)) << i;
    EXPECT_EQ(reader_.Claims()[0].node, "a");
    EXPECT_EQ(reader_.Claims()[0].value, 100.5);
    Learn();
    ASSERT_TRUE(Read(page));
  }
}

TEST_P(PageReaderTest, APageWithALineThatIsNoneIsAnError) {
  const auto read = Read(kReads + " 5\n<html>\n");
  ASSERT_FALSE(read);
  EXPECT_FALSE(read.error().message.empty());
  ASSERT_TRUE(Read(kReads + " 6\n"));
  EXPECT_THAT(Values(), ElementsAre(6)) << "nothing of the page before is left";
}

TEST_P(PageReaderTest, ARecordingCountsSuchLinesAndGoesOn) {
  const auto stats = ReadRecording("<html>\na 5 1700000001\n");
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->bad_lines, 1U);
  EXPECT_EQ(stats->samples, 1U);
  ASSERT_THAT(reader_.Runs(), SizeIs(1));
  EXPECT_EQ(reader_.Runs()[0].at, kNow + 1s);
}

TEST_P(PageReaderTest, ARecordingNamesTheNodeOfAStartItself) {
  ASSERT_TRUE(
      ReadRecording("limpet_exporter_start_time_seconds{instance=\"b\",role=\"io\"} 7 1700000000\n"
                    "limpet_exporter_start_time_seconds 8 1700000000\n"));
  ASSERT_THAT(reader_.Claims(), SizeIs(2));
  EXPECT_EQ(reader_.Claims()[0].node, "b");
  EXPECT_EQ(reader_.Claims()[1].node, "") << "it does not say";
}

TEST_P(PageReaderTest, APieceOfARecordingGoesOnWhereTheOneBeforeEnded) {
  ASSERT_TRUE(ReadRecording("a 1 1700000000\nb 2 1700000000\n"));
  Learn();
  ASSERT_TRUE(ReadRecording("a 3 1700000001\n"));
  EXPECT_THAT(reader_.NewLines(), IsEmpty());
  ASSERT_TRUE(ReadRecording("b 4 1700000001\n"));
  EXPECT_THAT(reader_.NewLines(), IsEmpty());
}

TEST_P(PageReaderTest, RowsOfARecordingAreItsLines) {
  const std::string text = "# TYPE x counter\n" + kReads + " 5 1700000000\n" + kWrites +
                           " 0.5 1700000000\nother 1 1700000000\n" + kReads + " 6 1700000001\n" +
                           kReads + " 7 1700000002\n" + kWrites + " NaN 1700000002\n";
  ASSERT_TRUE(ReadColumns(text, 0, 1));
  EXPECT_THAT(reader_.NewLines(), SizeIs(4)) << "of the comment too";
  Learn();
  const auto stats = ReadColumns(text, 0, 3);
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->samples, 6U);
  EXPECT_THAT(reader_.NewLines(), IsEmpty());
  const auto of_rows = Readings();
  ASSERT_TRUE(ReadRecording(text));
  const auto of_lines = Readings();
  ASSERT_EQ(of_rows.size(), 5U);
  ASSERT_EQ(of_lines.size(), 5U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(of_rows[i], of_lines[i]);
  }
  ASSERT_TRUE(ReadColumns(text, 1, 2));
  EXPECT_THAT(Readings(), ElementsAre(std::pair(kNow + 1s, 6.0)));
}

TEST_P(PageReaderTest, RowsThatSayWhoseTheyAreAreReadAsLines) {
  const std::string text = "limpet_exporter_start_time_seconds{instance=\"b\"} 7 1700000000\n";
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(ReadColumns(text, 0, 1));
    Learn();
    ASSERT_THAT(reader_.Claims(), SizeIs(1)) << "also when the series is known";
  }
}

// Which of two values is right nobody can tell, so neither is read.
TEST_P(PageReaderTest, APageWithASeriesTwiceIsRefused) {
  const auto refused = Read(kReads + " 5\n" + kWrites + " 1\n" + kReads + " 6\n");
  ASSERT_FALSE(refused) << "on the first page of all";
  EXPECT_THAT(refused.error().Text(), ::testing::HasSubstr(kReads));
  ASSERT_TRUE(Read(kReads + " 5\n" + kWrites + " 1\n"));
  Learn();
  EXPECT_FALSE(Read(kReads + " 6\n" + kWrites + " 2\n" + kReads + " 6\n"));
  EXPECT_FALSE(Read(kReads + " 7\n" + kWrites + " 3\n" + kReads + " 7\n" + kWrites + " 3\n"));
  EXPECT_FALSE(Read(kReads + " 8\n" + kWrites + " 3\n" + kReads + " 8\n" + kWrites + " 3\n"))
      << "also when this is the order that is expected by now";
  EXPECT_TRUE(Read(kReads + " 9\n" + kWrites + " 4\n"));
}

TEST_P(PageReaderTest, ASeriesMayComeTwiceForTwoInstants) {
  const auto page = kReads + " 5 1000\n" + kWrites + " 1 1000\n" + kReads + " 6 2000\n";
  ASSERT_TRUE(Read(page));
  Learn();
  EXPECT_TRUE(Read(page));
  EXPECT_FALSE(Read(page + kReads + " 7 1000\n")) << "but not for one";
}

TEST_P(PageReaderTest, WhatNobodyReadsMayComeTwice) {
  const std::string page = "# HELP x y\nsomething_else 7\n# HELP x y\nsomething_else 8\n";
  ASSERT_TRUE(Read(page));
  Learn();
  EXPECT_TRUE(Read(page));
  ASSERT_TRUE(ReadRecording(kReads + " 5 1\n" + kReads + " 5 1\n"))
      << "a piece of a recording is no page";
}

}  // namespace
}  // namespace limpet::page_reader_test
