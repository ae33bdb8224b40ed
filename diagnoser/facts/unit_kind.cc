#include "diagnoser/facts/unit_kind.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace limpet {
namespace {

constexpr std::size_t kShortestId = 4;  // without a digit

bool IsWord(unsigned char c) { return std::isalnum(c) != 0; }

bool IsId(std::string_view word) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const auto is_hexadecimal = [](unsigned char c) { return std::isxdigit(c) != 0; };
  return std::ranges::any_of(word, is_digit) ||
         (word.size() >= kShortestId && std::ranges::all_of(word, is_hexadecimal));
}

void AddWithoutIds(std::string_view text, std::string& kind) {
  while (!text.empty()) {
    const auto end =
        static_cast<std::size_t>(std::ranges::find_if_not(text, IsWord) - text.begin());
    const auto word = text.substr(0, end);
    kind += IsId(word) ? "#" : word;
    if (end < text.size()) {
      kind += text[end];
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool IsNumber(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
}

// Slurm's folder is named job_N, that of PBS stands below one that says whose it is: jobid/N.server
// or pbs_jobs.service/jobid/N.server.
bool IsJob(std::string_view folder, std::string_view above) {
  constexpr std::string_view kSlurm = "job_";
  return folder.starts_with(kSlurm)
             ? IsNumber(folder.substr(kSlurm.size()))
             : above == "jobid" && IsNumber(folder.substr(0, folder.find('.')));
}

void AddUnit(std::string_view unit, std::string& kind) {
  const auto at = unit.find('@');
  const auto type = unit.rfind('.');
  if (at == std::string_view::npos || type == std::string_view::npos || type < at) {
    AddWithoutIds(unit, kind);
    return;
  }
  AddWithoutIds(unit.substr(0, at + 1), kind);
  kind += unit.substr(type);
}

}  // namespace

std::string UnitKind(std::string_view path) {
  std::string kind;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    AddUnit(path.substr(0, end), kind);
    if (end < path.size()) {
      kind += '/';
    }
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return kind;
}

std::string_view JobName(std::string_view path) {
  for (std::string_view above; !path.empty();) {
    const auto end = std::min(path.find('/'), path.size());
    const auto folder = path.substr(0, end);
    if (IsJob(folder, above)) {
      return folder;
    }
    above = folder;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return {};
}

std::string_view UnitName(std::string_view path) {
  return path.substr(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
}

}  // namespace limpet
