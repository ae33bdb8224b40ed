// mask_file.h: the file of masked components, read again when it has changed.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "exporter/common/result.h"

namespace limpet {

class MaskFile {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 20U;

  // `path` may be empty: nothing ever changes.
  explicit MaskFile(std::string path) : path_(std::move(path)) {}

  // Returns what is in the file now, or why it cannot be used, when it has changed since the last
  // call (the first one included); else nullopt. Costs one stat.
  [[nodiscard]] std::optional<Result<std::vector<std::string>>> Changed();

 private:
  // Inode, size, time of change; none: not there.
  using Look = std::optional<std::tuple<std::uint64_t, std::int64_t, std::int64_t, std::int64_t>>;

  std::string path_;
  bool looked_ = false;
  Look last_;
};

}  // namespace limpet
