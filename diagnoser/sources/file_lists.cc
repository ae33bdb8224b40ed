#include "diagnoser/sources/file_lists.h"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <utility>

#include "exporter/common/regular_file.h"

namespace limpet {
namespace {

// Sorted, without those that are there twice.
std::set<std::string> Expand(const std::vector<std::string>& patterns,
                             std::vector<std::string>& problems) {
  std::set<std::string> paths;
  for (const auto& pattern : patterns) {
    glob_t found{};
    // Braces as in Prometheus' patterns; std::filesystem knows no patterns at all.
    const int code = ::glob(pattern.c_str(), GLOB_BRACE, nullptr, &found);
    for (std::size_t i = 0; code == 0 && i < found.gl_pathc; ++i) {
      if (!FindListFormat(found.gl_pathv[i])) {
        problems.push_back(std::string(found.gl_pathv[i]) +
                           ": expected a name that ends in .json, .yml or .yaml");
      } else if (paths.size() >= FileLists::kMaxFiles) {
        problems.push_back(pattern + ": more than " + std::to_string(FileLists::kMaxFiles) +
                           " files; the rest is left out");
        break;
      } else {
        paths.insert(found.gl_pathv[i]);
      }
    }
    ::globfree(&found);
    if (code == GLOB_NOMATCH) {
      problems.push_back(pattern + ": there is no such file");
    } else if (code != 0) {
      problems.push_back(pattern + ": cannot be looked up");
    }
  }
  return paths;
}

}  // namespace

std::optional<ListFormat> FindListFormat(std::string_view path) {
  if (path.ends_with(".json")) {
    return ListFormat::kJson;
  }
  return path.ends_with(".yml") || path.ends_with(".yaml") ? std::optional(ListFormat::kYaml)
                                                           : std::nullopt;
}

bool FileLists::Refresh() {
  std::vector<std::string> problems;
  const auto paths = Expand(patterns_, problems);
  bool changed = !read_before_ || problems != problems_;
  read_before_ = true;
  problems_ = std::move(problems);
  changed =
      std::erase_if(files_, [&](const auto& file) { return !paths.contains(file.first); }) > 0 ||
      changed;
  for (const auto& path : paths) {
    // Size and inode beside the time: files written by rename may keep an old time.
    struct stat status {};
    std::optional<Stamp> stamp;
    if (::stat(path.c_str(), &status) == 0) {
      stamp = {status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    }
    // A file that could not even be looked at is tried again each time: it may only be unreadable
    // now.
    auto [found, is_new] = files_.try_emplace(path);
    if (is_new || !stamp || stamp != found->second.stamp) {
      found->second.stamp = stamp;
      Read(path, found->second);
      changed = true;
    }
  }
  return changed;
}

void FileLists::Read(const std::string& path, File& file) const {
  const auto text = ReadRegularFile(path, kMaxListBytes);
  if (!text) {
    file.error = text.error().Text();
    return;
  }
  auto groups = ParseTargetGroups(*text, FindListFormat(path).value_or(ListFormat::kJson), path);
  if (!groups) {
    file.error = groups.error().Text() + "; its targets stay as they were";
    return;
  }
  file.error.clear();
  file.list = MakeTargets(std::move(*groups), base_);
}

TargetList FileLists::List() const {
  TargetList all{.targets = {}, .problems = problems_};
  for (const auto& [path, file] : files_) {
    all.targets.insert(all.targets.end(), file.list.targets.begin(), file.list.targets.end());
    if (!file.error.empty()) {
      all.problems.push_back(file.error);
    }
    all.problems.insert(all.problems.end(), file.list.problems.begin(), file.list.problems.end());
  }
  return all;
}

std::size_t FileLists::Failing() const {
  return static_cast<std::size_t>(std::count_if(
      files_.begin(), files_.end(), [](const auto& file) { return !file.second.error.empty(); }));
}

}  // namespace limpet
