#include "diagnoser/commands/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "exporter/common/exposition/codec.h"
#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/temp_folder.h"

namespace limpet::export_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::RunWith;

class ExportCommandTest : public ::testing::Test {
 protected:
  // Seconds from `first` on of a node.
  static std::string Lines(const std::string& node, int first, int count) {
    std::string text = "# TYPE limpet_load1 gauge\n";
    for (int second = first; second < first + count; ++second) {
      text += fmt::format("limpet_load1{{instance=\"{}\",role=\"server\"}} {} {}.000\n", node,
                          second, 1'700'000'000 + second);
    }
    return text;
  }

  testing::TempFolder folder_;
};

TEST_F(ExportCommandTest, MakesOneTextOfManyRecordingsInTheOrderOfTheirStarts) {
  folder_.Write("r/b.om", Lines("io1", 0, 2) + "# EOF\n");
  folder_.Write("r/a.om", Lines("io1", 1, 3) + "# EOF\n");  // its clock was set back
  const auto done = RunWith({"export", "--job", "j", folder_.Path("r")});
  EXPECT_EQ(done.code, kExitOk) << done.err;
  EXPECT_EQ(done.out,
            "# TYPE limpet_load1 gauge\n"
            "limpet_load1{job=\"j\",node=\"io1\",instance=\"io1\",role=\"server\"} 0 "
            "1700000000.000\n"
            "limpet_load1{job=\"j\",node=\"io1\",instance=\"io1\",role=\"server\"} 1 "
            "1700000001.000\n"
            "limpet_load1{job=\"j\",node=\"io1\",instance=\"io1\",role=\"server\"} 2 "
            "1700000002.000\n"
            "limpet_load1{job=\"j\",node=\"io1\",instance=\"io1\",role=\"server\"} 3 "
            "1700000003.000\n"
            "# EOF\n");
  EXPECT_THAT(done.err, HasSubstr("exported 4 samples of 2 recordings"));
  EXPECT_THAT(done.err, HasSubstr("left out 1 samples of instants that an earlier recording"));
}

TEST_F(ExportCommandTest, EndsTheTextOfARecordingThatWasCut) {
  ZstdWriter zstd(3);
  // One after the other: the order in which operands are made is nobody's promise.
  auto bytes = zstd.Write(Lines("io1", 0, 50));
  bytes += zstd.EndFrame();
  bytes += zstd.Write(Lines("io1", 50, 50));
  bytes += zstd.EndFrame();
  const auto cut = folder_.Write("cut.om.zst", bytes.substr(0, bytes.size() - 7));
  const auto output = folder_.Path("all.om");
  const auto done = RunWith({"export", "--output", output, cut});
  EXPECT_EQ(done.code, kExitOk) << done.err;
  EXPECT_THAT(done.err, HasSubstr("cut.om.zst: ends in the middle"));
  EXPECT_THAT(folder_.Read("all.om"), HasSubstr(" 49 1700000049.000\n"));
  EXPECT_THAT(folder_.Read("all.om"), EndsWith("# EOF\n"));
}

TEST_F(ExportCommandTest, FailsWhenNothingCanBeReadOrWritten) {
  const auto junk = folder_.Write("junk.om", "\x01\x02 nothing\n");
  EXPECT_EQ(RunWith({"export", junk}).code, kExitFailed);
  EXPECT_EQ(RunWith({"export", folder_.Path("missing.om")}).code, kExitFailed);
  const auto good = folder_.Write("good.om", Lines("io1", 0, 2));
  EXPECT_THAT(RunWith({"export", "--output", folder_.Path("no/such"), good}).err,
              HasSubstr("--output names a file in a folder that exists"));
  EXPECT_THAT(RunWith({"export", "--output", "/dev/full", good}).err,
              HasSubstr("not all samples could be written"));
}

}  // namespace
}  // namespace limpet::export_test
