#include "diagnoser/commands/ask_store.h"

#include <gmock/gmock.h>

namespace limpet {
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
              ElementsAre(HasSubstr("the last 60 s of http://127.0.0.1:1 have no series that a "
                                    "peer group compares with the selector job=\"none\"")));
}

TEST(FindStoreSlips, ALabelThatNamesNobodyIsOne) {
  EXPECT_THAT(FindStoreSlips(Settings(), {.unnamed = 7}),
              ElementsAre(HasSubstr("prometheus.node_label: 7 series have no label instance")));
  EXPECT_THAT(FindStoreSlips(Settings(), {.targets = {{.node = "io01"}}, .pages = {{}}}),
              IsEmpty());
}

}  // namespace
}  // namespace limpet
