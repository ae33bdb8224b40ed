#include "diagnoser/commands/ask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::ask_test {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

std::vector<Target> Targets() {
  std::vector<Target> targets(3);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    targets[i].node = "io0" + std::to_string(i + 1);
    targets[i].role = "server";
    // Nobody listens on port 1.
    targets[i].endpoint = {.host = "127.0.0.1", .port = 1};
  }
  return targets;
}

TEST(AskAll, WhoDoesNotAnswerSaysWhy) {
  const auto results = AskAll(Targets(), 5s);
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[2].failure, FetchFailure::kConnect);
  EXPECT_THAT(results[2].error, HasSubstr("refused"));
}

TEST(ReadAnswers, PagesBecomeMembersAndFailuresErrors) {
  std::vector<FetchResult> results(3);
  results[0].body = "node_disk_reads_completed_total{device=\"sda\"} 1\nother 2\n";
  results[1].body = "limpet_disk_reads_completed_total{device=\"sda\" 1\n";
  results[2].failure = FetchFailure::kConnect;
  results[2].error = "cannot connect";
  const std::vector<PeerGroupRule> groups = {{.name = "disks", .roles = {"server"}}};
  const auto answers = ReadAnswers(groups, {}, Targets(), results);
  EXPECT_EQ(answers.directory.Count(), 1U);
  ASSERT_EQ(answers.errors.size(), 2U);
  EXPECT_THAT(answers.errors.at("io02"), HasSubstr("http://127.0.0.1:1/metrics: line 1"));
  EXPECT_THAT(answers.errors.at("io03"), HasSubstr("cannot connect"));
}

// A page of an exporter holds facts, system calls and activity beside what is compared.
TEST(ReadAnswers, SeriesThatAreOfNoGroupAreNoMembers) {
  std::vector<FetchResult> results(1);
  results[0].body =
      "node_filesystem_size_bytes{device=\"/dev/sda\",fstype=\"xfs\",mountpoint=\"/\"} 1\n"
      "node_network_carrier_changes_total{device=\"eth0\"} 1\n"
      "limpet_syscalls_total{process_role=\"server\"} 1\n"
      "limpet_block_requests_total{device=\"sda\",operation=\"read\",size=\"small\"} 1\n"
      "node_disk_reads_completed_total{device=\"sda\"} 1\n";
  const std::vector<PeerGroupRule> groups = {{.name = "disks", .roles = {"server"}}};
  const auto answers = ReadAnswers(groups, {}, std::vector<Target>(1, Targets()[0]), results);
  EXPECT_EQ(answers.directory.Count(), 1U);
  EXPECT_TRUE(answers.errors.empty());
}

// By what node_exporter says of file systems, as serve does.
TEST(ReadAnswers, DisksHaveTheFileSystemsOfThePage) {
  std::vector<FetchResult> results(1);
  results[0].body =
      "node_disk_reads_completed_total{device=\"sda\"} 1\n"
      "node_filesystem_size_bytes{device=\"/dev/sda1\",fstype=\"xfs\",mountpoint=\"/\"} 1e9\n";
  const std::vector<PeerGroupRule> groups = {{.name = "disks", .roles = {"server"}}};
  const auto answers = ReadAnswers(groups, {}, std::vector<Target>(1, Targets()[0]), results);
  const auto& labels = answers.directory.Entities(EntityKind::kDisk).front().labels;
  ASSERT_TRUE(labels.contains("mounted"));
  EXPECT_EQ(labels.at("mounted"), "/");
}

// A federated page, a proxy's: serve refuses it.
TEST(ReadAnswers, APageOfSeveralMachinesSaysSo) {
  std::vector<FetchResult> results(1);
  results[0].body =
      "node_disk_reads_completed_total{device=\"sda\",instance=\"io01:9100\"} 1\n"
      "node_disk_reads_completed_total{device=\"sdb\",instance=\"io02:9100\"} 1\n";
  const std::vector<PeerGroupRule> groups = {{.name = "disks", .roles = {"server"}}};
  auto answers = ReadAnswers(groups, {}, std::vector<Target>(1, Targets()[0]), results);
  EXPECT_THAT(answers.errors["io01"], HasSubstr("instance=\"io02:9100\""));
}

TEST(ReadAnswers, APageOfAnotherProgramSaysSo) {
  const std::vector<PeerGroupRule> groups = {{.name = "disks", .roles = {"server"}}};
  const auto refusal = [&](const std::string& page) {
    std::vector<FetchResult> results(1);
    results[0].body = page;
    return ReadAnswers(groups, {}, std::vector<Target>(1, Targets()[0]), results).errors["io01"];
  };
  EXPECT_THAT(refusal("windows_logical_disk_reads_total{volume=\"C:\"} 1\n"),
              HasSubstr("no series that Limpet knows (the first is windows_logical_disk_reads"));
  EXPECT_THAT(refusal("node_disk_reads_completed{device=\"sda\"} 1\n"),
              HasSubstr("node_exporter before 0.16"));
  EXPECT_THAT(refusal("# nothing\n"), HasSubstr("the page is empty"));
  EXPECT_EQ(refusal("otel_system_disk_operations_total{device=\"sda\",direction=\"read\"} 1\n"),
            "");
}

}  // namespace
}  // namespace limpet::ask_test
