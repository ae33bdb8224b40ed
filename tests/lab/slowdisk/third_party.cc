#include "tests/lab/slowdisk/third_party.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>

namespace limpet::slowdisk {

Control ParseControl(std::string_view text) {
  std::istringstream words{std::string(text)};
  words.imbue(std::locale::classic());
  long depth = 0;
  long kib = 0;
  double speed = 1;
  if (!(words >> depth >> kib >> speed) || depth < 0 || kib < 0 || !std::isfinite(speed) ||
      speed < 0) {
    return {};
  }
  Control control;
  control.speed = speed;
  if (kib > 0) {
    control.depth = std::min(static_cast<std::size_t>(depth), kMaxDepth);
    control.request_bytes = static_cast<std::uint64_t>(kib) * 1024;
  }
  return control;
}

ThirdParty::ThirdParty(std::uint64_t disk_size)
    : begin_(disk_size - disk_size / 8), lane_bytes_(disk_size / 8 / kMaxDepth) {}

std::uint64_t ThirdParty::NextOffset(std::size_t lane, std::uint64_t request_bytes) {
  if (done_.at(lane) + request_bytes > lane_bytes_) {
    done_.at(lane) = 0;
  }
  const std::uint64_t offset = begin_ + lane * lane_bytes_ + done_.at(lane);
  done_.at(lane) += request_bytes;
  return offset;
}

}  // namespace limpet::slowdisk
