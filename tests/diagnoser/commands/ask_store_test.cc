#include "diagnoser/commands/ask_store.h"

#include <gmock/gmock.h>

#include <chrono>

namespace limpet::ask_store_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

StoreSettings Settings() {
  StoreSettings settings;
  settings.endpoint.host = "127.0.0.1";
  settings.endpoint.path = "";
  settings.endpoint.port = 1;  // nobody listens there
  return settings;
}

TEST(AskStore, SaysWhyThereIsNoAnswer) {
  const auto answers = AskStore(Settings(), {.kinds = {EntityKind::kDisk}});
  EXPECT_THAT(answers.targets, IsEmpty());
  EXPECT_THAT(FindStoreSlips(Settings(), answers),
              ElementsAre(HasSubstr("prometheus.url: http://127.0.0.1:1: ")));
}

TEST(FindStoreSlips, NothingFoundIsOne) {
  auto settings = Settings();
  settings.selector = "job=\"none\"";
  EXPECT_THAT(FindStoreSlips(settings, {}),
              ElementsAre(HasSubstr("the last 240 s of http://127.0.0.1:1 have no series that a "
                                    "peer group compares with the selector job=\"none\"")));
}

TEST(FindStoreSlips, AStepShorterThanTheReadingsIsOne) {
  EXPECT_THAT(FindStoreSlips(Settings(), {.targets = {{.node = "io01"}},
                                          .pages = {{}},
                                          .spacing = std::chrono::seconds(60)}),
              ElementsAre(HasSubstr("expected step: 60s")));
}

TEST(StoreAnswers, AnEmptyStoreIsOneThatAnsweredWithNothing) {
  EXPECT_TRUE(StoreAnswers().IsEmpty());
  EXPECT_FALSE(StoreAnswers{.error = "refused"}.IsEmpty());
  EXPECT_FALSE(StoreAnswers{.unnamed = 7}.IsEmpty());
}

TEST(FindStoreSlips, ALabelThatNamesNobodyIsOne) {
  EXPECT_THAT(FindStoreSlips(Settings(), {.unnamed = 7}),
              ElementsAre(HasSubstr("prometheus.node_label: 7 series have no label instance")));
  EXPECT_THAT(FindStoreSlips(Settings(), {.targets = {{.node = "io01"}}, .pages = {{}}}),
              IsEmpty());
}

}  // namespace
}  // namespace limpet::ask_store_test
