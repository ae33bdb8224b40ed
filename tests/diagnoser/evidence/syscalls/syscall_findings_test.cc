#include "diagnoser/evidence/syscalls/syscall_findings.h"

#include <gmock/gmock.h>

#include "diagnoser/detect/syscalls/silent_servers.h"
#include "diagnoser/publish/explain.h"

namespace limpet::syscall_findings_test {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr auto kNow = UnixFromSeconds(1'700'000'000);

ErrorSighting Error(const std::string& node) {
  return {.node = node,
          .role = "io",
          .client = false,
          .path = "storage",
          .call = "write",
          .error = "EFBIG",
          .from = kNow - seconds(1),
          .to = kNow,
          .count = 3};
}

BrokenServer Broken(const std::string& node, Breakage what) {
  return {.server = node,
          .what = what,
          .since = kNow,
          .last = kNow,
          .client = "c1",
          .error = what == Breakage::kCrash ? "ECONNRESET" : "",
          .call = {},
          .open = seconds(45),
          .kind = LastCall::kFailed,
          .contact = kNow,
          .clients = 2};
}

class SyscallFindingsTest : public ::testing::Test {
 protected:
  [[nodiscard]] SyscallFindings Make() const {
    return MakeSyscallFindings({.windows = windows_,
                                .errors = errors_,
                                .broken = broken_,
                                .unusual = unusual_,
                                .timeout = seconds(30)});
  }

  std::map<std::pair<std::string, ServiceMetric>, ServiceWindow> windows_;
  std::vector<PropagatedError> errors_;
  std::vector<BrokenServer> broken_;
  std::map<std::string, ErrorSighting> unusual_;
};

TEST_F(SyscallFindingsTest, NothingIsNothing) {
  const auto findings = Make();
  EXPECT_THAT(findings.facts, IsEmpty());
  EXPECT_THAT(findings.slow, IsEmpty());
}

TEST_F(SyscallFindingsTest, ACrashNamesTheErrorThatKilledTheServer) {
  broken_ = {Broken("io03", Breakage::kCrash)};
  unusual_ = {{"io03", Error("io03")}, {"io04", Error("io04")}};
  const auto findings = Make();
  ASSERT_THAT(findings.facts, SizeIs(1));
  const auto& verdict = findings.facts[0];
  EXPECT_EQ(verdict.cause, Cause::kServerCrash);
  EXPECT_TRUE(verdict.local);
  ASSERT_THAT(verdict.evidence, SizeIs(2));
  EXPECT_EQ(verdict.evidence[0].syscall->client_error, "ECONNRESET");
  EXPECT_EQ(verdict.evidence[1].syscall->error, "EFBIG");
  EXPECT_GT(verdict.degree, 1);
}

TEST_F(SyscallFindingsTest, AHangsDegreeIsHowOftenTheTimeoutHasPassed) {
  broken_ = {Broken("io03", Breakage::kHang)};
  const auto findings = Make();
  ASSERT_THAT(findings.facts, SizeIs(1));
  EXPECT_EQ(findings.facts[0].cause, Cause::kServerHang);
  EXPECT_DOUBLE_EQ(findings.facts[0].degree, 1.5);
  EXPECT_DOUBLE_EQ(*findings.facts[0].evidence[0].syscall->open, 45);
}

TEST_F(SyscallFindingsTest, ARequestWithoutAnAnswerIsNoCallOnAFile) {
  broken_ = {Broken("io03", Breakage::kHang)};
  broken_[0].client = "c1";
  EXPECT_EQ(Make().facts.at(0).evidence[0].syscall->path, "storage");
  broken_[0].call = std::string(kUnansweredRequest);
  const auto findings = Make();
  EXPECT_EQ(findings.facts.at(0).evidence[0].syscall->path, "network");
  EXPECT_THAT(Explain(findings.facts[0]),
              HasSubstr("a request of client c1 has had no answer for 45.0 s"));
}

TEST_F(SyscallFindingsTest, ErrorsOfABrokenServerAreEvidenceOfIt) {
  broken_ = {Broken("io03", Breakage::kHang)};
  errors_ = {{.server = Error("io03"),
              .client_node = "c1",
              .client_call = "read",
              .client_error = "EIO",
              .client_at = kNow,
              .last = kNow}};
  const auto findings = Make();
  ASSERT_THAT(findings.facts, SizeIs(1));
  EXPECT_EQ(findings.facts[0].cause, Cause::kServerHang);
  EXPECT_THAT(findings.facts[0].evidence, SizeIs(2));
}

TEST_F(SyscallFindingsTest, FlaggedServiceTimesAreOneVerdictANode) {
  ServiceState state{.server = "io02",
                     .mean = 0.04,
                     .deviation = 0.03,
                     .threshold = 0.01,
                     .own_threshold = true,
                     .anomalous = true,
                     .flagged = true,
                     .degree = 3,
                     .ends = {1'700'000'000},
                     .direction = Direction::kHigh};
  const ServiceWindow window{.end = 1'700'000'000, .reference = 0.01, .servers = {state}};
  windows_ = {{{"io", ServiceMetric::kDiskRead}, window},
              {{"io", ServiceMetric::kDiskWrite}, window}};
  const auto findings = Make();
  ASSERT_THAT(findings.slow, SizeIs(1));
  EXPECT_EQ(findings.slow[0].cause, Cause::kSlowSyscalls);
  EXPECT_FALSE(findings.slow[0].local);
  ASSERT_THAT(findings.slow[0].evidence, SizeIs(2));
  EXPECT_EQ(findings.slow[0].evidence[0].metric, "dread");
  EXPECT_DOUBLE_EQ(*findings.slow[0].evidence[0].peer_median, 0.01);
}

}  // namespace
}  // namespace limpet::syscall_findings_test
