#include "diagnoser/commands/store_span.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace limpet::store_span_test {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

ReplayOptions Good() {
  ReplayOptions options;
  options.prometheus = "https://store:9091/prefix//";
  options.start = "2026-01-31T10:00:00Z";
  options.end = "1769853660";
  options.step = "1s";
  return options;
}

DiagnoserConfig Config() {
  DiagnoserConfig config;
  config.pipeline.presets = {DefaultPreset()};
  config.pipeline.groups = {{.name = "disks", .kind = GroupKind::kStorage}};
  return config;
}

std::string Refusal(const ReplayOptions& options) {
  const auto span = ParseStoreSpan(options, Config());
  return span ? "accepted" : span.error().Text();
}

TEST(ParseStoreSpan, ReadsAddressInstantsAndStep) {
  const auto span = ParseStoreSpan(Good(), Config());
  ASSERT_TRUE(span);
  EXPECT_EQ(span->settings.endpoint.host, "store");
  EXPECT_EQ(span->settings.endpoint.port, 9091);
  EXPECT_TRUE(span->settings.endpoint.https);
  EXPECT_EQ(span->settings.endpoint.path, "/prefix");
  EXPECT_EQ(span->settings.step, 1s);
  EXPECT_EQ(span->end - span->begin, 1min);
  EXPECT_TRUE(span->wants.kinds.contains(EntityKind::kDisk));
  EXPECT_FALSE(span->wants.kinds.contains(EntityKind::kInterface));
}

TEST(ParseStoreSpan, CredentialsAndStepAreThoseOfTheConfiguration) {
  auto config = Config();
  config.store = StoreSettings{.step = 2s, .selector = "job=\"node\""};
  config.store->endpoint.basic_auth = {.username = "ann", .password = "secret"};
  auto options = Good();
  options.step.clear();
  const auto span = ParseStoreSpan(options, config);
  ASSERT_TRUE(span);
  EXPECT_EQ(span->settings.step, 2s);
  EXPECT_EQ(span->settings.selector, "job=\"node\"");
  EXPECT_EQ(span->settings.endpoint.basic_auth.username, "ann");
  EXPECT_EQ(span->settings.endpoint.host, "store");
}

TEST(ParseStoreSpan, NamesTheFlagThatIsWrong) {
  auto options = Good();
  options.prometheus = "store";
  EXPECT_THAT(Refusal(options), HasSubstr("--prometheus: expected a URL"));
  options = Good();
  options.start = "yesterday";
  EXPECT_THAT(Refusal(options), HasSubstr("--start: expected a time such as"));
  options = Good();
  options.end = options.start;
  EXPECT_THAT(Refusal(options), HasSubstr("--end: expected a time such as"));
  options = Good();
  options.step = "500ms";
  EXPECT_THAT(Refusal(options), HasSubstr("--step: expected a duration of at least 1s"));
}

TEST(ParseStoreSpan, RefusesAStepThatWouldMakeEverySampleMissing) {
  auto options = Good();
  options.step = "1m";
  EXPECT_THAT(Refusal(options), HasSubstr("--step: expected at most 5s for preset default"));
}

}  // namespace
}  // namespace limpet::store_span_test
