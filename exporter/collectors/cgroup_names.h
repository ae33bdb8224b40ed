// cgroup_names.h: the path of a control group whose number (inode) is known.
//
// The kernel has no call for it that needs no rights, so the tree is walked, from the top and for
// all numbers at once. Numbers are never used twice while the machine is up.
// Bound:   kMaxFolders a walk; a number that is not found is looked for again after kRest.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "exporter/common/files.h"
#include "exporter/common/time.h"

namespace limpet {

struct CgroupFolder {
  std::uint64_t number = 0;
  bool has_groups = true;  // below it
};
// `path` is below /sys; nullopt when there is no such folder.
using CgroupFolderProbe = std::function<std::optional<CgroupFolder>(const std::string& path)>;
// Returns the probe of the real file system below `sysfs`.
[[nodiscard]] CgroupFolderProbe AskCgroupFolder(std::string sysfs);

// Returns what else lies in the folder of a group: the files of its controllers.
[[nodiscard]] bool IsCgroupFile(std::string_view name);

class CgroupNames {
 public:
  static constexpr std::size_t kMaxFolders = 10'000;
  static constexpr std::size_t kMaxKnown = 1'000;
  static constexpr Duration kRest = std::chrono::minutes(5);

  explicit CgroupNames(CgroupFolderProbe probe) : probe_(std::move(probe)) {}

  // Paths such as "/system.slice/backup.service" of those numbers that have one.
  [[nodiscard]] const std::map<std::uint64_t, std::string>& Find(
      FileReader& sys, const std::set<std::uint64_t>& numbers, SteadyTime now);

 private:
  void Walk(FileReader& sys, std::set<std::uint64_t> wanted);

  CgroupFolderProbe probe_;
  std::map<std::uint64_t, std::string> known_;
  std::map<std::uint64_t, SteadyTime> missing_;  // when they were looked for
};

}  // namespace limpet
