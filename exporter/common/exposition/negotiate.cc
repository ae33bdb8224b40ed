#include "exporter/common/exposition/negotiate.h"

#include <algorithm>
#include <cstddef>

#include "exporter/common/text.h"

namespace limpet {
namespace {

// Cuts the text before the next `separator` off `rest`, without blanks around it.
std::string_view CutAt(std::string_view& rest, char separator) {
  const auto length = std::min(rest.find(separator), rest.size());
  const auto part = rest.substr(0, length);
  rest.remove_prefix(std::min(length + 1, rest.size()));
  return Trim(part);
}

bool SameWord(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// One element of an Accept, Accept-Encoding or Content-Type header.
struct Choice {
  std::string_view what;
  std::string_view version;  // empty when there is none
  double quality = 1;        // 0: not this one
};

Choice ReadChoice(std::string_view element) {
  Choice choice;
  choice.what = CutAt(element, ';');
  while (!element.empty()) {
    auto parameter = CutAt(element, ';');
    const auto key = CutAt(parameter, '=');
    auto value = Trim(parameter);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
      value = value.substr(1, value.size() - 2);
    }
    if (SameWord(key, "q")) {
      const auto quality = ParseDouble(value);
      // A quality that cannot be read is no wish; refusing the scrape for it would help nobody.
      choice.quality = quality && *quality >= 0 ? std::min(*quality, 1.0) : 0;
    } else if (SameWord(key, "version")) {
      choice.version = value;
    }
  }
  return choice;
}

// The quality of one thing in a list, and the place where it was named.
struct Wish {
  double quality = -1;  // not named
  std::size_t place = 0;
  void Name(double q, std::size_t at) {
    if (q > quality) {
      *this = {q, at};
    }
  }
};

}  // namespace

Negotiated Negotiate(std::string_view accept, std::string_view accept_encoding) {
  Negotiated result;
  Wish open_metrics;
  Wish text;
  Wish anything;
  for (std::size_t place = 0; !accept.empty(); ++place) {
    const auto choice = ReadChoice(CutAt(accept, ','));
    if (SameWord(choice.what, "application/openmetrics-text")) {
      if (choice.version.empty() || choice.version == "1.0.0") {
        open_metrics.Name(choice.quality, place);
      }
    } else if (SameWord(choice.what, "text/plain")) {
      if (choice.version.empty() || choice.version == "0.0.4") {
        text.Name(choice.quality, place);
      }
    } else if (choice.what == "*/*" || SameWord(choice.what, "text/*")) {
      anything.Name(choice.quality, place);
    }
  }
  // A wildcard speaks for text only: OpenMetrics must be asked for by name, as older scrapers that
  // send */* cannot read it.
  if (text.quality < 0) {
    text = anything;
  }
  if (open_metrics.quality > 0 &&
      (open_metrics.quality > text.quality ||
       (open_metrics.quality == text.quality && open_metrics.place < text.place))) {
    result.format = Format::kOpenMetrics;
  }

  Wish gzip;
  Wish identity;
  Wish any;
  while (!accept_encoding.empty()) {
    const auto choice = ReadChoice(CutAt(accept_encoding, ','));
    if (SameWord(choice.what, "gzip") || SameWord(choice.what, "x-gzip")) {
      gzip.Name(choice.quality, 0);
    } else if (SameWord(choice.what, "identity")) {
      identity.Name(choice.quality, 0);
    } else if (choice.what == "*") {
      any.Name(choice.quality, 0);
    }
  }
  // Named beats "*"; a client that names neither takes what comes, which is plain.
  const auto quality = gzip.quality >= 0 ? gzip.quality : any.quality;
  result.gzip = quality > 0 && quality >= identity.quality;
  return result;
}

std::optional<Format> ParseContentType(std::string_view content_type) {
  const auto type = CutAt(content_type, ';');
  if (SameWord(type, "application/openmetrics-text")) {
    return Format::kOpenMetrics;
  }
  if (SameWord(type, "text/plain")) {
    return Format::kText;
  }
  return std::nullopt;
}

}  // namespace limpet
