// What docs/formats/recording.md says of other programs and of cut files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/exposition/writer.h"
#include "tests/support/command.h"
#include "tests/support/temp_folder.h"

namespace limpet::recording_format_test {
namespace {

constexpr MetricInfo kReads{.name = "disk_reads_completed_total",
                            .type = MetricType::kCounter,
                            .help = "Reads completed successfully."};
constexpr MetricInfo kLoad{.name = "load1", .type = MetricType::kGauge, .help = "Load average."};

std::string Block(int second) {
  const Families families = {{&kReads, {{MakeLabels({{"device", "sdb"}}), 81723.0 + second}}},
                             {&kLoad, {{nullptr, 1.07}}}};
  return Render(families, Format::kOpenMetrics,
                {.constant_labels = {{"instance", "oss3"}, {"role", "server"}},
                 .timestamp = UnixFromSeconds(1'769'817'605 + second),
                 .describe = second == 0,
                 .end_mark = false});
}

TEST(RecordingFormat, PromtoolAcceptsInterleavedFamilies) {
  std::string text;
  for (int second = 0; second < 120; ++second) {
    text += Block(second);
  }
  const testing::TempFolder folder;
  const auto import = [&](const std::string& path) {
    return testing::RunCommand("promtool tsdb create-blocks-from openmetrics " + path + " " +
                               folder.Path("blocks"));
  };
  const auto whole = import(folder.Write("whole.om", text + "# EOF\n"));
  EXPECT_EQ(whole.status, 0) << whole.output;
  EXPECT_THAT(whole.output, ::testing::HasSubstr(" 240 ")) << "samples";
  EXPECT_NE(import(folder.Write("open.om", text)).status, 0) << "it wants # EOF";
}

TEST(RecordingFormat, ACutFrameIsReadToItsLastWholeLine) {
  ZstdWriter writer(9);
  std::string file;
  for (int second = 0; second < 60; ++second) {
    file += writer.Write(Block(second));
  }
  file += writer.EndFrame();
  std::string next;
  for (int second = 60; second < 120; ++second) {
    next += writer.Write(Block(second));
  }
  next += writer.EndFrame();
  for (std::size_t length = 0; length < next.size(); ++length) {
    const auto decoded = Decode(Encoding::kZstd, file + next.substr(0, length));
    ASSERT_TRUE(decoded) << decoded.error().Text();
    EXPECT_EQ(decoded->cut, length != 0);
    PageParser parser(decoded->text, {.format = Format::kOpenMetrics, .mode = ParseMode::kResume});
    int samples = 0;
    for (auto item = parser.Next(); item.kind != ItemKind::kEnd; item = parser.Next()) {
      ASSERT_NE(item.kind, ItemKind::kError) << parser.error().Text();
      samples += item.kind == ItemKind::kSample ? 1 : 0;
    }
    EXPECT_GE(samples, 120);
  }
}

}  // namespace
}  // namespace limpet::recording_format_test
