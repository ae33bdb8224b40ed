#include "diagnoser/runtime/recorded_roles.h"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "diagnoser/sources/open_recording.h"
#include "diagnoser/sources/recording_set.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxRolesText = std::size_t{1} << 20U;

// False for a series without a role.
bool AddRole(std::string_view line, std::set<std::string>& roles) {
  constexpr std::string_view kLabel = "role=\"";
  const auto label = line.find(kLabel);
  const auto begin = label + kLabel.size();
  const auto end = label == std::string_view::npos ? label : line.find('"', begin);
  // "xrole" is another label.
  if (end == std::string_view::npos || end == begin ||
      (line[label - 1] != '{' && line[label - 1] != ',')) {
    return false;
  }
  roles.emplace(line.substr(begin, end - begin));
  return true;
}

// False when a series has none.
bool AddRoles(Recording& recording, std::set<std::string>& roles) {
  for (std::size_t read = 0; read < kMaxRolesText;) {
    const auto piece = recording.Next(UnixTime::max());
    if (!piece || !*piece) {
      return true;  // what cannot be read is reported by the replay itself
    }
    read += (*piece)->text.size();
    Lines lines((*piece)->text);
    while (const auto line = lines.Next()) {
      if (!line->empty() && line->front() != '#' && !AddRole(*line, roles)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

std::set<std::string> FindRecordedRoles(const std::vector<std::string>& inputs) {
  std::set<std::string> roles;
  const auto paths = FindRecordings(inputs);
  for (const auto& path : paths ? *paths : std::vector<std::string>()) {
    std::error_code error;
    // What a pipe gives is gone once it has been read.
    if (!std::filesystem::is_regular_file(path, error)) {
      return {};
    }
    auto recording = OpenRecording(path);
    if (!recording) {
      continue;
    }
    if (!AddRoles(*recording, roles)) {
      return {};
    }
  }
  return roles;
}

}  // namespace limpet
