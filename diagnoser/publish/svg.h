// svg.h: a small picture as SVG text that stands inside an HTML page; its colours are the page's
// style sheet's, by class. FinishFile makes a file of its own.
//
// Unit:    pixels from the upper left corner.
// Threads: a value with one owner.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace limpet {

// Text as HTML and SVG have it, in elements and in attributes. What is no UTF-8 or a control
// character is shown as Printable does (exporter/common/utf8.h).
[[nodiscard]] std::string EscapeMarkup(std::string_view text);

// The first `length` - 3 bytes and "...", of a text that is longer than `length`.
[[nodiscard]] std::string Shortened(const std::string& text, std::size_t length);

struct SvgPoint {
  double x = 0;
  double y = 0;
};

class Svg {
 public:
  // `label` is what is said of the picture to those who do not see it.
  Svg(double width, double height, std::string_view label);

  void Line(SvgPoint from, SvgPoint to, std::string_view style);
  // `title` is shown when the pointer rests there; may be empty.
  void Box(SvgPoint corner, double width, double height, std::string_view style,
           std::string_view title = {});
  void Path(std::span<const SvgPoint> points, std::string_view style);
  void Area(std::span<const SvgPoint> points, std::string_view style);
  void Dot(SvgPoint at, double radius, std::string_view style);
  enum class Anchor { kStart, kMiddle, kEnd };
  void Text(SvgPoint at, std::string_view text, std::string_view style,
            Anchor anchor = Anchor::kStart);

  // The picture; nothing may be drawn afterwards.
  [[nodiscard]] std::string Finish();
  // The same as a file of that size, with its style sheet.
  [[nodiscard]] std::string FinishFile(std::string_view style);

 private:
  void Points(std::string_view element, std::span<const SvgPoint> points, std::string_view style);

  double width_;
  double height_;
  std::string text_;
};

}  // namespace limpet
