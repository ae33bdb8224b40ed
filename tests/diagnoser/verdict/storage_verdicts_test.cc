#include "diagnoser/verdict/storage_verdicts.h"

#include <gtest/gtest.h>

namespace limpet::storage_verdicts_test {
namespace {

constexpr double kRho = 3;

StorageFlag Flag(const std::string& component, const std::string& metric, double degree,
                 const std::string& beside = "") {
  return {.evidence = {.component = component, .group = metric, .metric = metric, .degree = degree},
          .cause = Cause::kSlowRequests,
          .beside = beside};
}
VerdictEvent Busy(const std::string& node, bool secondary = false) {
  VerdictEvent verdict{
      .node = node, .cause = Cause::kDiskBusy, .rank = 1, .degree = 4, .secondary = secondary};
  verdict.evidence.push_back({.component = node + "/sdb", .metric = "await", .degree = 4});
  return verdict;
}

TEST(StorageVerdictsTest, DiskThatIsFlaggedKeepsItsCause) {
  const auto all = WithStorage(
      {Busy("io04")}, {.flags = {{"io04", {Flag("io04/osd.7", "latency", 9)}}}, .peers = {"io04"}},
      kRho, true);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::kDiskBusy);
  EXPECT_EQ(all[0].evidence.size(), 2U);
  EXPECT_EQ(all[0].evidence[1].component, "io04/osd.7");
}

TEST(StorageVerdictsTest, SlowRequestsAloneAreAVerdict) {
  const auto all = WithStorage(
      {},
      {.flags = {{"io04", {Flag("io04/osd.7", "latency", 2), Flag("io04/osd.8", "latency", 5)}}},
       .peers = {"io04"}},
      kRho, true);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::kSlowRequests);
  EXPECT_EQ(all[0].degree, 5);
  EXPECT_EQ(all[0].rank, 1U);
  EXPECT_EQ(all[0].evidence[0].component, "io04/osd.8");
}

TEST(StorageVerdictsTest, PeersOfAnIndictedServerWaitForIt) {
  const StorageFindings findings = {.flags = {{"io05", {Flag("io05/osd.9", "latency", 5)}}},
                                    .peers = {"io04", "io05"}};
  auto all = WithStorage({Busy("io04")}, findings, kRho, true);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[1].secondary);
  EXPECT_EQ(all[1].rank, 2U);
  all = WithStorage({Busy("io04", true)}, findings, kRho, true);
  EXPECT_FALSE(all[1].secondary);
  all = WithStorage({Busy("other")}, findings, kRho, true);
  EXPECT_FALSE(all[1].secondary);
}

TEST(StorageVerdictsTest, WhatCountsBesideAnotherIsDroppedWithoutIt) {
  const StorageFindings lone = {.flags = {{"io04", {Flag("io04", "retries", 5, "await")}}}};
  EXPECT_TRUE(WithStorage({}, lone, kRho, true).empty());
  EXPECT_EQ(WithStorage({Busy("io04")}, lone, kRho, true)[0].evidence.size(), 2U);
  const StorageFindings both = {
      .flags = {{"io04", {Flag("io04", "retries", 5, "latency"), Flag("io04", "latency", 2)}}}};
  EXPECT_EQ(WithStorage({}, both, kRho, true)[0].evidence.size(), 2U);
}

TEST(StorageVerdictsTest, NothingFlaggedChangesNothing) {
  const auto all = WithStorage({Busy("io04")}, {}, kRho, true);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].evidence.size(), 1U);
}

}  // namespace
}  // namespace limpet::storage_verdicts_test
