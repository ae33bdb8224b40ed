// file_lists.h: target lists in files (file_sd), read again when they change.
//
// Patterns as in a shell ("/etc/limpet/targets/*.json"); .json is JSON, .yml and .yaml are YAML.
// A file that cannot be used keeps the targets it gave before; one that is gone takes its targets
// with it. Looking costs one glob a pattern and one stat a file.
// Bounded: kMaxFiles; lists as target_groups.h says.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "diagnoser/sources/listed_targets.h"

namespace limpet {

class FileLists {
 public:
  static constexpr std::size_t kMaxFiles = 1000;

  FileLists(std::vector<std::string> patterns, TargetTemplate base)
      : patterns_(std::move(patterns)), base_(std::move(base)) {}

  // True when a file has changed, come or gone since the last call, the first one included.
  bool Refresh();
  // Targets of all files, by the files' names, and what is wrong with which.
  [[nodiscard]] TargetList List() const;
  // Files that could not be used at all at the last Refresh.
  [[nodiscard]] std::size_t Failing() const;

 private:
  // Inode, size, time of change.
  using Stamp = std::tuple<std::uint64_t, std::int64_t, std::int64_t, std::int64_t>;
  struct File {
    std::optional<Stamp> stamp;
    TargetList list;
    std::string error;  // why it could not be used; `list` is what it gave before
  };

  void Read(const std::string& path, File& file) const;

  std::vector<std::string> patterns_;
  TargetTemplate base_;
  std::map<std::string, File> files_;
  std::vector<std::string> problems_;  // of the patterns
  bool read_before_ = false;
};

// Returns what a name's ending says; nullopt for others.
[[nodiscard]] std::optional<ListFormat> FindListFormat(std::string_view path);

}  // namespace limpet
