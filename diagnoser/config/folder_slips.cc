#include "diagnoser/config/folder_slips.h"

#include <fmt/format.h>

#include <filesystem>

namespace limpet {
namespace {

// Returns the folder that must be there before the file can be: a name alone lies in the folder
// in which the service runs.
std::string FolderOf(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  return folder.empty() ? "." : folder.string();
}

}  // namespace

std::vector<std::string> FindFolderSlips(const DiagnoserConfig& config,
                                         const std::string& state_folder,
                                         const FolderExists& exists) {
  std::vector<std::string> texts;
  if (!state_folder.empty() && !exists(state_folder)) {
    texts.push_back(fmt::format(
        "--state-dir: there is no folder {}: serve makes it where it may, and else a restart "
        "forgets everything",
        state_folder));
  }
  const auto& file = config.events.file;
  if (!file.empty() && file != "stderr" && !exists(FolderOf(file))) {
    texts.push_back(fmt::format("events.file: there is no folder {}: no event will be written",
                                FolderOf(file)));
  }
  for (const auto& source : config.discovery) {
    for (const auto& pattern : source.files) {
      const auto folder = FolderOf(pattern);
      // Patterns in the folder's own name are looked up with the files.
      if (folder.find_first_of("*?[{") == std::string::npos && !exists(folder)) {
        texts.push_back(
            fmt::format("file_sd: there is no folder {}: {} names nobody", folder, pattern));
      }
    }
  }
  return texts;
}

}  // namespace limpet
