#include "diagnoser/sources/discovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/manual_clock.h"
#include "tests/support/temp_folder.h"

namespace limpet::discovery_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

struct DiscoveryTest : ::testing::Test {
  SdSource Files(const std::string& pattern) {
    SdSource source{.name = pattern, .base = {}, .files = {folder.Path(pattern)}, .http = {}};
    source.base.target.role = "server";
    return source;
  }
  static SdSource Url() {
    SdSource source{.name = "http://inventory/limpet", .base = {}, .files = {}, .http = Endpoint()};
    source.http->host = "inventory";
    source.http->accept = "application/json";
    source.base.target.role = "server";
    return source;
  }
  void Make(std::vector<SdSource> sources, std::vector<Target> fixed = {}) {
    discovery.emplace(std::move(fixed), std::move(sources), clock,
                      [this](LogLevel, std::string_view text) { log.emplace_back(text); });
  }
  bool Poll() {
    clock.Advance(5s);
    return discovery->Poll();
  }
  void Answer(FetchResult result) {
    discovery->Put({.target = discovery->HttpSources().at(0),
                    .result = std::move(result),
                    .arrived = clock.Steady()});
  }
  std::vector<std::string> Nodes() {
    std::vector<std::string> nodes;
    for (const auto& target : discovery->Targets()) {
      nodes.push_back(target.node);
    }
    return nodes;
  }
  // The time of change of a file has a coarse clock; another size is always seen.
  void Write(const std::string& name, const std::string& text) { folder.Write(name, text); }

  testing::TempFolder folder;
  testing::ManualClock clock;
  std::vector<std::string> log;
  std::optional<Discovery> discovery;
};

TEST_F(DiscoveryTest, FilesAreReadAgainWhenTheyChangeComeAndGo) {
  Write("a.json", R"([{"targets": ["io01:9100"]}])");
  Make({Files("*.json")});
  EXPECT_FALSE(discovery->Settled());
  EXPECT_TRUE(Poll());
  EXPECT_TRUE(discovery->Settled());
  EXPECT_THAT(Nodes(), ElementsAre("io01"));
  EXPECT_FALSE(Poll());
  Write("b.json", R"([{"targets": ["io02:9100", "io03:9100"]}])");
  EXPECT_TRUE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io01", "io02", "io03"));
  Write("b.json", R"([{"targets": ["io03:9100"]}])");
  EXPECT_TRUE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io01", "io03"));
  std::filesystem::remove(folder.Path("a.json"));
  EXPECT_TRUE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io03"));
  EXPECT_THAT(log, IsEmpty());
}

TEST_F(DiscoveryTest, AFileThatCannotBeUsedKeepsItsTargets) {
  Write("a.json", R"([{"targets": ["io01:9100"]}])");
  Make({Files("*.json")});
  EXPECT_TRUE(Poll());
  Write("a.json", R"([{"targets": ["io01:9100", )");
  EXPECT_FALSE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io01"));
  EXPECT_FALSE(discovery->Status().at(0).good);
  EXPECT_EQ(discovery->Status().at(0).failures.at("list"), 1U);
  EXPECT_THAT(log, ElementsAre(HasSubstr("a.json: expected JSON")));
  EXPECT_FALSE(Poll());
  EXPECT_THAT(log, SizeIs(1));
  Write("a.json", R"([{"targets": ["io02:9100"]}])");
  EXPECT_TRUE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io02"));
  EXPECT_TRUE(discovery->Status().at(0).good);
}

TEST_F(DiscoveryTest, APipeOrDeviceInThePlaceOfAFileHoldsUpNobody) {
  Write("a.json", R"([{"targets": ["io01:9100"]}])");
  Make({Files("*.json")});
  EXPECT_TRUE(Poll());
  ASSERT_EQ(::mkfifo(folder.Path("b.json").c_str(), 0600), 0);  // nobody will ever write to it
  ASSERT_EQ(::symlink("/dev/zero", folder.Path("c.json").c_str()), 0);
  EXPECT_FALSE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io01"));
  EXPECT_THAT(log, ElementsAre(HasSubstr("b.json: expected a regular file"),
                               HasSubstr("c.json: expected a regular file")));
}

TEST_F(DiscoveryTest, APatternWithoutFilesIsSaid) {
  Make({Files("none-*.yml")});
  EXPECT_FALSE(Poll());
  EXPECT_THAT(log, ElementsAre(HasSubstr("none-*.yml: there is no such file")));
  EXPECT_TRUE(discovery->Settled());
}

TEST_F(DiscoveryTest, AListBehindAUrlKeepsTheLastGoodOneWhileItFails) {
  Make({Url()});
  EXPECT_FALSE(Poll() && !Nodes().empty());
  EXPECT_FALSE(discovery->Settled());
  Answer({.failure = {}, .body = R"([{"targets": ["io01:9100", "io02:9100"]}])"});
  EXPECT_TRUE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io01", "io02"));
  Answer({.failure = FetchFailure::kStatus, .error = "expected status 200, got 503"});
  EXPECT_FALSE(Poll());
  EXPECT_THAT(Nodes(), SizeIs(2));
  const auto status = discovery->Status().at(0);
  EXPECT_FALSE(status.good);
  EXPECT_EQ(status.failures.at("status"), 1U);
  EXPECT_EQ(status.targets, 2U);
  EXPECT_THAT(log, ElementsAre("http://inventory/limpet: expected status 200, got 503; its 2 "
                               "targets stay as they were"));
  Answer({.failure = FetchFailure::kStatus, .error = "expected status 200, got 503"});
  EXPECT_FALSE(Poll());
  EXPECT_THAT(log, SizeIs(1));
  Answer({.failure = {}, .body = "[]"});
  EXPECT_TRUE(Poll());
  EXPECT_THAT(Nodes(), IsEmpty());
  EXPECT_THAT(log, Contains("http://inventory/limpet: gives targets again"));
}

TEST_F(DiscoveryTest, OfTwoTargetsOfOneNameTheFirstCounts) {
  Write("a.json", R"([{"targets": ["io01:9100", "io01:9836", "io02:9100", "io02:9100"]}])");
  Target fixed{.node = "io02", .role = "server"};
  fixed.endpoint.host = "elsewhere";
  Make({Files("a.json")}, {fixed});
  EXPECT_TRUE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io02", "io01"));
  EXPECT_EQ(discovery->Targets().at(0).endpoint.host, "elsewhere");
  EXPECT_EQ(discovery->Targets().at(1).endpoint.port, 9100);
  EXPECT_THAT(log,
              ElementsAre(HasSubstr("http://io01:9836/metrics: node io01 is already "
                                    "http://io01:9100/metrics of a.json"),
                          HasSubstr("node io02 is already http://elsewhere:9836/metrics of the "
                                    "configuration"),
                          HasSubstr("node io02 is already")));
}

TEST_F(DiscoveryTest, OnePageIsNotTwoNodes) {
  Write("a.json",
        R"([{"targets": ["io01:9100"]}, {"targets": ["io01:9100"], "labels": {"node": "x"}}])");
  Make({Files("a.json")});
  EXPECT_TRUE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io01"));
  EXPECT_THAT(log,
              ElementsAre("a.json: http://io01:9100/metrics: is node io01 already, and cannot be "
                          "x too"));
}

TEST_F(DiscoveryTest, AReloadKeepsTheListsOfSourcesThatAreAsBefore) {
  Make({Url()});
  Answer({.failure = {}, .body = R"([{"targets": ["io01:9100"]}])"});
  EXPECT_TRUE(Poll());
  Write("a.json", R"([{"targets": ["io02:9100"]}])");
  discovery->Replace({}, {Files("a.json"), Url()});
  EXPECT_TRUE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io02", "io01"));
  discovery->Replace({}, {Files("a.json")});
  EXPECT_TRUE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io02"));
}

TEST_F(DiscoveryTest, RefusedEntriesAreCountedAndSaidOnce) {
  Write("a.json", R"([{"targets": ["io01:9100", "io 02"]}, 7])");
  Make({Files("a.json")});
  EXPECT_TRUE(Poll());
  EXPECT_THAT(Nodes(), ElementsAre("io01"));
  EXPECT_EQ(discovery->Status().at(0).refused, 2U);
  EXPECT_THAT(log, SizeIs(2));
  Write("a.json", R"([{"targets": ["io01:9100", "io 02", "io03:9100"]}, 7])");
  EXPECT_TRUE(Poll());
  EXPECT_THAT(log, SizeIs(2));
}

}  // namespace
}  // namespace limpet::discovery_test
