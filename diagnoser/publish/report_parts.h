// report_parts.h: the pieces that reports are made of: every text that comes with data is escaped.
//
// Threads: pure; Table is a value with one owner.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/time.h"

namespace limpet::report {

inline constexpr std::size_t kMaxListed = 20;  // inputs, warnings

[[nodiscard]] std::string Escape(std::string_view text);
[[nodiscard]] std::string Paragraph(std::string_view text, std::string_view style = {});
// "1 server", "3 servers".
[[nodiscard]] std::string CountText(std::uint64_t count, std::string_view one,
                                    std::string_view many);
// `body` is HTML.
[[nodiscard]] std::string Section(std::string_view id, std::string_view title,
                                  const std::string& body);
// Lists the first kMaxListed, and how many more there are.
[[nodiscard]] std::string List(const std::vector<std::string>& texts);
// "2026-01-31T10:00:00Z to 2026-01-31T11:00:00Z (1 h)".
[[nodiscard]] std::string Span(UnixTime from, UnixTime to);

// Columns whose heading ends in '#' are numbers.
class Table {
 public:
  explicit Table(const std::vector<std::string>& headings);
  void Row(const std::vector<std::string>& cells);
  [[nodiscard]] std::string Finish() const { return text_ + "</tbody></table></div>\n"; }

 private:
  [[nodiscard]] std::string_view Style(std::size_t column) const {
    return numbers_[column] ? " class=\"number\"" : "";
  }
  std::string text_;
  std::vector<bool> numbers_;
};

// The whole page, which can ask for nothing. `body` is HTML.
[[nodiscard]] std::string HtmlPage(std::string_view title, const std::string& body,
                                   std::string_view program);

}  // namespace limpet::report
