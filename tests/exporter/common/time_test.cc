#include "exporter/common/time.h"

namespace limpet::time_test {
namespace {

TEST(IsoTime, IsUtcRoundedDown) {
  EXPECT_EQ(IsoTime(UnixFromSeconds(0)), "1970-01-01T00:00:00Z");
  EXPECT_EQ(IsoTime(UnixFromMilliseconds(1'795'237'200'999)), "2026-11-21T05:00:00Z");
  EXPECT_EQ(IsoTime(UnixFromSeconds(951'782'400)), "2000-02-29T00:00:00Z");  // a leap day
  EXPECT_EQ(IsoTime(UnixFromNanoseconds(-1)), "1969-12-31T23:59:59Z");
}

TEST(HttpDate, IsInGmt) {
  EXPECT_EQ(HttpDate(UnixFromSeconds(784111777)), "Sun, 06 Nov 1994 08:49:37 GMT");  // RFC 9110
  EXPECT_EQ(HttpDate(UnixFromSeconds(0)), "Thu, 01 Jan 1970 00:00:00 GMT");
}

TEST(WholeSeconds, AreRoundedDown) {
  EXPECT_EQ(WholeSeconds(UnixFromMilliseconds(1'999)), 1);
  EXPECT_EQ(WholeSeconds(UnixFromSeconds(-2)), -2);
  EXPECT_EQ(WholeSeconds(UnixFromNanoseconds(-1)), -1);
}

}  // namespace
}  // namespace limpet::time_test
