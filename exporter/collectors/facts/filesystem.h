// filesystem.h: how full a file system is.
//
// Errors:  kNotFound: the mount point shows another file system here (a private mount of our
//          service), or nothing that we may see; kUnavailable: the file system does not say (XFS
//          that has shut down, a disk that is gone).
// Threads: AskFilesystem may be called from any; it hangs where the disk below does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "exporter/common/exposition/sample.h"
#include "exporter/common/result.h"
#include "exporter/kernel/mountinfo.h"

namespace limpet {

struct FilesystemUse {
  double size = 0;   // bytes
  double avail = 0;  // bytes, for users other than root
  double files = 0;  // inodes
  double files_free = 0;
};
using FilesystemProbe = std::function<Result<FilesystemUse>(const Mount& mount)>;
[[nodiscard]] Result<FilesystemUse> AskFilesystem(const Mount& mount);

// The content of a mountinfo, with the labels of its series: as long as the text is the same, so
// are they.
struct MountedDisk {
  Mount mount;
  LabelsPtr labels;
};
struct MountedDisks {
  std::string text;
  std::vector<MountedDisk> disks;  // one mount of each, that of the whole where there is one
  bool is_whole = true;            // false: there are more than ParseMountInfo keeps
};
[[nodiscard]] MountedDisks FindMountedDisks(std::string text);

}  // namespace limpet
