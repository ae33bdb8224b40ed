#include "exporter/kernel/mountinfo.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <unordered_map>
#include <utility>

#include "exporter/common/text.h"
#include "exporter/kernel/whole_lines.h"

namespace limpet {
namespace {

constexpr std::string_view kDev = "/dev/";

// The kernel writes blanks, newlines and backslashes as \040 and the like (fs/proc_namespace.c).
std::string Unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const auto octal = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '7'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
      const int value = (text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0');
      out += static_cast<char>(value);
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Whether one of `words` is among the options "rw,noatime".
bool HasOption(std::string_view options, std::initializer_list<std::string_view> words) {
  while (!options.empty()) {
    const auto comma = std::min(options.find(','), options.size());
    if (std::find(words.begin(), words.end(), options.substr(0, comma)) != words.end()) {
      return true;
    }
    options.remove_prefix(std::min(comma + 1, options.size()));
  }
  return false;
}

// Since Linux 6.15 ext4 stays "rw" after an error and adds the other word (fs/ext4/super.c,
// EXT4_FLAGS_EMERGENCY_RO).
bool IsReadOnly(std::string_view options) { return HasOption(options, {"ro", "emergency_ro"}); }

// "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue"
std::optional<Mount> ParseMount(std::string_view line) {
  Fields fields(line);
  fields.Next();
  fields.Next();
  const auto number = fields.Next();
  const auto root = fields.Next();
  const auto mountpoint = fields.Next();
  const auto mount_options = fields.Next();
  // Optional fields, as many as the kernel likes, end with a single dash (proc.rst §3.5).
  auto field = mount_options == "-" ? mount_options : fields.Next();
  while (!field.empty() && field != "-") {
    field = fields.Next();
  }
  const auto fstype = fields.Next();
  const auto source = fields.Next();
  const auto super_options = fields.Next();
  const auto colon = number.find(':');
  if (colon == std::string_view::npos || source.empty()) {
    return std::nullopt;
  }
  const auto major = ParseU64(number.substr(0, colon));
  const auto minor = ParseU64(number.substr(colon + 1));
  // Major 0 is no block device, but for btrfs, whose device then stands in the source.
  if (!major || !minor || *major > UINT32_MAX || *minor > UINT32_MAX ||
      (*major == 0 && !source.starts_with(kDev))) {
    return std::nullopt;
  }
  return Mount{static_cast<std::uint32_t>(*major),
               static_cast<std::uint32_t>(*minor),
               Unescape(root),
               Unescape(mountpoint),
               Unescape(fstype),
               Unescape(source),
               IsReadOnly(mount_options) || IsReadOnly(super_options),
               HasOption(super_options, {"shutdown"})};
}

std::string DeviceKey(const Mount& mount) {
  return std::to_string(mount.major) + ":" + std::to_string(mount.minor) + " " + mount.source;
}

}  // namespace

MountInfo ParseMountInfo(std::string_view text) {
  MountInfo info;
  std::unordered_map<std::string, std::size_t> known;  // place in `mounts`
  Lines lines(WholeLines(text));
  while (const auto line = lines.Next()) {
    auto mount = ParseMount(*line);
    if (!mount) {
      continue;
    }
    auto key = DeviceKey(*mount);
    if (const auto found = known.find(key); found != known.end()) {
      auto& kept = info.mounts[found->second];
      if (kept.root != "/" && mount->root == "/") {
        kept = *std::move(mount);
      }
    } else if (info.mounts.size() < kMaxMounts) {
      known.emplace(std::move(key), info.mounts.size());
      info.mounts.push_back(*std::move(mount));
    } else {
      ++info.left_out;
    }
  }
  return info;
}

const Mount* FindMount(std::span<const Mount> mounts, std::uint32_t major, std::uint32_t minor,
                       std::string_view name) {
  const Mount* first = nullptr;
  for (const auto& mount : mounts) {
    const bool same = mount.major != 0 ? mount.major == major && mount.minor == minor
                                       : mount.source.substr(kDev.size()) == name;
    // Bind mounts show a part of the file system: the mount of its root tells more.
    if (same && mount.root == "/") {
      return &mount;
    }
    if (same && first == nullptr) {
      first = &mount;
    }
  }
  return first;
}

}  // namespace limpet
