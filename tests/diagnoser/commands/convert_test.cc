// A recording says the same in either form, to every command.
#include "diagnoser/commands/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/temp_folder.h"

namespace limpet::convert_test {
namespace {

using ::testing::HasSubstr;
using testing::RunWith;

class ConvertCommandTest : public ::testing::Test {
 protected:
  ConvertCommandTest() {
    const auto done =
        RunWith({"convert", "--output-dir", folder_.Path("columns"), folder_.Path("text")});
    EXPECT_EQ(done.code, kExitOk) << done.err;
  }

  testing::TempFolder folder_;
  std::string text_ = folder_.Write("text/all.om", testing::DiskRecording(40, 'c'));
  std::string keep_ = folder_.Write("columns/keep", "so that there is this folder");
  std::string columns_ = folder_.Path("columns/all.columns.zst");
  std::string config_ = folder_.Write("d.yml", testing::kQuickConfig);
};

TEST_F(ConvertCommandTest, BackItIsTheSameText) {
  const auto exported = RunWith({"export", text_});
  EXPECT_EQ(RunWith({"export", columns_}).out, exported.out);
  const auto done =
      RunWith({"convert", "--format", "text", "--output-dir", folder_.Path("columns"), columns_});
  ASSERT_EQ(done.code, kExitOk) << done.err;
  EXPECT_EQ(RunWith({"export", folder_.Path("columns/all.om.zst")}).out, exported.out);
}

TEST_F(ConvertCommandTest, EveryCommandSaysTheSameOfIt) {
  const std::vector<std::vector<std::string>> commands = {
      {"replay", "--windows", "--config", config_},
      {"replay", "--jobs", "2", "--config", config_},
      {"replay", "--from", "2023-11-14T22:13:33Z", "--config", config_},
      {"top", "--config", config_},
      {"explain", "c", "--config", config_}};
  for (const auto& command : commands) {
    auto of_text = command;
    of_text.push_back(text_);
    auto of_columns = command;
    of_columns.push_back(columns_);
    const auto expected = RunWith(of_text);
    ASSERT_EQ(expected.code, kExitOk) << expected.err;
    EXPECT_THAT(expected.out, HasSubstr("c"));
    EXPECT_EQ(RunWith(of_columns).out, expected.out) << command[0];
  }
}

TEST_F(ConvertCommandTest, FoldersMayHoldBothForms) {
  folder_.Write("mixed/second.om", "limpet_load1{instance=\"z\"} 1 1700000000.000\n");
  std::filesystem::copy_file(columns_, folder_.Path("mixed/first.columns.zst"));
  const auto done = RunWith({"export", folder_.Path("mixed")});
  EXPECT_THAT(done.err, HasSubstr("of 2 recordings"));
}

TEST_F(ConvertCommandTest, FoldersOfNodesStayFolders) {
  const std::string line = "limpet_load1{instance=\"z\"} 1 1700000000.000\n";
  folder_.Write("nodes/io01/20231114T000005Z.om", line);
  folder_.Write("nodes/io02/20231114T000005Z.om", line);
  const auto done =
      RunWith({"convert", "--output-dir", folder_.Path("columns"), folder_.Path("nodes")});
  ASSERT_EQ(done.code, kExitOk) << done.err;
  EXPECT_NE(folder_.Read("columns/io01/20231114T000005Z.columns.zst"), "");
  EXPECT_NE(folder_.Read("columns/io02/20231114T000005Z.columns.zst"), "");
}

TEST_F(ConvertCommandTest, WritesOverNothing) {
  const auto done = RunWith({"convert", "--output-dir", folder_.Path("columns"), text_});
  EXPECT_EQ(done.code, kExitFailed);
  EXPECT_THAT(done.err, HasSubstr("all.columns.zst: File exists; --output-dir names a folder"));
}

TEST_F(ConvertCommandTest, TakesOtherProgramsFilesAndNoJunk) {
  const auto table = folder_.Write("t.csv", "time,node,metric,value\n5,a,load1,1\n6,a,load1,2\n");
  const auto done = RunWith({"convert", "--output-dir", folder_.Path("columns"), table});
  EXPECT_EQ(done.code, kExitOk) << done.err;
  const auto text = RunWith({"export", folder_.Path("columns/t.csv.columns.zst")});
  EXPECT_THAT(text.out, HasSubstr("instance=\"a\"} 2 6.000\n"));

  const auto junk =
      RunWith({"convert", "--output-dir", folder_.Path("columns"), folder_.Write("junk", "hello")});
  EXPECT_EQ(junk.code, kExitFailed);
  EXPECT_THAT(junk.err, HasSubstr("junk: expected a recording, found no sample with a time"));
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("columns/junk.columns.zst")));
}

TEST_F(ConvertCommandTest, SaysWhatItLeftOut) {
  const auto bad = folder_.Write("bad.om", "a 1\nb 2 1700000000\nc 3");
  const auto done = RunWith({"convert", "--output-dir", folder_.Path("columns"), bad});
  EXPECT_EQ(done.code, kExitOk);
  EXPECT_THAT(done.err, HasSubstr("bad.om: left out 1 lines that are not samples with a time"));
  EXPECT_THAT(done.err, HasSubstr("bad.om: ends in the middle"));
}

}  // namespace
}  // namespace limpet::convert_test
