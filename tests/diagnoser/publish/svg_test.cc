#include "diagnoser/publish/svg.h"

#include <gmock/gmock.h>

namespace limpet::svg_test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(EscapeMarkup, LeavesNothingThatMarkupReads) {
  EXPECT_EQ(EscapeMarkup("<b a=\"x\">&'"), "&lt;b a=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(EscapeMarkup("2\u00d7 \x1b[31m\xff"), "2\u00d7 \\x1b[31m\\xff");
}

TEST(Svg, IsOnePictureWithALabel) {
  Svg svg(100, 50, "a <b>");
  svg.Line({0, 0}, {1, 2}, "grid");
  svg.Box({1, 2}, 3, 4, "storage", "x < y");
  const std::vector<SvgPoint> points = {{0, 1}, {2, 3}};
  svg.Path(points, "own");
  svg.Area(points, "band");
  svg.Dot({1, 1}, 2, "dot");
  svg.Text({5, 6}, "<script>", "name", Svg::Anchor::kEnd);
  const auto text = svg.Finish();
  EXPECT_THAT(
      text,
      AllOf(StartsWith("<svg viewBox=\"0 0 100 50\" role=\"img\" aria-label=\"a &lt;b&gt;\">"),
            HasSubstr("<polyline points=\"0.0,1.0 2.0,3.0 \" class=\"own\"/>"),
            HasSubstr("<polygon points="), HasSubstr("<title>x &lt; y</title></rect>"),
            HasSubstr("text-anchor=\"end\">&lt;script&gt;</text>"), EndsWith("</svg>\n")));
}

TEST(Svg, AFileHasItsNameSpaceAndItsStyle) {
  EXPECT_EQ(Svg(10, 5, "x").FinishFile(".grid { stroke: #ddd; }"),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"5\" viewBox=\"0 0 10 "
            "5\" role=\"img\" "
            "aria-label=\"x\">\n<style>.grid { stroke: #ddd; }</style>\n</svg>\n");
}

TEST(Shortened, KeepsTheBeginning) {
  EXPECT_EQ(Shortened("io03/sdb", 8), "io03/sdb");
  EXPECT_EQ(Shortened("io03/nvme0n1", 8), "io03/...");
}

}  // namespace
}  // namespace limpet::svg_test
