#include "diagnoser/config/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "diagnoser/config/settings.h"

namespace limpet::probe_test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

Result<DiagnoserSettings> Parse(const std::string& text) {
  return ParseSettings(
      text, "d.yml",
      [](const std::string& path) -> Result<std::string> {
        return Error{ErrorCode::kNotFound, "", path};
      },
      ConfigUse::kDiagnose);
}

TEST(ProbeSection, IsOffUnlessItIsTurnedOn) {
  EXPECT_FALSE(Parse("targets: [{address: a}]\n")->probe.enabled);
  const auto settings = Parse("targets: [{address: a}]\nprobe: {enabled: true, interval: 5m}\n");
  ASSERT_TRUE(settings) << settings.error().Text();
  EXPECT_TRUE(settings->probe.enabled);
  EXPECT_EQ(settings->probe.interval, 5min);
}

TEST(ProbeSection, NamesItsMistakes) {
  const auto settings = Parse("targets: [{address: a}]\nprobe: {enable: true, interval: 1s}\n");
  EXPECT_THAT(settings.error().Text(), HasSubstr("d.yml:2: probe.interval: "));
  EXPECT_THAT(settings.error().Text(), HasSubstr("d.yml:2: probe.enable: unknown key"));
}

TEST(ProbeSection, WantsExportersToAsk) {
  const auto settings =
      Parse("source: prometheus\nprometheus: {url: \"http://a:9090\"}\nprobe: {enabled: true}\n");
  EXPECT_THAT(settings.error().Text(), HasSubstr("d.yml:3: probe.enabled: exporters are asked"));
}

}  // namespace
}  // namespace limpet::probe_test
