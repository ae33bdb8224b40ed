#include "exporter/collectors/cgroup_names.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string_view>
#include <utility>

namespace limpet {
namespace {

// Where version 2 is mounted: alone, or beside version 1 (systemd's hybrid layout).
std::string FindRoot(FileReader& sys) {
  for (const std::string_view root : {"fs/cgroup", "fs/cgroup/unified"}) {
    if (sys.Exists(std::string(root) + "/cgroup.procs")) {
      return std::string(root);
    }
  }
  return "";
}

}  // namespace

CgroupFolderProbe AskCgroupFolder(std::string sysfs) {
  return [sysfs = std::move(sysfs)](const std::string& path) -> std::optional<CgroupFolder> {
    struct stat status {};
    if (::stat((sysfs + "/" + path).c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
      return std::nullopt;
    }
    // A folder's own name and its "." are two links; each folder below it is one more.
    return CgroupFolder{.number = status.st_ino, .has_groups = status.st_nlink > 2};
  };
}

// systemd puts an underscore before a unit whose name begins like one of them (systemd.unit(5)).
bool IsCgroupFile(std::string_view name) {
  constexpr std::array<std::string_view, 17> kPrefixes = {
      "cgroup.", "memory.",       "io.",     "cpu.",  "cpuset.", "pids.",    "hugetlb.",
      "rdma.",   "misc.",         "irq.",    "dmem.", "blkio.",  "cpuacct.", "notify_on_release",
      "tasks",   "release_agent", "devices."};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

const std::map<std::uint64_t, std::string>& CgroupNames::Find(
    FileReader& sys, const std::set<std::uint64_t>& numbers, SteadyTime now) {
  std::set<std::uint64_t> wanted;
  bool is_new = false;
  for (const auto number : numbers) {
    if (known_.contains(number)) {
      continue;
    }
    wanted.insert(number);
    const auto looked_for = missing_.find(number);
    is_new = is_new || looked_for == missing_.end() || now - looked_for->second >= kRest;
  }
  // A number without a folder, of a group that has ended, must not cost a walk a minute.
  if (is_new) {
    if (known_.size() + wanted.size() > kMaxKnown) {
      known_.clear();
      wanted = numbers;
    }
    Walk(sys, wanted);
    missing_.clear();
    for (const auto number : wanted) {
      if (!known_.contains(number)) {
        missing_.emplace(number, now);
      }
    }
  }
  return known_;
}

void CgroupNames::Walk(FileReader& sys, std::set<std::uint64_t> wanted) {
  const auto root = FindRoot(sys);
  std::deque<std::string> folders;
  if (!root.empty()) {
    folders.emplace_back();
  }
  // Level by level: services stand near the top, and who is left out lies deep.
  for (std::size_t seen = 0; !folders.empty() && !wanted.empty() && seen < kMaxFolders; ++seen) {
    const auto path = std::move(folders.front());
    folders.pop_front();
    const auto folder = probe_(root + path);
    if (!folder) {
      continue;
    }
    if (wanted.erase(folder->number) > 0) {
      known_.emplace(folder->number, path.empty() ? "/" : path);
    }
    const auto names = folder->has_groups && folders.size() < kMaxFolders
                           ? sys.List(root + path)
                           : Result(std::vector<std::string>());
    for (const auto& name : names ? *names : std::vector<std::string>()) {
      if (!IsCgroupFile(name)) {
        folders.push_back(path);
        folders.back().append("/").append(name);
      }
    }
  }
}

}  // namespace limpet
