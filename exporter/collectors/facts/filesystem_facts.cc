// Facts of file systems: read-only, full, shut down, errors.
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/facts/filesystem.h"
#include "exporter/collectors/facts/parse.h"
#include "exporter/collectors/facts/places.h"
#include "exporter/collectors/facts/reading.h"
#include "exporter/collectors/facts/table.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

constexpr std::array kFilesystemNumbers = {
    FactNumber{&catalog::kFilesystemErrors, "fs/ext4/*/errors_count", ParseCount},
    FactNumber{&catalog::kFilesystemErrors, "fs/ldiskfs/*/errors_count", ParseCount},
};

// "write_errs 0\nread_errs 2\n…" of one device: their sum. fs/btrfs/sysfs.c says "invalid" until
// it has read them.
std::optional<double> ParseBtrfsErrors(std::string_view text) {
  std::optional<double> sum;
  Lines lines(text);
  while (const auto line = lines.Next()) {
    Fields fields(*line);
    const auto name = fields.Next();
    const auto count = ParseU64(fields.Next());
    if (name.ends_with("_errs") && count) {
      sum = sum.value_or(0) + static_cast<double>(*count);
    }
  }
  return sum;
}

// sysfs does not tell which number of a device is which name: with one device there is no doubt.
void FindBtrfsErrors(FactFinder& finder) {
  static constexpr FactNumber kErrors{
      .info = &catalog::kFilesystemErrors, .files = {}, .parse = ParseBtrfsErrors};
  for (auto& match : finder.Find("fs/btrfs/*/devinfo/*/error_stats", FactDevices::kAll)) {
    const auto devices = finder.Names(match.unit, match.unit + "/devices");
    const auto device = devices.size() == 1 ? Printable(devices.front()) : "btrfs/" + match.device;
    finder.Add(kErrors, std::move(match.unit), std::move(match.path), {{"device", device}});
  }
}

bool IsImage(const Mount& mount) {
  // These are read-only and full by nature.
  constexpr std::array<std::string_view, 6> kImages = {"squashfs", "iso9660", "udf",
                                                       "erofs",    "cramfs",  "romfs"};
  return std::find(kImages.begin(), kImages.end(), mount.fstype) != kImages.end();
}

void AddFilesystem(FactPass& pass, const MountedDisk& disk) {
  const auto& [mount, labels] = disk;
  // The mount of a healthy Lustre target says "ro", for it is no way to its files.
  if (mount.fstype != "lustre") {
    pass.Add(catalog::kFilesystemReadOnly, labels, mount.read_only ? 1 : 0);
  }
  if (!pass.Enter("filesystem " + mount.mountpoint, mount.mountpoint)) {
    pass.Add(catalog::kFilesystemDeviceError, labels, 1);  // it hangs
    return;
  }
  const auto use = pass.Sources().filesystem(mount);
  const bool fails = !use && use.error().code == ErrorCode::kUnavailable;
  if (use || fails || mount.is_shut_down) {
    pass.Add(catalog::kFilesystemDeviceError, labels, fails || mount.is_shut_down ? 1 : 0);
  }
  if (use) {
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
  if (!kept->is_whole) {
    pass.AddUnread("1/mountinfo", "large");
  }
}

}  // namespace

const FactSubject kFilesystemFacts{
    .numbers = kFilesystemNumbers, .find = FindBtrfsErrors, .read = ReadFilesystems};

MountedDisks FindMountedDisks(std::string text) {
  std::map<std::string, Mount> by_source;
  auto info = ParseMountInfo(text);
  for (auto& mount : info.mounts) {
    if (IsImage(mount)) {
      continue;
    }
    // A bind mount of a part may be read-only where the whole is not.
    auto [known, is_new] = by_source.try_emplace(mount.source, mount);
    if (!is_new && known->second.root != "/" && mount.root == "/") {
      known->second = std::move(mount);
    }
  }
  MountedDisks found{.text = std::move(text), .disks = {}, .is_whole = info.left_out == 0};
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

Result<FilesystemUse> AskFilesystem(const Mount& mount) {
  struct stat status {};
  struct statvfs use {};
  const auto failed = [&] {
    constexpr std::array kOfThePath = {ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG};
    const bool is_hidden =
        std::find(kOfThePath.begin(), kOfThePath.end(), errno) != kOfThePath.end();
    return Error{is_hidden ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
                 std::generic_category().message(errno), mount.mountpoint};
  };
  if (::stat(mount.mountpoint.c_str(), &status) != 0) {
    return failed();
  }
  // Below a private mount of our service, or over a mount of somebody else, lies another device.
  if (mount.major != 0 && status.st_dev != makedev(mount.major, mount.minor)) {
    return Error{ErrorCode::kNotFound, "another file system", mount.mountpoint};
  }
  if (::statvfs(mount.mountpoint.c_str(), &use) != 0) {
    return failed();
  }
  const auto block = static_cast<double>(use.f_frsize);
  return FilesystemUse{.size = static_cast<double>(use.f_blocks) * block,
                       .avail = static_cast<double>(use.f_bavail) * block,
                       .files = static_cast<double>(use.f_files),
                       .files_free = static_cast<double>(use.f_ffree)};
}

}  // namespace limpet
