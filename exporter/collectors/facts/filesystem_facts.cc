// Facts of file systems: read-only, full, errors.
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/facts/filesystem.h"
#include "exporter/collectors/facts/parse.h"
#include "exporter/collectors/facts/reading.h"
#include "exporter/collectors/facts/table.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

constexpr std::array kNumbers = {
    FactNumber{&catalog::kFilesystemErrors, "fs/ext4/*/errors_count", ParseCount},
};

bool IsImage(const Mount& mount) {
  // These are read-only and full by nature.
  constexpr std::array<std::string_view, 6> kImages = {"squashfs", "iso9660", "udf",
                                                       "erofs",    "cramfs",  "romfs"};
  return std::find(kImages.begin(), kImages.end(), mount.fstype) != kImages.end();
}

void AddFilesystem(FactPass& pass, const MountedDisk& disk) {
  const auto& [mount, labels] = disk;
  pass.Add(catalog::kFilesystemReadOnly, labels, mount.read_only ? 1 : 0);
  if (!pass.Enter("filesystem " + mount.mountpoint, mount.mountpoint)) {
    return;
  }
  if (const auto use = pass.Sources().filesystem(mount)) {
    pass.Add(catalog::kFilesystemSize, labels, use->size);
    pass.Add(catalog::kFilesystemAvail, labels, use->avail);
    pass.Add(catalog::kFilesystemFiles, labels, use->files);
    pass.Add(catalog::kFilesystemFilesFree, labels, use->files_free);
  }
}

void ReadFilesystems(FactPass& pass) {
  // In a container that sees the host's /proc, "self" would be the container.
  auto text = pass.Read(FactRoot::kProc, "mounts", "1/mountinfo");
  if (!text) {
    text = pass.Read(FactRoot::kProc, "mounts", "self/mountinfo");
  }
  if (!text) {
    return;
  }
  auto& kept = pass.Mounted();
  if (kept == nullptr || kept->text != *text) {
    kept = std::make_shared<const MountedDisks>(FindMountedDisks(std::string(*text)));
  }
  for (const auto& disk : kept->disks) {
    AddFilesystem(pass, disk);
  }
}

}  // namespace

const FactSubject kFilesystemFacts{.numbers = kNumbers, .read = ReadFilesystems};

MountedDisks FindMountedDisks(std::string text) {
  std::map<std::string, Mount> by_source;
  for (auto& mount : ParseMountInfo(text)) {
    if (IsImage(mount)) {
      continue;
    }
    // A bind mount of a part may be read-only where the whole is not.
    auto [known, is_new] = by_source.try_emplace(mount.source, mount);
    if (!is_new && known->second.root != "/" && mount.root == "/") {
      known->second = std::move(mount);
    }
  }
  MountedDisks found{.text = std::move(text), .disks = {}};
  std::set<std::string, std::less<>> seen;
  for (auto& [source, mount] : by_source) {
    auto labels = MakeLabels({{"device", Printable(mount.source)},
                              {"mountpoint", Printable(mount.mountpoint)},
                              {"fstype", Printable(mount.fstype)}});
    // Two sources may print alike.
    if (seen.insert(labels->Rendered()).second) {
      found.disks.push_back({.mount = std::move(mount), .labels = std::move(labels)});
    }
  }
  return found;
}

std::optional<FilesystemUse> AskFilesystem(const Mount& mount) {
  struct stat status {};
  struct statvfs use {};
  const bool has_number = mount.major != 0;
  // Below a private mount of our service, or over a mount of somebody else, lies another device.
  if (::stat(mount.mountpoint.c_str(), &status) != 0 ||
      (has_number && status.st_dev != makedev(mount.major, mount.minor)) ||
      ::statvfs(mount.mountpoint.c_str(), &use) != 0) {
    return std::nullopt;
  }
  const auto block = static_cast<double>(use.f_frsize);
  return FilesystemUse{.size = static_cast<double>(use.f_blocks) * block,
                       .avail = static_cast<double>(use.f_bavail) * block,
                       .files = static_cast<double>(use.f_files),
                       .files_free = static_cast<double>(use.f_ffree)};
}

}  // namespace limpet
