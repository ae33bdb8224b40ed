#include "diagnoser/commands/report.h"

#include <string>

#include "diagnoser/incidents/store.h"
#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/empty_store.h"
#include "tests/support/temp_folder.h"

namespace limpet::report_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::RunWith;

class ReportCommandTest : public ::testing::Test {
 protected:
  testing::TempFolder folder_;
  std::string config_ = folder_.Write("d.yml", testing::kQuickConfig);
  std::string recording_ = folder_.Write("all.om", testing::DiskRecording(40, 'c'));
};

TEST_F(ReportCommandTest, WritesOnePage) {
  const auto outcome =
      RunWith({"report", "--config", config_, "--output", folder_.Path("r.html"), recording_});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_EQ(outcome.out, "wrote " + folder_.Path("r.html") + "\n");
  EXPECT_THAT(folder_.Read("r.html"),
              AllOf(HasSubstr("1 server was named"), HasSubstr("<h3>disk sda of c <span"),
                    HasSubstr("<svg"), HasSubstr(recording_)));
}

TEST_F(ReportCommandTest, IsWrongUseWithoutInputOrOutput) {
  EXPECT_EQ(RunWith({"report", "--config", config_, recording_}).code, kExitUsage);
  EXPECT_EQ(RunWith({"report", "--config", config_, "--output", "x.html"}).code, kExitUsage);
  EXPECT_EQ(
      RunWith({"report", "--config", config_, "--output", "x.html", "--from", "noon", recording_})
          .code,
      kExitUsage);
  EXPECT_EQ(RunWith({"report", "--config", config_, "--output", "x.html", "--prometheus",
                     "http://localhost:1", recording_})
                .code,
            kExitUsage);
}

TEST_F(ReportCommandTest, TopAndExplainReadAHistoryToo) {
  {
    auto store =
        IncidentStore::Open(folder_.Path("history.db"), Database::Access::kReadWrite).value();
    IncidentRecord record{.id = "0123456789abcdef", .node = "io07", .cause = "disk-hog"};
    record.since = UnixFromSeconds(1'700'000'000);
    record.ended = UnixFromSeconds(1'700'003'600);
    record.indicted = true;
    record.text = "io07: disk-hog";
    ASSERT_TRUE(store.Put(std::vector{record}));
  }
  const auto run = [&](const std::string& what, const std::string& from) {
    std::vector<std::string> words{what, "--state-dir", folder_.Path(""), "--from", from};
    if (what == "explain") {
      words.emplace_back("io07");
    }
    return RunWith(words);
  };
  EXPECT_THAT(run("top", "1699999000").out, HasSubstr("io07"));
  EXPECT_THAT(run("top", "1700009999").out, HasSubstr("0 servers in 0 incidents"));
  EXPECT_THAT(run("explain", "1699999000").out,
              AllOf(HasSubstr("io07: disk-hog"), HasSubstr("incident 0123456789abcdef")));
  const auto none = run("explain", "1700009999");
  EXPECT_EQ(none.code, kExitFailed);
  EXPECT_THAT(none.err, HasSubstr("no incident of io07 in that time"));
  EXPECT_EQ(run("top", "noon").code, kExitUsage);
  EXPECT_EQ(RunWith({"top", "--from", "1700000000"}).code, kExitUsage);
  EXPECT_EQ(
      RunWith({"explain", "io07", "--state-dir", folder_.Path(""), "--url", "http://x:1"}).code,
      kExitUsage);
}

TEST_F(ReportCommandTest, ReadsAHistoryInsteadOfRecordings) {
  auto store =
      IncidentStore::Open(folder_.Path("history.db"), Database::Access::kReadWrite).value();
  IncidentRecord record{.id = "0123456789abcdef", .node = "io07", .cause = "disk-hog"};
  record.since = UnixFromSeconds(1'700'000'000);
  record.ended = UnixFromSeconds(1'700'003'600);
  record.indicted = true;
  ASSERT_TRUE(store.Put(std::vector{record}));
  const auto report = [&](const std::string& from) {
    const auto outcome = RunWith({"report", "--state-dir", folder_.Path(""), "--output",
                                  folder_.Path("m.html"), "--from", from});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    return folder_.Read("m.html");
  };
  EXPECT_THAT(report("1690000000"), AllOf(HasSubstr("1 server in 1 incident."), HasSubstr("io07")));
  EXPECT_THAT(report("1700009999"), HasSubstr("No incident is in the history"));
  // Seen before the clock was set back: it is not left out.
  record.id = "0123456789abcdee";
  record.since = record.last = UnixFromSeconds(4'102'444'800);
  record.ended.reset();
  ASSERT_TRUE(store.Put(std::vector{record}));
  EXPECT_THAT(report("1690000000"), HasSubstr("1 server in 2 incidents."));
  EXPECT_EQ(RunWith({"report", "--state-dir", "/nowhere", "--output", "x.html"}).code, kExitFailed);
}

TEST_F(ReportCommandTest, SaysWhatCannotBeReadOrWritten) {
  EXPECT_EQ(
      RunWith({"report", "--config", config_, "--output", folder_.Path("x.html"), "/nowhere/a.om"})
          .code,
      kExitFailed);
  EXPECT_EQ(
      RunWith({"report", "--config", config_, "--output", "/nowhere/x.html", recording_}).code,
      kExitFailed);
  const auto empty = RunWith({"report", "--config", config_, "--output", folder_.Path("x.html"),
                              folder_.Write("empty.om", "# EOF\n")});
  EXPECT_EQ(empty.code, kExitFailed);
  EXPECT_THAT(empty.err, HasSubstr("nothing could be read"));
}

TEST_F(ReportCommandTest, AStoreThatHasNothingIsAFailure) {
  const auto server = testing::StartEmptyStore();
  ASSERT_TRUE(server) << server.error().Text();
  const auto outcome = RunWith({"report", "--config", config_, "--output", folder_.Path("x.html"),
                                "--prometheus", "http://" + (*server)->Addresses().front(),
                                "--step", "1s", "--from", "1700000000", "--to", "1700000040"});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("the store has no series that a peer group"));
}

}  // namespace
}  // namespace limpet::report_test
