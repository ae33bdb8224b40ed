// cgroup_walk.h: which control groups read and write how much, found without looking at all of
// them.
//
// The kernel counts a group's bytes together with those of the groups below it, so only busy groups
// are looked into. Version 2 (io.stat) and version 1 (blkio). Before Linux 4.16 version 1 counts
// each group alone: all are looked into.
// Rates:   averages since the group's previous reading, which is of the previous walk for those
// that
//          were busy. A group that is new since then began at 0; the first reading of any other has
//          no rate.
// Bound:   `max_reads` files a walk. A folder with more groups is gone through in turns, those that
//          were busy before the others.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/files.h"
#include "exporter/common/time.h"

namespace limpet {

struct DeviceBytes {
  std::uint64_t read = 0;
  std::uint64_t written = 0;
};
// The key is "major:minor".
using BytesByDevice = std::map<std::string, DeviceBytes, std::less<>>;

// "8:16 rbytes=1 wbytes=2 rios=…"; what is not of this form is left out. The kernel prints a device
// without numbers and without a newline: the numbers are of the last name before them.
[[nodiscard]] BytesByDevice ParseIoStat(std::string_view text);
// "8:16 Read 1\n8:16 Write 2\n…".
[[nodiscard]] BytesByDevice ParseBlkio(std::string_view text);

struct CgroupUse {
  std::string path;    // "/system.slice/backup.service"
  std::string device;  // "8:16"
  double read = 0;     // bytes a second
  double written = 0;
};

struct CgroupWalkOptions {
  double busy = 1e6;  // bytes a second; groups with less are neither looked into nor shown
  std::size_t shown = 20;
  std::size_t max_reads = 1'000;
  std::size_t max_depth = 16;
  std::size_t max_known = 20'000;               // groups whose counters are remembered
  Duration max_age = std::chrono::minutes(30);  // of a previous reading
};

class CgroupWalk {
 public:
  explicit CgroupWalk(const CgroupWalkOptions& options) : options_(options) {}

  struct Outcome {
    std::vector<CgroupUse> shown;  // the largest, by path and device
    std::size_t groups = 0;        // that were listed
    std::size_t named = 0;         // of them, those in `shown`
    std::size_t uncounted = 0;     // of those at the top, the ones without a file of bytes
    std::size_t at_top = 0;        // that were read, or should have been
    bool deeper = false;  // groups in busy ones were read for the first time: walk again soon
  };
  // `sys` is rooted at /sys. kNotFound when it has no control groups, kUnavailable when these do
  // not count bytes.
  [[nodiscard]] Result<Outcome> Walk(FileReader& sys, SteadyTime now);

 private:
  struct Known {
    BytesByDevice bytes;
    SteadyTime at{};
    bool busy = false;
  };
  struct Layout {
    std::string root;
    std::string_view file;
    BytesByDevice (*parse)(std::string_view);
    bool is_recursive = true;  // false: each group's bytes are its own
  };
  struct Turn {
    std::size_t next = 0;  // of the folder's groups, where to go on
    SteadyTime at{};       // of the last visit
    bool whole = false;    // all were read then
  };
  // The rates of one group in one walk.
  struct Rates {
    std::map<std::string, CgroupUse, std::less<>> by_device;
    double total = 0;
    bool first = false;  // there is no telling yet
  };

  [[nodiscard]] static Result<Layout> FindLayout(FileReader& sys);
  [[nodiscard]] std::vector<std::string> ListGroups(FileReader& sys, const std::string& folder);
  // `began`: a group that is not known was not there then, and so began at 0.
  // The bytes a second of those below `path` that are named in its place.
  double Visit(FileReader& sys, const Layout& layout, const std::string& path,
               std::optional<SteadyTime> began, std::size_t depth);
  double VisitGroup(FileReader& sys, const Layout& layout, const std::string& path,
                    std::optional<SteadyTime> began, std::size_t depth);
  [[nodiscard]] Rates Measure(const std::string& path, BytesByDevice bytes,
                              std::optional<SteadyTime> began);
  void PickLargest();

  CgroupWalkOptions options_;
  std::map<std::string, Known, std::less<>> known_;
  std::map<std::string, Turn, std::less<>> turns_;  // by folder
  // The state of the walk that runs:
  SteadyTime now_{};
  std::size_t reads_ = 0;
  Outcome outcome_;
};

}  // namespace limpet
