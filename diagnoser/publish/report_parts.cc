#include "diagnoser/publish/report_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/report_style.h"
#include "diagnoser/publish/svg.h"

namespace limpet::report {

std::string Escape(std::string_view text) { return EscapeMarkup(text); }

std::string Paragraph(std::string_view text, std::string_view style) {
  return fmt::format("<p class=\"{}\">{}</p>\n", style, Escape(text));
}

std::string CountText(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string Section(std::string_view id, std::string_view title, const std::string& body) {
  return fmt::format("<section aria-labelledby=\"{}\">\n<h2 id=\"{}\">{}</h2>\n{}</section>\n", id,
                     id, title, body);
}

std::string List(const std::vector<std::string>& texts) {
  std::string items;
  for (std::size_t i = 0; i < std::min(texts.size(), kMaxListed); ++i) {
    items += "<li>" + Escape(texts[i]) + "</li>\n";
  }
  if (texts.size() > kMaxListed) {
    items += fmt::format("<li>and {} more</li>\n", texts.size() - kMaxListed);
  }
  return "<ul>\n" + items + "</ul>\n";
}

std::string Span(UnixTime from, UnixTime to) {
  return fmt::format("{} to {} ({})", IsoTime(from), IsoTime(to), ForPeople(to - from));
}

Table::Table(const std::vector<std::string>& headings) {
  text_ = "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>";
  numbers_.reserve(headings.size());
  for (const auto& heading : headings) {
    numbers_.push_back(heading.ends_with('#'));
    const auto name = heading.substr(0, heading.size() - (numbers_.back() ? 1 : 0));
    text_ += fmt::format("<th scope=\"col\"{}>{}</th>", Style(numbers_.size() - 1), Escape(name));
  }
  text_ += "</tr></thead>\n<tbody>\n";
}

void Table::Row(const std::vector<std::string>& cells) {
  text_ += "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text_ += fmt::format("<td{}>{}</td>", Style(i), Escape(cells[i]));
  }
  text_ += "</tr>\n";
}

// The policy is for whoever opens a file that others made.
std::string HtmlPage(std::string_view title, const std::string& body, std::string_view program) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n{}"
      "<footer class=\"muted\">{}</footer>\n</main>\n</body>\n</html>\n",
      Escape(title), kReportStyle, body, Paragraph(fmt::format("Written by {}", program)));
}

}  // namespace limpet::report
