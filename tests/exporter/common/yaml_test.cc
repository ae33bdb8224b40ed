#include "exporter/common/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace limpet::yaml::yaml_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

struct Read {
  explicit Read(std::string_view text) : node(*Parse(text, "exporter.yml")) {}
  Node node;
  Problems problems{.file = "exporter.yml", .texts = {}};
  MapReader Top() { return {&node, "", problems}; }
};

TEST(Yaml, ReadsTypedValues) {
  Read file("interval: 1s\nports: [3334, 988]\ntls: true\nlabels: {rack: r1}\n");
  auto top = file.Top();
  EXPECT_EQ(top.Time("interval", 0s), 1s);
  EXPECT_THAT(top.Texts("ports"), ElementsAre("3334", "988"));
  EXPECT_EQ(top.Bool("tls"), true);
  EXPECT_EQ(top.TextMap("labels").at("rack"), "r1");
  EXPECT_EQ(top.Text("absent"), std::nullopt);
  top.RefuseUnknown();
  EXPECT_TRUE(file.problems.empty()) << file.problems.Joined();
}

TEST(Yaml, NamesFileLineKeyAndExpectation) {
  Read file("sampling:\n  interval: fast\n");
  auto sampling = file.Top().Map("sampling");
  EXPECT_EQ(sampling.Time("interval", 0s), std::nullopt);
  EXPECT_THAT(file.problems.texts,
              ElementsAre("exporter.yml:2: sampling.interval: expected a duration such as 1s or "
                          "500ms, got \"fast\""));
}

TEST(Yaml, ReportsUnknownKeysWithTheKnownOnes) {
  Read file("intervall: 1s\n");
  auto top = file.Top();
  (void)top.Time("interval", 0s);
  top.RefuseUnknown();
  EXPECT_THAT(file.problems.texts,
              ElementsAre("exporter.yml:1: intervall: unknown key; did you mean interval? expected "
                          "one of interval"));
}

TEST(Yaml, AChoiceOfOneIsNoListAndATypingErrorIsNamed) {
  Read file("per: rack\nlevel: warnin\nafter: 15\n");
  auto top = file.Top();
  (void)top.OneOf("per", {"node"});
  (void)top.OneOf("level", {"info", "warning"});
  (void)top.Time("after", 0s);
  EXPECT_THAT(file.problems.texts,
              ElementsAre("exporter.yml:1: per: expected node, got \"rack\"",
                          "exporter.yml:2: level: expected one of info warning, got \"warnin\"; "
                          "did you mean warning?",
                          "exporter.yml:3: after: expected a duration such as 1s or 500ms, got "
                          "\"15\"; the unit is missing: s, ms, m, h or d"));
}

TEST(Yaml, RefusesABadRegularExpression) {
  Read file("include: '('\n");
  EXPECT_EQ(file.Top().Regex("include"), std::nullopt);
  EXPECT_THAT(file.problems.Joined(), HasSubstr("exporter.yml:1: include: expected a regular"));
}

TEST(Yaml, ChecksRanges) {
  Read file("port: 70000\nratio: -1\nlist: 3\n");
  auto top = file.Top();
  EXPECT_EQ(top.Integer("port", 1, 65535), std::nullopt);
  EXPECT_EQ(top.Number("ratio", 0, 1), std::nullopt);
  EXPECT_TRUE(top.Texts("list").empty());
  EXPECT_EQ(file.problems.texts.size(), 3U);
}

TEST(Yaml, AnEmptyFileIsAnEmptyMap) {
  Read file("");
  auto top = file.Top();
  EXPECT_EQ(top.Text("a"), std::nullopt);
  EXPECT_TRUE(file.problems.empty());
}

TEST(ParseDuration, AddsParts) {
  EXPECT_EQ(ParseDuration("1h30m"), 90min);
  EXPECT_EQ(ParseDuration("500ms"), 500ms);
  EXPECT_EQ(ParseDuration("5"), std::nullopt);
  EXPECT_EQ(ParseDuration(""), std::nullopt);
  EXPECT_EQ(ParseDuration("-1s"), std::nullopt);
}

}  // namespace
}  // namespace limpet::yaml::yaml_test
