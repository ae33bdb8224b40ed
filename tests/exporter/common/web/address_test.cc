#include "exporter/common/web/address.h"

namespace limpet::web::address_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

ListenAddress Good(std::string_view text) {
  const auto address = ParseListenAddress(text);
  EXPECT_TRUE(address) << text << ": " << (address ? "" : address.error().Text());
  return address.value_or({});
}

std::string Problem(std::string_view text) {
  const auto address = ParseListenAddress(text);
  EXPECT_FALSE(address) << text;
  return address ? "" : address.error().Text();
}

TEST(ListenAddress, EveryFormOfTheHeader) {
  EXPECT_EQ(Good(":9836"), (ListenAddress{"", 9836}));
  EXPECT_EQ(Good("127.0.0.1:0"), (ListenAddress{"127.0.0.1", 0}));
  EXPECT_EQ(Good("[::1]:9836"), (ListenAddress{"::1", 9836}));
  EXPECT_EQ(Good("[fe80::1%eth0]:65535"), (ListenAddress{"fe80::1%eth0", 65535}));
  EXPECT_EQ(Good("node7.example:80"), (ListenAddress{"node7.example", 80}));
}

TEST(ListenAddress, SaysWhatIsWrongAndWhatIsExpected) {
  EXPECT_THAT(Problem("9836"),
              AllOf(HasSubstr("\"9836\""), HasSubstr("has no port"), HasSubstr("such as :9836")));
  EXPECT_THAT(Problem(""), HasSubstr("has no port"));
  EXPECT_THAT(Problem("host:"), HasSubstr("port is not a number"));
  EXPECT_THAT(Problem(":http"), HasSubstr("port is not a number"));
  EXPECT_THAT(Problem(":65536"), HasSubstr("port is not a number"));
  EXPECT_THAT(Problem(":-1"), HasSubstr("port is not a number"));
  EXPECT_THAT(Problem("::1:9836"), HasSubstr("stands in brackets"));
  EXPECT_THAT(Problem("[::1:9836"), HasSubstr("bracket is not closed"));
  EXPECT_THAT(Problem("[127.0.0.1]:9836"), HasSubstr("only an IPv6 address"));
  EXPECT_THAT(Problem("a b:9836"), HasSubstr("neither a name nor an address"));
  std::string long_name(300, 'a');
  EXPECT_THAT(Problem(long_name.append(":1")), HasSubstr("neither a name nor an address"));
}

TEST(FormatAddress, IsWhatParseReads) {
  EXPECT_EQ(FormatAddress("::1", 9836), "[::1]:9836");
  EXPECT_EQ(FormatAddress("127.0.0.1", 80), "127.0.0.1:80");
  EXPECT_EQ(FormatAddress("", 9836), ":9836");
}

}  // namespace
}  // namespace limpet::web::address_test
