#include "diagnoser/sources/csv_cells.h"

#include "exporter/common/text.h"

namespace limpet {
namespace {

// A quote inside is written twice. Takes a quoted cell off the front, which is a quote; nullopt
// when it does not end.
std::optional<std::string> TakeQuoted(std::string_view& rest) {
  std::string cell;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] != '"') {
      cell.push_back(rest[i]);
    } else if (i + 1 < rest.size() && rest[i + 1] == '"') {
      cell.push_back(rest[++i]);
    } else {
      rest.remove_prefix(i + 1);
      return cell;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> SplitCsv(std::string_view line, std::size_t max) {
  std::vector<std::string> cells;
  for (auto rest = Trim(line);;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    std::string cell;
    if (rest.starts_with('"')) {
      auto quoted = TakeQuoted(rest);
      if (!quoted) {
        return std::nullopt;
      }
      cell = std::move(*quoted);
    }
    const auto comma = rest.find(',');
    cell += Trim(rest.substr(0, comma));
    if (cells.size() == max) {
      return std::nullopt;
    }
    cells.push_back(std::move(cell));
    if (comma == std::string_view::npos) {
      return cells;
    }
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace limpet
