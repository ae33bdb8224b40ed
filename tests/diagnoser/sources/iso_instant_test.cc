#include "diagnoser/sources/iso_instant.h"

#include <gtest/gtest.h>

namespace limpet::iso_instant_test {
namespace {

using namespace std::chrono_literals;

constexpr auto kTen = UnixFromSeconds(1'769'853'600);  // 2026-01-31T10:00:00Z

TEST(IsoInstant, IsReadInAllUsualForms) {
  for (const auto* text :
       {"2026-01-31T10:00:00Z", "2026-01-31 10:00:00", "2026-01-31T11:00:00+01:00",
        "2026-01-31T04:30:00-0530", "2026-01-31T10:00:00.000Z"}) {
    EXPECT_EQ(ParseIsoInstant(text), kTen) << text;
  }
  EXPECT_EQ(ParseIsoInstant("2026-01-31T10:00:00.125Z"), kTen + 125ms);
  EXPECT_EQ(ParseIsoInstant("2026-01-31T09:59:60Z"), kTen);  // a leap second
}

TEST(IsoInstant, IsNothingElse) {
  for (const auto* text :
       {"", "2026-01-31", "2026-01-31T10:00Z", "2026-02-30T10:00:00Z", "2026-01-31T24:00:00Z",
        "2026-01-31T10:00:00.Z", "2026-01-31T10:00:00Zx", "31.01.2026 10:00:00",
        "1960-01-31T10:00:00Z", "1970-01-01T00:00:00+01:00", "2026-01-31T10:00:00+1"}) {
    EXPECT_EQ(ParseIsoInstant(text), std::nullopt) << text;
  }
}

TEST(IsoInstant, MayBeUnixSecondsWhereBothAreAllowed) {
  EXPECT_EQ(ParseAnyInstant("1769853600"), kTen);
  EXPECT_EQ(ParseAnyInstant("1769853600.5"), kTen + 500ms);
  EXPECT_EQ(ParseAnyInstant("2026-01-31T10:00:00Z"), kTen);
  EXPECT_EQ(ParseAnyInstant("-1"), std::nullopt);
  EXPECT_EQ(ParseAnyInstant("now"), std::nullopt);
}

}  // namespace
}  // namespace limpet::iso_instant_test
