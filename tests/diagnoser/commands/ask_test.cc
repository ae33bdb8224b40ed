#include "diagnoser/commands/ask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet {
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
  const auto answers = ReadAnswers(groups, Targets(), results);
  EXPECT_EQ(answers.directory.Count(), 1U);
  ASSERT_EQ(answers.errors.size(), 2U);
  EXPECT_THAT(answers.errors.at("io02"), HasSubstr("http://127.0.0.1:1/metrics: line 1"));
  EXPECT_THAT(answers.errors.at("io03"), HasSubstr("cannot connect"));
}

}  // namespace
}  // namespace limpet
