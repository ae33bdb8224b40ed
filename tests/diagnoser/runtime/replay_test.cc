#include "diagnoser/runtime/replay.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "diagnoser/publish/events.h"
#include "exporter/common/exposition/codec.h"
#include "tests/support/temp_folder.h"

namespace limpet::replay_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::TempFolder;

constexpr std::int64_t kStart = 1'700'000'000 / 64 * 64;

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {TestbenchPreset()};
  config.groups = {{.name = "io"}};
  return config;
}

// One node's disk, `duration` seconds of it.
std::string Lines(const std::string& node, int from, int to) {
  std::string text;
  for (int second = from; second <= to; ++second) {
    for (const char* name :
         {"reads_completed", "writes_completed", "read_bytes", "written_bytes", "read_time_seconds",
          "write_time_seconds", "io_time_seconds", "io_time_weighted_seconds"}) {
      text += fmt::format("limpet_disk_{}_total{{device=\"sda\",instance=\"{}\"}} {} {}.250\n",
                          name, node, second * 3, kStart + second);
    }
  }
  return text;
}

std::vector<std::string> EventsOf(const std::vector<std::string>& paths,
                                  ReplayReport* report = nullptr) {
  std::vector<std::string> lines;
  const auto result = Replay(
      Config(), paths, [&](const Event& event) { lines.push_back(ToJsonLine(event)); },
      [](LogLevel, std::string_view text) { ADD_FAILURE() << text; });
  EXPECT_TRUE(result) << result.error().Text();
  if (report != nullptr && result) {
    *report = *result;
  }
  return lines;
}

std::string AllNodes(int from, int to) {
  std::string text;
  for (int second = from; second <= to; ++second) {
    for (const char* node : {"a", "b", "c"}) {
      text += Lines(node, second, second);
    }
  }
  return text;
}

TEST(Replay, OneFileOrManyPlainOrCompressedIsAllTheSame) {
  const TempFolder folder;
  const auto plain = folder.Write("all.om", AllNodes(0, 200) + "# EOF\n");
  const auto expected = EventsOf({plain});
  EXPECT_EQ(expected.size(), 8U * 5U + 1U);

  const auto a = folder.Write("a.om.gz", GzipEncode(Lines("a", 0, 200) + "# EOF\n"));
  ZstdWriter zstd(3);
  auto packed = zstd.Write(Lines("b", 0, 100));
  packed += zstd.EndFrame();
  packed += zstd.Write(Lines("b", 101, 200));
  packed += zstd.EndFrame();
  const auto b = folder.Write("b.om.zst", packed);
  const auto c1 = folder.Write("c1.om", Lines("c", 0, 99) + "# EOF\n");
  const auto c2 = folder.Write("c2.om", Lines("c", 100, 200));
  EXPECT_EQ(EventsOf({a, b, c1, c2}), expected);
  EXPECT_EQ(EventsOf({c2, b, c1, a}), expected);
}

std::vector<std::string> EventsWith(Workers* workers, const std::vector<std::string>& paths) {
  auto config = Config();
  config.groups = {{.name = "io"}, {.name = "again"}, {.name = "third"}};
  std::vector<std::string> lines;
  const auto report = Replay(config, {.paths = paths, .workers = workers},
                             {.events =
                                  [&](const std::vector<Event>& events) {
                                    for (const auto& event : events) {
                                      lines.push_back(ToJsonLine(event));
                                    }
                                  }},
                             [](LogLevel, std::string_view text) { ADD_FAILURE() << text; });
  EXPECT_TRUE(report);
  EXPECT_EQ(report->file_bytes, report->total_bytes);
  return lines;
}

TEST(Replay, WithWorkersEveryEventIsTheSame) {
  const TempFolder folder;
  std::vector<std::string> paths;
  for (const char* node : {"a", "b", "c", "d"}) {
    paths.push_back(folder.Write(std::string(node) + ".om", Lines(node, 0, 300)));
  }
  const auto expected = EventsWith(nullptr, paths);
  EXPECT_GT(expected.size(), 20U);
  for (const std::size_t threads : {0U, 1U, 3U}) {
    Workers workers(threads);
    EXPECT_EQ(EventsWith(&workers, paths), expected) << threads;
  }
}

// A folder and a file in it, say: both are one source, which no two threads may read.
TEST(Replay, WithWorkersAFileThatIsGivenTwiceIsReadByOne) {
  const TempFolder folder;
  std::vector<std::string> paths;
  for (const char* node : {"a", "b", "c"}) {
    paths.push_back(folder.Write(std::string(node) + ".om", Lines(node, 0, 600)));
  }
  paths.push_back(paths.front());
  const auto expected = EventsWith(nullptr, paths);
  EXPECT_GT(expected.size(), 20U);
  Workers workers(3);
  EXPECT_EQ(EventsWith(&workers, paths), expected);
}

// The days of a server: a folder has several files of each node, which overlap by some seconds.
TEST(Replay, WithWorkersFilesOfTheSameNodeAreInOrder) {
  const TempFolder folder;
  std::vector<std::string> paths;
  for (int node = 0; node < 6; ++node) {
    const auto name = fmt::format("n{}", node);
    paths.push_back(folder.Write(name + "-1.om", Lines(name, 0, 200 + node)));
    paths.push_back(folder.Write(name + "-2.om", Lines(name, 200 - node, 400)));
  }
  const auto expected = EventsWith(nullptr, paths);
  EXPECT_GT(expected.size(), 20U);
  for (const std::size_t threads : {1U, 3U}) {
    Workers workers(threads);
    EXPECT_EQ(EventsWith(&workers, paths), expected) << threads;
  }
}

// What is known of all series is given up once an hour, while the next pages are being read; nodes
// come and go, and an exporter restarts.
TEST(Replay, WithWorkersHoursOfComingAndGoingAreTheSame) {
  const TempFolder folder;
  std::vector<std::string> paths;
  for (int node = 0; node < 6; ++node) {
    const auto name = fmt::format("n{}", node);
    const auto restart = [&](int at) {
      return fmt::format("limpet_exporter_start_time_seconds{{instance=\"{}\"}} {} {}.000\n", name,
                         kStart + at - 1, kStart + at);
    };
    auto text = restart(0) + Lines(name, 0, 3590 + node);
    text += node == 2 ? restart(3600 + node) : "";
    text += Lines(name, 3600 + 40 * node, 3900);
    text += node == 4 ? "" : Lines(name, 7300, 7500 + node);
    paths.push_back(folder.Write(name + ".om", text));
  }
  const auto expected = EventsWith(nullptr, paths);
  EXPECT_GT(expected.size(), 500U);
  for (const std::size_t threads : {1U, 3U}) {
    Workers workers(threads);
    EXPECT_EQ(EventsWith(&workers, paths), expected) << threads;
  }
}

TEST(Replay, ACutFileIsReadToItsLastWholeLineAndSaidSo) {
  const TempFolder folder;
  ReplayReport report;
  auto text = AllNodes(0, 130);
  const auto whole = EventsOf({folder.Write("whole.om", text)});
  text += "limpet_disk_read_bytes_total{device=\"sda\",instance=\"a\"} 5 17000";
  const auto cut = folder.Write("cut.om", text);
  EXPECT_EQ(EventsOf({cut}, &report), whole);
  EXPECT_THAT(report.cut, ElementsAre(cut));
  EXPECT_EQ(report.bad_lines, 0U);
}

TEST(Replay, ADamagedEndKeepsWhatCameBefore) {
  const TempFolder folder;
  ZstdWriter zstd(3);
  auto packed = zstd.Write(AllNodes(0, 130));
  packed += zstd.EndFrame();
  const auto whole = EventsOf({folder.Write("whole.zst", packed)});
  packed += zstd.Write(AllNodes(131, 200));
  packed += zstd.EndFrame().substr(0, 40);
  ReplayReport report;
  const auto cut = folder.Write("cut.zst", packed);
  const auto lines = EventsOf({cut}, &report);
  EXPECT_GE(lines.size(), whole.size());
  EXPECT_THAT(report.cut, ElementsAre(cut));
}

// What a crash leaves: any number of bytes of the file.
void ExpectACutIsHarmless(const std::string& name, const std::string& packed) {
  const TempFolder folder;
  const auto full = EventsOf({folder.Write("full" + name, packed)});
  for (const std::size_t size : {packed.size() - 1, packed.size() * 3 / 4, packed.size() / 2}) {
    ReplayReport report;
    const auto cut = folder.Write("cut" + name, packed.substr(0, size));
    const auto lines = EventsOf({cut}, &report);
    EXPECT_THAT(report.cut, ElementsAre(cut)) << size;
    EXPECT_EQ(report.bad_lines, 0U) << size;
    ASSERT_LE(lines.size(), full.size());
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      EXPECT_EQ(lines[i], full[i]) << "a window of whole data is the same";
    }
  }
}

TEST(Replay, AFileMayBeCutAnywhereWhateverItsEncoding) {
  // Not at the end of a line: the last number may have lost digits.
  auto text = AllNodes(0, 300);
  text.pop_back();
  ExpectACutIsHarmless(".om", text);
  ExpectACutIsHarmless(".om.gz", GzipEncode(text + "\n"));
  ZstdWriter zstd(3);
  auto packed = zstd.Write(AllNodes(0, 100));
  packed += zstd.EndFrame();
  packed += zstd.Write(AllNodes(101, 300));
  packed += zstd.EndFrame();
  ExpectACutIsHarmless(".om.zst", packed);
}

TEST(Replay, MembersAndFramesInARowAreOneText) {
  const TempFolder folder;
  const auto expected = EventsOf({folder.Write("all.om", AllNodes(0, 200))});
  const auto first = AllNodes(0, 99);
  const auto second = AllNodes(100, 200);
  // In the middle of a line, too.
  const auto half = first.size() / 2;
  const auto gzip = GzipEncode(first.substr(0, half)) + GzipEncode(first.substr(half)) +
                    GzipEncode("") + GzipEncode(second);
  EXPECT_EQ(EventsOf({folder.Write("x.om.gz", gzip)}), expected);
  ZstdWriter zstd(3);
  auto packed = zstd.Write(first.substr(0, half));
  packed += zstd.EndFrame();
  packed += zstd.Write(first.substr(half));
  packed += zstd.EndFrame();
  packed += zstd.Write(second);
  packed += zstd.EndFrame();
  EXPECT_EQ(EventsOf({folder.Write("x.om.zst", packed)}), expected);
}

TEST(Replay, TheSameSecondsInTwoFilesCountOnce) {
  const TempFolder folder;
  const auto expected = EventsOf({folder.Write("all.om", AllNodes(0, 200))});
  const auto a = folder.Write("a.om", AllNodes(0, 120));
  const auto b = folder.Write("b.om", AllNodes(100, 200));
  ReplayReport report;
  EXPECT_EQ(EventsOf({a, b}, &report), expected);
  EXPECT_EQ(report.late, 21U * 24U);
  ASSERT_EQ(report.late_files.size(), 1U);
  EXPECT_EQ(report.late_files.begin()->second, report.late);
  EXPECT_EQ(EventsOf({b, a}), expected);
}

TEST(Replay, AClockStepBetweenFilesLosesOnlyWhatOverlaps) {
  const TempFolder folder;
  // The recorder begins a new file when the clock is set back: here by a minute.
  const auto before = folder.Write("20231114T221320Z.om", AllNodes(0, 150));
  const auto after = folder.Write("20231114T221450Z.om", AllNodes(90, 250));
  EXPECT_EQ(EventsOf({before, after}), EventsOf({folder.Write("all.om", AllNodes(0, 250))}));
  // Forward by ten minutes: windows in between have nobody to judge.
  const auto later = folder.Write("later.om", AllNodes(750, 950));
  const auto lines = EventsOf({before, later});
  EXPECT_THAT(lines.back(), HasSubstr("\"windows\":"));
  EXPECT_GT(lines.size(), EventsOf({before}).size());
}

TEST(Replay, KnowsTheNamesOfLunsAtTheEnd) {
  const TempFolder folder;
  ReplayReport report;
  const auto info = fmt::format(
      "limpet_disk_info{{device=\"sda\",wwn=\"naa.600a\",instance=\"a\"}} 1 {}.250\n", kStart);
  (void)EventsOf({folder.Write("all.om", info + AllNodes(0, 100))}, &report);
  EXPECT_THAT(report.wwns, ElementsAre(Pair("a/sda", "naa.600a")));
}

TEST(Replay, AFolderStandsForItsRecordings) {
  const TempFolder folder;
  const TempFolder other;
  folder.Write("notes.txt", "what is this\n");
  folder.Write("b.om", AllNodes(100, 200));
  folder.Write("a.om.gz", GzipEncode(AllNodes(0, 99)));
  EXPECT_EQ(EventsOf({folder.Path()}), EventsOf({other.Write("all.om", AllNodes(0, 200))}));
}

TEST(Replay, AFolderWithoutRecordingsIsAnError) {
  const TempFolder folder;
  const auto result = Replay(
      Config(), {folder.Path()}, [](const Event&) { ADD_FAILURE(); },
      [](LogLevel, std::string_view) {});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().Text(), HasSubstr("expected recordings"));
}

TEST(Replay, ADayWithoutDataIsNoTrouble) {
  const TempFolder folder;
  const auto lines = EventsOf({folder.Write("x.om", AllNodes(0, 130) + AllNodes(90'000, 90'200))});
  EXPECT_THAT(lines.back(), HasSubstr("\"type\":\"summary\""));
  EXPECT_EQ(lines.size(), 8U * 7U + 1U);
}

TEST(Replay, LinesThatCannotBeReadAreCounted) {
  const TempFolder folder;
  ReplayReport report;
  const auto lines = EventsOf(
      {folder.Write("x.om", AllNodes(0, 64) + "what is this\n" + AllNodes(65, 130))}, &report);
  EXPECT_EQ(report.bad_lines, 1U);
  EXPECT_EQ(lines, EventsOf({folder.Write("y.om", AllNodes(0, 130))}));
}

TEST(Replay, AFileThatIsNotThereIsAnErrorAtOnce) {
  const auto result = Replay(
      Config(), {"/nonexistent/x.om"}, [](const Event&) { ADD_FAILURE(); },
      [](LogLevel, std::string_view) {});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().Text(), HasSubstr("/nonexistent/x.om"));
}

TEST(Replay, NothingToReadHasOnlyASummary) {
  const TempFolder folder;
  EXPECT_EQ(EventsOf({folder.Write("empty.om", "")}).size(), 1U);
  EXPECT_EQ(EventsOf({folder.Write("eof.om", "# EOF\n")}).size(), 1U);
  EXPECT_EQ(EventsOf({folder.Write("noise.om", std::string(100'000, 'x'))}).size(), 1U);
}

}  // namespace
}  // namespace limpet::replay_test
