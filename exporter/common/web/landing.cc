#include "exporter/common/web/landing.h"

namespace limpet::web {

std::string EscapeHtml(std::string_view text) {
  // Both quotes, so that the result may also stand in an attribute.
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string LandingPage(const Landing& landing) {
  const auto name = EscapeHtml(landing.name);
  std::string page =
      "<!DOCTYPE html>\n"
      "<html lang=\"en\">\n"
      "<head>\n"
      "<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"  // or every visit would ask for /favicon.ico
      "<title>" +
      name +
      "</title>\n"
      "<style>body{font:16px/1.5 sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}"
      "small{color:#666}</style>\n"
      "</head>\n"
      "<body>\n"
      "<h1>" +
      name + " <small>" + EscapeHtml(landing.version) + "</small></h1>\n<p>" +
      EscapeHtml(landing.description) + "</p>\n<ul>\n";
  for (const auto& link : landing.links) {
    page += "<li><a href=\"" + EscapeHtml(link.address) + "\">" + EscapeHtml(link.text) + "</a>";
    if (!link.help.empty()) {
      page += ": " + EscapeHtml(link.help);
    }
    page += "</li>\n";
  }
  page += "</ul>\n</body>\n</html>\n";
  return page;
}

Handler LandingHandler(const Landing& landing) {
  // Made once: all visitors share its bytes.
  auto response = Text(200, LandingPage(landing));
  response.content_type = "text/html; charset=utf-8";
  return [response](const Request&) { return response; };
}

}  // namespace limpet::web
