#include "diagnoser/verdict/syscall_verdicts.h"

#include <gmock/gmock.h>

namespace limpet::syscall_verdicts_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

VerdictEvent Verdict(const std::string& node, Cause cause, Direction direction = Direction::kHigh) {
  VerdictEvent verdict;
  verdict.node = node;
  verdict.cause = cause;
  verdict.degree = 2;
  verdict.evidence.resize(1);
  verdict.evidence[0].component = node;
  verdict.evidence[0].degree = 2;
  verdict.evidence[0].direction = direction;
  return verdict;
}

std::vector<std::string> Texts(const std::vector<VerdictEvent>& verdicts) {
  std::vector<std::string> texts;
  for (const auto& one : verdicts) {
    texts.push_back(std::to_string(one.rank) + " " + one.node + " " + Name(one.cause) +
                    (one.secondary ? ", secondary" : ""));
  }
  return texts;
}

TEST(WithSyscalls, NothingFoundChangesNothing) {
  const auto verdicts = WithSyscalls({Verdict("a", Cause::kDiskBusy)}, {}, {});
  ASSERT_THAT(verdicts, SizeIs(1));
  EXPECT_EQ(verdicts[0].rank, 0U);
}

TEST(WithSyscalls, ACrashComesFirstAndExplainsTheOthers) {
  EXPECT_THAT(Texts(WithSyscalls(
                  {Verdict("a", Cause::kDiskHog), Verdict("b", Cause::kNetworkHog)},
                  {.peers = {}, .facts = {Verdict("b", Cause::kServerCrash)}, .slow = {}}, {})),
              ElementsAre("1 b server-crash", "2 a disk-hog, secondary"));
}

TEST(WithSyscalls, WhatTheChecklistSaysOfACrashedServerIsEvidence) {
  const auto verdicts =
      WithSyscalls({Verdict("b", Cause::kDiskHog)},
                   {.peers = {}, .facts = {Verdict("b", Cause::kServerHang)}, .slow = {}}, {});
  ASSERT_THAT(verdicts, SizeIs(1));
  EXPECT_THAT(verdicts[0].evidence, SizeIs(2));
}

TEST(WithSyscalls, ASlowDiskStaysTheCauseWhileCallsWaitForIt) {
  const auto verdicts =
      WithSyscalls({Verdict("a", Cause::kDiskHog), Verdict("b", Cause::kDiskBusy)},
                   {.peers = {}, .facts = {Verdict("b", Cause::kServerHang)}, .slow = {}}, {});
  EXPECT_THAT(Texts(verdicts), ElementsAre("1 a disk-hog", "2 b disk-busy"));
  EXPECT_THAT(verdicts[1].evidence, SizeIs(2));
}

TEST(WithSyscalls, AnErrorExplainsNobodyElse) {
  EXPECT_THAT(Texts(WithSyscalls(
                  {Verdict("a", Cause::kDiskHog)},
                  {.peers = {}, .facts = {Verdict("b", Cause::kPropagatedError)}, .slow = {}}, {})),
              ElementsAre("1 b propagated-error", "2 a disk-hog"));
}

TEST(WithSyscalls, LocalEvidenceIsNeverSecondary) {
  auto local = Verdict("a", Cause::kDiskBusy);
  local.local = true;
  EXPECT_THAT(
      Texts(WithSyscalls(
          {local}, {.peers = {}, .facts = {Verdict("b", Cause::kServerHang)}, .slow = {}}, {})),
      ElementsAre("1 b server-hang", "2 a disk-busy"));
}

TEST(WithSyscalls, SlowCallsOfANodeWithACauseAreEvidenceOfIt) {
  const auto verdicts =
      WithSyscalls({Verdict("a", Cause::kDiskBusy)},
                   {.peers = {"a"}, .facts = {}, .slow = {Verdict("a", Cause::kSlowSyscalls)}}, {});
  EXPECT_THAT(Texts(verdicts), ElementsAre("1 a disk-busy"));
  EXPECT_THAT(verdicts[0].evidence, SizeIs(2));
}

TEST(WithSyscalls, WhoWaitsForASlowServerIsSecondary) {
  EXPECT_THAT(
      Texts(WithSyscalls(
          {Verdict("a", Cause::kDiskBusy)},
          {.peers = {"a", "b"}, .facts = {}, .slow = {Verdict("b", Cause::kSlowSyscalls)}}, {})),
      ElementsAre("1 a disk-busy", "2 b slow-syscalls, secondary"));
}

TEST(WithSyscalls, CallsThatAreFasterAreNoFault) {
  const SyscallFindings findings = {
      .peers = {"a"}, .facts = {}, .slow = {Verdict("a", Cause::kSlowSyscalls, Direction::kLow)}};
  EXPECT_THAT(WithSyscalls({}, findings, {}), IsEmpty());
  EXPECT_THAT(Texts(WithSyscalls({}, findings, {.hog_direction = false})),
              ElementsAre("1 a slow-syscalls"));
}

TEST(WithSyscalls, WithoutRankingNobodyIsSecondary) {
  EXPECT_THAT(
      Texts(WithSyscalls({Verdict("a", Cause::kDiskHog)},
                         {.peers = {}, .facts = {Verdict("b", Cause::kServerCrash)}, .slow = {}},
                         {.marks = false})),
      ElementsAre("1 b server-crash", "2 a disk-hog"));
}

}  // namespace
}  // namespace limpet::syscall_verdicts_test
