#include "tests/accuracy/disturbed_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace limpet::accuracy {
namespace {

std::string Join(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) {
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string DisturbedPages::PrintLine(Machine& machine, std::string_view line, bool reboots) {
  const auto blank = line.rfind(' ');
  const auto series = line.substr(0, blank);
  const auto name = series.substr(0, series.find('{'));
  if (line.starts_with('#') || !name.ends_with("_total")) {
    return std::string(line);
  }
  const double value = std::strtod(std::string(line.substr(blank + 1)).c_str(), nullptr);
  auto base = machine.base.find(series);
  if (reboots || base == machine.base.end()) {
    base = machine.base.insert_or_assign(std::string(series), reboots ? value : 0).first;
  }
  return fmt::format("{} {}", series, value - base->second);
}

std::vector<std::string> DisturbedPages::Print(std::size_t number, std::string_view page) {
  auto& machine = machines_[number];
  const bool reboots = Happens(odds_.rebooted);
  machine.boots += reboots ? 1U : 0U;
  // Far apart, as those of different machines are.
  const auto since = 1'690'000'000 + 100'000 * number + 1'000 * machine.boots;
  std::vector<std::string> lines = {fmt::format("limpet_exporter_start_time_seconds {}", since),
                                    fmt::format("limpet_boot_time_seconds {}", since)};
  while (!page.empty()) {
    const auto end = page.find('\n');
    lines.push_back(PrintLine(machine, page.substr(0, end), reboots));
    page = end == std::string_view::npos ? std::string_view() : page.substr(end + 1);
  }
  return lines;
}

std::optional<std::string> DisturbedPages::Disturb(std::size_t number,
                                                   const std::vector<std::string>& pages) {
  auto lines = Print(number, pages[number]);
  auto& machine = machines_[number];
  if (machine.swapped_for == 0 && Happens(odds_.swapped)) {
    machine.swapped_for = 3;
  }
  if (machine.swapped_for > 0) {
    --machine.swapped_for;
    const auto other = (number + 1) % pages.size();
    const auto odds = std::exchange(odds_.rebooted, 0);  // it reboots on its own page only
    lines = Print(other, pages[other]);
    odds_.rebooted = odds;
  }
  if (Happens(odds_.lost)) {
    return std::nullopt;
  }
  std::erase_if(lines, [&](const std::string&) { return Happens(odds_.line_lost); });
  for (auto& line : lines) {
    if (!line.starts_with('#') && Happens(odds_.line_not_a_number)) {
      line = line.substr(0, line.rfind(' ')) + " NaN";
    }
  }
  if (Happens(odds_.line_twice)) {
    lines.push_back(lines[random_() % lines.size()]);
  }
  if (Happens(odds_.shuffled)) {
    std::shuffle(lines.begin(), lines.end(), random_);
  }
  if (Happens(odds_.strangers)) {
    for (int i = 0; i < 20; ++i) {
      lines.push_back(fmt::format("stranger_{}{{a=\"{}\"}} 1", random_() % 1000, i));
    }
  }
  auto text = Join(lines);
  if (Happens(odds_.cut)) {
    text.resize(random_() % text.size());
  }
  return text;
}

}  // namespace limpet::accuracy
