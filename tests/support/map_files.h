// map_files.h: a FileReader over a map of path → text, so that a test shows its whole /proc.
#pragma once

#include <algorithm>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/files.h"

namespace limpet::testing {

// Shared between the test and the readers it hands out, so that a test can change files between
// ticks; with the mutex held when a reader of before may still be about to hang.
struct FileTree {
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> files;
  std::map<std::string, std::string, std::less<>> links;
  std::map<std::string, ErrorCode, std::less<>> errors;  // of files that cannot be read
  std::set<std::string, std::less<>> hangs;              // files whose reads wait for Release

  void Release() {
    if (!std::exchange(is_released, true)) {
      gate.set_value();
    }
  }
  bool is_released = false;
  std::promise<void> gate;
  std::shared_future<void> open = gate.get_future().share();
};

class MapFiles final : public FileReader {
 public:
  explicit MapFiles(std::shared_ptr<FileTree> tree) : tree_(std::move(tree)) {}

  Result<std::string_view> Read(std::string_view path) override {
    std::unique_lock lock(tree_->mutex);
    if (const auto error = tree_->errors.find(path); error != tree_->errors.end()) {
      return Error{error->second, "Input/output error", std::string(path)};
    }
    const auto found = tree_->files.find(path);
    if (found == tree_->files.end()) {
      return Error{ErrorCode::kNotFound, "No such file or directory", std::string(path)};
    }
    last_ = found->second;
    if (tree_->hangs.contains(path)) {
      lock.unlock();
      tree_->open.wait();
    }
    return std::string_view(last_);
  }

  Result<std::string_view> ReadOnce(std::string_view path) override { return Read(path); }

  Result<std::vector<std::string>> List(std::string_view folder) override {
    const std::scoped_lock lock(tree_->mutex);
    const auto prefix = folder.empty() ? "" : std::string(folder) + "/";
    std::set<std::string> names;
    for (const auto* paths : {&tree_->files, &tree_->links}) {
      for (auto one = paths->lower_bound(prefix);
           one != paths->end() && one->first.starts_with(prefix); ++one) {
        const auto& path = one->first;
        names.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
      }
    }
    if (names.empty()) {
      return Error{ErrorCode::kNotFound, "No such file or directory", std::string(folder)};
    }
    return std::vector<std::string>(names.begin(), names.end());
  }

  bool Exists(std::string_view path) override {
    {
      const std::scoped_lock lock(tree_->mutex);
      if (tree_->files.contains(path) || tree_->links.contains(path)) {
        return true;
      }
    }
    return List(path).has_value();
  }

 private:
  std::shared_ptr<FileTree> tree_;
  std::string last_;
};

}  // namespace limpet::testing
