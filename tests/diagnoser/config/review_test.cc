#include "diagnoser/config/review.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::review_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

DiagnoserConfig Read(const std::string& text) {
  auto config = ParseDiagnoserConfig(text, "d.yml", [](const std::string& path) {
    return Result<std::string>(Error{ErrorCode::kNotFound, "none", path});
  });
  EXPECT_TRUE(config) << config.error().Text();
  return *std::move(config);
}

ConfigReview Reviewed(const DiagnoserConfig& config, const Answers* answers = nullptr) {
  return ReviewConfig(
      config, [](const std::string&) { return true; }, answers);
}

constexpr const char* kCluster =
    "targets: [{addresses: [io01, io02, 'io03:9100']}, {address: c1, role: client}]\n";

TEST(Review, MembersFollowFromRolesAndLabels) {
  const auto groups = Reviewed(Read(kCluster)).groups;
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].name, "server-disks");
  EXPECT_EQ(groups[0].kind, "storage");
  EXPECT_THAT(groups[0].members, ElementsAre("io01", "io02", "io03"));
  EXPECT_THAT(groups[0].misses, IsEmpty());
  EXPECT_THAT(groups[2].misses, ElementsAre(HasSubstr("congestion windows of io03")));
}

TEST(Review, ALabelThatNobodyHasLetsNobodyIn) {
  const auto groups = Reviewed(Read(std::string(kCluster) +
                                    "peer_groups: [{name: a, kind: storage, labels: {rak: r1}}, "
                                    "{name: b, kind: storage, labels: {rotational: '0'}}]\n"))
                          .groups;
  EXPECT_THAT(groups[0].members, IsEmpty());
  EXPECT_EQ(groups[1].members.size(), 4U);  // only the disks tell
}

Answers Asked(const DiagnoserConfig& config) {
  std::vector<Rule> rules;
  for (const auto& group : config.pipeline.groups) {
    rules.push_back(*Rule::Compile(group));
  }
  Answers answers{.directory = Directory(std::move(rules)), .errors = {}};
  for (const auto* node : {"io01", "io02"}) {
    const SourceLabels source{.node = node, .role = "server", .labels = {}};
    (void)answers.directory.Resolve(*FindField("node_disk_reads_completed_total"),
                                    {{"device", "sda"}}, source);
  }
  answers.errors["io03"] = "http://io03:9100/metrics: cannot connect";
  return answers;
}

TEST(Review, WhoWasAskedIsListedByComponentAndWhoMissesWhat) {
  const auto config = Read(kCluster);
  const auto answers = Asked(config);
  const auto review = Reviewed(config, &answers);
  EXPECT_THAT(review.groups[0].members, ElementsAre("io01/sda", "io02/sda"));
  EXPECT_THAT(review.groups[0].misses, ElementsAre("io03: no readings"));
  EXPECT_THAT(review.groups[2].misses,
              ElementsAre(HasSubstr("io01: no congestion windows"),
                          HasSubstr("io02: no congestion windows"), "io03: no readings"));
  EXPECT_THAT(review.warnings,
              ElementsAre("targets: io03: http://io03:9100/metrics: cannot connect",
                          HasSubstr("server-disks has members of 2 servers"),
                          "peer_groups: server-network: no interface of any target that answered "
                          "matches"));
}

TEST(GroupTable, ShowsTheFirstMembersAndNoBlanksAtTheEnd) {
  EXPECT_EQ(GroupTable({{.name = "server-disks",
                         .kind = "storage",
                         .members = {"a", "b", "c"},
                         .misses = {"d: no readings", "e: no readings", "f: no readings"}},
                        {.name = "x", .kind = "cwnd", .members = {}, .misses = {}}},
                       2),
            "peer group    kind     members  who\n"
            "server-disks  storage        3  a, b, …\n"
            "              misses d: no readings\n"
            "              misses e: no readings\n"
            "              misses 1 more\n"
            "x             cwnd           0\n");
}

}  // namespace
}  // namespace limpet::review_test
