#include "diagnoser/detect/domains.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

namespace limpet::domains_test {
namespace {

using ::testing::ElementsAre;

TEST(Domains, TheHashesAreThePublishedOnes) {
  EXPECT_EQ(SplitMix64(0), 0xE220A8397B1DCDAFU);
  EXPECT_EQ(Fnv1a64(""), 0xCBF29CE484222325U);
  EXPECT_EQ(Fnv1a64("a"), 0xAF63DC4C8601EC8CU);
  EXPECT_EQ(Fnv1a64("foobar"), 0x85944171F73967E8U);
}

std::vector<std::string> Names(std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) {
    names.push_back("io" + std::to_string(i) + "/sdb");
  }
  return names;
}

std::vector<std::vector<std::size_t>> Deal(const std::vector<std::string>& names, std::size_t size,
                                           std::uint64_t seed, std::uint64_t window) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return DealDomains(views, size, seed, window);
}

TEST(Domains, EveryComponentIsInOneOfThemAndNoneIsTooSmall) {
  const auto names = Names(103);
  const auto domains = Deal(names, 10, 7, 53125001);
  ASSERT_EQ(domains.size(), 10U);
  std::vector<std::size_t> all;
  for (const auto& domain : domains) {
    EXPECT_THAT(domain.size(), ::testing::AnyOf(10U, 11U));
    EXPECT_TRUE(std::is_sorted(domain.begin(), domain.end()));
    all.insert(all.end(), domain.begin(), domain.end());
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i], i);
  }
}

TEST(Domains, AreOneWhileTwoWouldBeTooSmall) {
  EXPECT_EQ(Deal(Names(19), 10, 0, 1).size(), 1U);
  EXPECT_EQ(Deal(Names(20), 10, 0, 1).size(), 2U);
  EXPECT_EQ(Deal(Names(3), 10, 0, 1).size(), 1U);
}

TEST(Domains, RotateWithTheWindowAndTheSeedAndDependOnNamesAlone) {
  auto names = Names(40);
  const auto first = Deal(names, 10, 0, 1);
  EXPECT_EQ(Deal(names, 10, 0, 1), first);
  EXPECT_NE(Deal(names, 10, 0, 2), first);
  EXPECT_NE(Deal(names, 10, 1, 1), first);
  // In another order the same components come together.
  std::reverse(names.begin(), names.end());
  auto turned = Deal(names, 10, 0, 1);
  for (auto& domain : turned) {
    for (auto& place : domain) {
      place = 39 - place;
    }
    std::sort(domain.begin(), domain.end());
  }
  EXPECT_EQ(turned, first);
}

TEST(Domains, AsAnotherProgramDealsThem) {
  // Orders from a few lines of Python: b a c d; d c b a; io02 io04 io03 io01 io06 io05.
  const std::vector<std::string> letters = {"a", "b", "c", "d"};
  EXPECT_THAT(Deal(letters, 2, 0, 0), ElementsAre(ElementsAre(1, 2), ElementsAre(0, 3)));
  EXPECT_THAT(Deal(letters, 2, 0, 1), ElementsAre(ElementsAre(1, 3), ElementsAre(0, 2)));
  const std::vector<std::string> servers = {"io01", "io02", "io03", "io04", "io05", "io06"};
  EXPECT_THAT(Deal(servers, 3, 42, 53125001),
              ElementsAre(ElementsAre(1, 2, 5), ElementsAre(0, 3, 4)));
}

}  // namespace
}  // namespace limpet::domains_test
