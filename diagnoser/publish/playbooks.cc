#include "diagnoser/publish/playbooks.h"

#include <algorithm>
#include <cctype>

namespace limpet {
namespace {

constexpr std::string_view kHead =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width\"><title>Limpet: playbooks</title></head>"
    "<body style=\"max-width:60em;margin:1em auto;padding:0 1em;font-family:sans-serif\">\n";
constexpr std::string_view kOpenText = "<pre style=\"white-space:pre-wrap\">";

std::string Escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    c == '<' ? safe += "&lt;" : c == '>' ? safe += "&gt;" : c == '&' ? safe += "&amp;" : safe += c;
  }
  return safe;
}

std::string Heading(std::string_view name) {
  std::string id(name);
  std::transform(id.begin(), id.end(), id.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return "</pre>\n<h2 id=\"" + id + "\">" + std::string(name) + "</h2>\n" + std::string(kOpenText);
}

}  // namespace

// As the text it is, with a place for each alert's link to jump to: a renderer of Markdown would be
// a dependency for one page.
std::string PlaybooksHtml(std::string_view markdown) {
  auto html = std::string(kHead) + std::string(kOpenText);
  while (!markdown.empty()) {
    const auto end = std::min(markdown.find('\n'), markdown.size());
    const auto line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    html += line.starts_with("## ") ? Heading(Escaped(line.substr(3))) : Escaped(line) + "\n";
  }
  return html + "</pre></body></html>\n";
}

}  // namespace limpet
