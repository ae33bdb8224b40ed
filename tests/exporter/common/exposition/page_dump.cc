// page_dump: reads pages from standard input and prints what PageParser makes of each, for
// differential_test.py.
//
// Input:  per page a line "text LENGTH" or "openmetrics LENGTH", then so many bytes.
// Output: per sample a JSON array [name, {label: value}, value as text, timestamp in ns or null];
//         "error: …" for a page that is refused; a line "end" after each page.
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "exporter/common/exposition/parser.h"

namespace {

using limpet::ItemKind;

void Dump(const std::string& text, limpet::Format format) {
  limpet::PageParser page(text, {.format = format});
  for (auto item = page.Next(); item.kind != ItemKind::kEnd; item = page.Next()) {
    if (item.kind == ItemKind::kError) {
      std::cout << "error: " << page.error().Text() << "\n";
      return;
    }
    if (item.kind != ItemKind::kSample) {
      continue;
    }
    auto labels = nlohmann::json::object();
    const auto pairs = limpet::ParseLabels(item.labels);
    if (!pairs) {
      std::cout << "error: labels " << pairs.error().Text() << "\n";
      return;
    }
    for (const auto& [name, value] : *pairs) {
      labels[std::string(name)] = std::string(value);
    }
    char number[64];
    std::snprintf(number, sizeof(number), "%.17g", item.value);
    auto stamp = nlohmann::json(nullptr);
    if (item.timestamp) {
      stamp = item.timestamp->time_since_epoch().count();
    }
    std::cout << nlohmann::json::array({std::string(item.name), labels, number, stamp}).dump()
              << "\n";
  }
}

}  // namespace

int main() {
  std::string kind;
  std::size_t length = 0;
  while (std::cin >> kind >> length) {
    std::cin.get();
    std::string text(length, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(length));
    Dump(text, kind == "text" ? limpet::Format::kText : limpet::Format::kOpenMetrics);
    std::cout << "end\n";
  }
}
