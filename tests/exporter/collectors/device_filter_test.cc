#include "exporter/collectors/device_filter.h"

#include <gtest/gtest.h>

namespace limpet::device_filter_test {
namespace {

bool Shows(const DeviceFilterOptions& options, std::string_view name) {
  const auto filter = DeviceFilter::Make(options, kDefaultDiskExclude);
  return filter.value().Shows(name);
}

TEST(DeviceFilter, TheDefaultIsNodeExporters) {
  for (const auto* name : {"sda", "nvme0n1", "vdb", "dm-3", "md0", "zram0", "sdaa1"}) {
    EXPECT_TRUE(Shows({}, name)) << name;
  }
  for (const auto* name : {"ram0", "loop7", "fd0", "sda1", "hdb2", "vda15", "xvdf1", "nvme0n1p2"}) {
    EXPECT_FALSE(Shows({}, name)) << name;
  }
}

TEST(DeviceFilter, AnIncludeTakesThePlaceOfTheDefault) {
  EXPECT_TRUE(Shows({.include = "^loop3$"}, "loop3"));
  EXPECT_FALSE(Shows({.include = "^loop3$"}, "loop31"));
  EXPECT_FALSE(Shows({.include = "^loop3$"}, "sda"));
}

TEST(DeviceFilter, AnExcludeTakesThePlaceOfTheDefault) {
  EXPECT_TRUE(Shows({.exclude = "^sd"}, "loop3"));
  EXPECT_FALSE(Shows({.exclude = "^sd"}, "sda"));
  EXPECT_TRUE(Shows({.exclude = ""}, "ram0"));
  EXPECT_FALSE(Shows({.include = "^sd", .exclude = "b$"}, "sdb"));
  EXPECT_TRUE(Shows({.include = "^sd", .exclude = "b$"}, "sda"));
}

TEST(DeviceFilter, ABadPatternIsNamed) {
  const auto filter = DeviceFilter::Make({.include = "sd(a"}, kDefaultDiskExclude);
  ASSERT_FALSE(filter);
  EXPECT_EQ(filter.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(filter.error().where, "include");
  EXPECT_EQ(filter.error().message.rfind("expected a regular expression, got \"sd(a\"", 0), 0U);
}

TEST(DeviceFilter, SurvivesPatternsThatRunAway) {
  std::string name(200, 'a');
  name.push_back('!');
  EXPECT_FALSE(Shows({.include = "^(a+)+$"}, name));
}

TEST(DeviceFilter, TakesAnyBytes) {
  EXPECT_TRUE(Shows({}, "\xff\xfe"));
  EXPECT_TRUE(Shows({}, ""));
}

}  // namespace
}  // namespace limpet::device_filter_test
