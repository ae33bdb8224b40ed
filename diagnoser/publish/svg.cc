#include "diagnoser/publish/svg.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "exporter/common/utf8.h"

namespace limpet {

// Quotes too, since the same text may stand in an attribute.
std::string EscapeMarkup(std::string_view text) {
  std::string escaped;
  for (const char c : Printable(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string Shortened(const std::string& text, std::size_t length) {
  return text.size() <= length ? text : text.substr(0, length - 3) + "...";
}

Svg::Svg(double width, double height, std::string_view label) : width_(width), height_(height) {
  text_ = fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n", width,
                      height, EscapeMarkup(label));
}

void Svg::Line(SvgPoint from, SvgPoint to, std::string_view style) {
  fmt::format_to(std::back_inserter(text_),
                 "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n",
                 from.x, from.y, to.x, to.y, style);
}

void Svg::Box(SvgPoint corner, double width, double height, std::string_view style,
              std::string_view title) {
  fmt::format_to(std::back_inserter(text_),
                 "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"{}\"",
                 corner.x, corner.y, width, height, style);
  text_ += title.empty() ? "/>\n" : "><title>" + EscapeMarkup(title) + "</title></rect>\n";
}

// A tenth of a pixel is finer than a screen, and keeps a page of many pictures small.
void Svg::Points(std::string_view element, std::span<const SvgPoint> points,
                 std::string_view style) {
  text_.append("<").append(element).append(" points=\"");
  for (const auto& point : points) {
    fmt::format_to(std::back_inserter(text_), "{:.1f},{:.1f} ", point.x, point.y);
  }
  text_.append("\" class=\"").append(style).append("\"/>\n");
}

void Svg::Path(std::span<const SvgPoint> points, std::string_view style) {
  Points("polyline", points, style);
}

void Svg::Area(std::span<const SvgPoint> points, std::string_view style) {
  Points("polygon", points, style);
}

void Svg::Dot(SvgPoint at, double radius, std::string_view style) {
  fmt::format_to(std::back_inserter(text_),
                 "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" class=\"{}\"/>\n", at.x, at.y,
                 radius, style);
}

void Svg::Text(SvgPoint at, std::string_view text, std::string_view style, Anchor anchor) {
  const std::string_view name = anchor == Anchor::kStart    ? "start"
                                : anchor == Anchor::kMiddle ? "middle"
                                                            : "end";
  fmt::format_to(std::back_inserter(text_),
                 "<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\" text-anchor=\"{}\">{}</text>\n",
                 at.x, at.y, style, name, EscapeMarkup(text));
}

std::string Svg::Finish() { return std::move(text_) + "</svg>\n"; }

std::string Svg::FinishFile(std::string_view style) {
  constexpr std::string_view kElement = "<svg";
  // Outside an HTML page only the name space makes it a picture, and without a size it is as small
  // as the window.
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\"{}<style>{}"
      "</style>\n</svg>\n",
      width_, height_, std::move(text_).substr(kElement.size()), style);
}

}  // namespace limpet
