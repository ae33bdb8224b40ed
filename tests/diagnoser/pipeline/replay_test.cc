#include "diagnoser/replay.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "diagnoser/publish/events.h"
#include "exporter/common/exposition/codec.h"
#include "tests/support/temp_folder.h"

namespace limpet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
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
}  // namespace limpet
