#include "exporter/common/web/target.h"

namespace limpet::web::target_test {
namespace {

TEST(Target, PartsPathAndQuery) {
  EXPECT_EQ(ParseTarget("/metrics"), (Target{"/metrics", ""}));
  EXPECT_EQ(ParseTarget("/metrics?a=b?c%20"), (Target{"/metrics", "a=b?c%20"}));
  EXPECT_EQ(ParseTarget("/?"), (Target{"/", ""}));
}

TEST(Target, DecodesThePathOnce) {
  EXPECT_EQ(ParseTarget("/a%20b%2Fc"), (Target{"/a b/c", ""}));
  EXPECT_EQ(ParseTarget("/%2541"), (Target{"/%41", ""}));
  EXPECT_EQ(ParseTarget("/%6d%65trics"), (Target{"/metrics", ""}));
}

TEST(Target, AProxysFormNamesTheHostToo) {
  EXPECT_EQ(ParseTarget("http://node7:9836/metrics?x"), (Target{"/metrics", "x"}));
  EXPECT_EQ(ParseTarget("https://node7"), (Target{"/", ""}));
  EXPECT_EQ(ParseTarget("http://node7?x"), (Target{"/", "x"}));
}

TEST(Target, AnythingElseIsNone) {
  for (const auto* text : {"", "metrics", "*", "node7:80", "ftp://x/", "/%", "/%4", "/%zz", "/%+1",
                           "/a%00b", "/a b", "/a\x7f", "/\n"}) {
    EXPECT_EQ(ParseTarget(text), std::nullopt) << text;
  }
}

TEST(QueryValue, IsFoundByItsKeyAndDecoded) {
  EXPECT_EQ(QueryValue("metric=%25util&limit=3", "metric"), "%util");
  EXPECT_EQ(QueryValue("metric=%25util&limit=3", "limit"), "3");
  EXPECT_EQ(QueryValue("a=b=c&a=d", "a"), "b=c");
  EXPECT_EQ(QueryValue("a&b=", "a"), "");
  EXPECT_EQ(QueryValue("&&a=1&", "a"), "1");
  for (const auto* query : {"", "aa=1", "b=a=1", "a=%", "a=%zz", "a=%00"}) {
    EXPECT_EQ(QueryValue(query, "a"), std::nullopt) << query;
  }
}

TEST(QueryValues, AreAllOfAKeyThatAreWellEscaped) {
  EXPECT_EQ(QueryValues("g=a%2Cb&x=1&g=%zz&g=&g=c", "g"),
            (std::vector<std::string>{"a,b", "", "c"}));
  EXPECT_TRUE(QueryValues("", "g").empty());
}

}  // namespace
}  // namespace limpet::web::target_test
