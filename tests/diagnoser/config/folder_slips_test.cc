#include "diagnoser/config/folder_slips.h"

#include <gmock/gmock.h>

namespace limpet::folder_slips_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

DiagnoserConfig Config() {
  DiagnoserConfig config;
  config.events.file = "/srv/events.jsonl";
  config.discovery.emplace_back();
  config.discovery[0].files = {"/etc/limpet/targets/*.json", "/etc/{a,b}/*.yml"};
  return config;
}

TEST(FolderSlips, NameTheKeyAndTheFolder) {
  EXPECT_THAT(
      FindFolderSlips(Config(), "/var/lib/x", [](const std::string&) { return false; }),
      ElementsAre(HasSubstr("--state-dir: there is no folder /var/lib/x"),
                  HasSubstr("events.file: there is no folder /srv"),
                  HasSubstr("file_sd: there is no folder /etc/limpet/targets: /etc/limpet/targets/"
                            "*.json names nobody")));
}

TEST(FolderSlips, FoldersThatAreThereAreNone) {
  EXPECT_THAT(FindFolderSlips(Config(), "/x", [](const std::string&) { return true; }), IsEmpty());
  auto config = DiagnoserConfig();
  config.events.file = "stderr";
  EXPECT_THAT(FindFolderSlips(config, "", [](const std::string&) { return false; }), IsEmpty());
  config.events.file = "events.jsonl";
  EXPECT_THAT(FindFolderSlips(config, "", [](const std::string& one) { return one == "."; }),
              IsEmpty());
}

}  // namespace
}  // namespace limpet::folder_slips_test
