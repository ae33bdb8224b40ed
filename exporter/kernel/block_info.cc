#include "exporter/kernel/block_info.h"

#include <algorithm>

#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::uint64_t kSectorBytes = 512;  // of sysfs, whatever the device's own are
constexpr std::size_t kLongestValue = 256;   // bytes of a label; the longest identifiers are NQNs

// "" when the name could lead out of the folder.
std::string DeviceFolder(std::string_view device) {
  if (device.empty() || device == "." || device == "..") {
    return {};
  }
  std::string folder = "class/block/" + std::string(device);
  std::replace(folder.begin() + 12, folder.end(), '/', '!');
  return folder;
}

// Runs of blanks as one, none at the ends: SCSI pads its strings with them.
std::string Squeeze(std::string_view text) {
  std::string out;
  Fields words(Trim(text));
  for (auto word = words.Next(); !word.empty(); word = words.Next()) {
    out += out.empty() ? "" : " ";
    out += word;
  }
  return out;
}

std::string Value(FileReader& sys, const std::string& path) {
  const auto text = sys.ReadOnce(path);
  if (!text) {
    return {};
  }
  // Attributes are text, at most a page; what follows a NUL is padding.
  const auto line = text->substr(0, std::min(text->find('\0'), kLongestValue));
  return Squeeze(line.substr(0, line.find('\n')));
}

// SCSI's unit serial number page: 4 bytes of header, the last the length (SPC-4 §7.8.12).
std::string UnitSerial(FileReader& sys, const std::string& path) {
  const auto page = sys.ReadOnce(path);
  if (!page || page->size() < 4) {
    return {};
  }
  const auto length = static_cast<unsigned char>((*page)[3]);
  return Squeeze(page->substr(4, length));
}

std::optional<bool> Flag(FileReader& sys, const std::string& path) {
  const auto value = Value(sys, path);
  return value == "0" || value == "1" ? std::optional(value == "1") : std::nullopt;
}

template <class... Paths>
std::string FirstValue(FileReader& sys, const Paths&... paths) {
  std::string value;
  (void)((value = Value(sys, paths), !value.empty()) || ...);
  return value;
}

}  // namespace

std::string NormalWwn(std::string_view raw) {
  auto wwn = Squeeze(raw);
  const auto lower = [](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
  };
  if (wwn.starts_with("naa.")) {
    return "0x" + lower(wwn.substr(4));
  }
  if (wwn.starts_with("mpath-3")) {  // 3: NAA, SPC-4 §7.8.6.1
    return "0x" + lower(wwn.substr(7));
  }
  if (wwn.starts_with("mpath-2")) {  // 2: EUI-64
    return "eui." + lower(wwn.substr(7));
  }
  if (wwn.starts_with("eui.") || wwn.starts_with("nvme.") || wwn.starts_with("uuid.")) {
    return lower(std::move(wwn));
  }
  return wwn;
}

bool IsPartition(FileReader& sys, std::string_view device) {
  const auto folder = DeviceFolder(device);
  return !folder.empty() && sys.Exists(folder + "/partition");
}

BlockInfo ReadBlockInfo(FileReader& sys, std::string_view device) {
  auto folder = DeviceFolder(device);
  if (folder.empty()) {
    return {};
  }
  if (IsPartition(sys, device)) {
    folder += "/..";  // the link leads to the folder inside the disk's
  }
  BlockInfo info;
  info.wwn =
      NormalWwn(FirstValue(sys, folder + "/wwid", folder + "/device/wwid", folder + "/dm/uuid"));
  info.serial = FirstValue(sys, folder + "/serial", folder + "/device/serial");
  if (info.serial.empty()) {
    info.serial = UnitSerial(sys, folder + "/device/vpd_pg80");
  }
  info.model = FirstValue(sys, folder + "/device/model", folder + "/device/name");
  info.rotational = Flag(sys, folder + "/queue/rotational");
  info.counts = Flag(sys, folder + "/queue/iostats");
  const auto sectors = ParseU64(Value(sys, folder + "/size"));
  if (sectors && *sectors <= UINT64_MAX / kSectorBytes) {
    info.size = *sectors * kSectorBytes;
  }
  return info;
}

}  // namespace limpet
