#include "diagnoser/sources/open_recording.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "exporter/common/columns/chunk_header.h"
#include "exporter/common/exposition/codec.h"

namespace limpet::open_recording_test {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;

TEST(OpenRecording, RecognisesFilesByWhatTheyBeginWith) {
  EXPECT_EQ(RecogniseInput("\x96\xD5\x75\x21"s), InputKind::kSysstatFile);
  EXPECT_EQ(RecogniseInput("{\"sysstat\": {\n"), InputKind::kSysstatJson);
  EXPECT_EQ(RecogniseInput("{\"other\": {\n"), InputKind::kRecording);
  EXPECT_EQ(RecogniseInput("time,node,device,metric,value\n1,2"), InputKind::kCsv);
  EXPECT_EQ(RecogniseInput("# HELP x y\nnode_load1 1 1700000000000\n"),
            InputKind::kTextWithoutNode);
  EXPECT_EQ(RecogniseInput("# HELP x y\nlimpet_load1{instance=\"a\"} 1 1700000000.000\n"),
            InputKind::kRecording);
  EXPECT_EQ(RecogniseInput("a{instance=\"x\"} 1 5.0\na{instance=\"x\"} 1 6.0\n"
                           "a{instance=\"x\"} 1 7.0\nb{instance=\"x\"} 1 5.0\n"),
            InputKind::kTextBySeries);
  EXPECT_EQ(RecogniseInput(""), InputKind::kRecording);
  EXPECT_EQ(RecogniseInput(columns::kMagic), InputKind::kRecording);
}

std::string Write(const std::string& name, const std::string& bytes) {
  const auto path = std::filesystem::temp_directory_path() / ("limpet-open-" + name);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string ReadAll(const std::string& path) {
  auto recording = OpenRecording(path);
  if (!recording) {
    return recording.error().Text();
  }
  (void)recording->Peek();
  recording->ReleaseBuffers();  // as a replay does that has many files
  std::string all;
  while (true) {
    const auto piece = recording->Next(UnixTime::max());
    if (!piece || !*piece) {
      return piece ? all : piece.error().Text();
    }
    all += (*piece)->text;
  }
}

TEST(OpenRecording, ReadsEachAsARecording) {
  const std::string table = "time,node,metric,value\n5,a,load1,1\n6,a,load1,2\n";
  const std::string lines =
      "limpet_load1{instance=\"a\"} 1 5.000\nlimpet_load1{instance=\"a\"} 2 6.000\n";
  EXPECT_EQ(ReadAll(Write("plain.csv", table)), lines);
  EXPECT_EQ(ReadAll(Write("packed.csv.gz", GzipEncode(table))), lines);
  EXPECT_EQ(ReadAll(Write("text", lines)), lines);
  // Whatever the file is called.
  EXPECT_EQ(ReadAll(Write("a.om", "load1 1 5.000\nother 1 5.000\n")),
            "load1{instance=\"limpet-open-a\"} 1 5.000\n"
            "other{instance=\"limpet-open-a\"} 1 5.000\n");
  EXPECT_EQ(ReadAll(Write("b.prom", "c 1 5000\nc 2 7000\nc 3 8000\nd 1 6000\n")),
            "c{instance=\"limpet-open-b\"} 1 5000\nd{instance=\"limpet-open-b\"} 1 6000\n"
            "c{instance=\"limpet-open-b\"} 2 7000\nc{instance=\"limpet-open-b\"} 3 8000\n");
}

TEST(OpenRecording, SaysWhatToUnpack) {
  EXPECT_THAT(ReadAll(Write("sa01.xz",
                            "\xFD"
                            "7zXZ\0 and so on"s)),
              HasSubstr("got one of xz; unpack it first"));
  EXPECT_THAT(ReadAll(Write("sa01.gz", GzipEncode("\x96\xD5\x75\x21"))),
              HasSubstr("unpack it first"));
  EXPECT_THAT(ReadAll("/nowhere/x.csv"), HasSubstr("/nowhere/x.csv: No such file"));
}

// sadf tells its own damage; a system without sadf is told what to install.
TEST(OpenRecording, SaysWhatSadfSaysOfADamagedFile) {
  EXPECT_THAT(ReadAll(Write("sa02", "\x96\xD5\x75\x21 damaged")),
              ::testing::AnyOf(HasSubstr("sa02: sadf ended with exit code"),
                               HasSubstr("sadf is missing; install the package sysstat")));
}

}  // namespace
}  // namespace limpet::open_recording_test
