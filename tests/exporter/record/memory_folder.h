// memory_folder.h: recordings in memory, on a disk that can be full or lose its power.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/record/recording_file.h"

namespace limpet::testing {

struct MemoryDisk {
  std::map<std::string, std::string> files;
  bool full = false;
  // Before an append: called with the file's content, which it may change. What it throws goes
  // through the recorder: the power is gone.
  std::function<void(std::string& content, std::string_view bytes)> before_append;
};

class MemoryFolder final : public RecordingFolder {
 public:
  explicit MemoryFolder(std::shared_ptr<MemoryDisk> disk) : disk_(std::move(disk)) {}

  Result<void> Prepare() override { return disk_->full ? Full("folder") : Result<void>(); }

  Result<std::vector<StoredRecording>> List() override {
    std::vector<StoredRecording> stored;
    for (const auto& [name, bytes] : disk_->files) {
      stored.push_back({name, bytes.size()});
    }
    return stored;
  }

  Result<void> Remove(const std::string& name) override {
    disk_->files.erase(name);
    return {};
  }

  Result<std::unique_ptr<RecordingFile>> Create(const std::string& name) override {
    if (disk_->full) {
      return Full(name);
    }
    if (!disk_->files.try_emplace(name).second) {
      return std::unique_ptr<RecordingFile>();
    }
    return std::unique_ptr<RecordingFile>(std::make_unique<File>(disk_, name));
  }

 private:
  static Error Full(const std::string& name) {
    return {ErrorCode::kUnavailable, "No space left on device", name};
  }

  class File final : public RecordingFile {
   public:
    File(std::shared_ptr<MemoryDisk> disk, std::string name)
        : disk_(std::move(disk)), name_(std::move(name)) {}
    Result<void> Append(std::string_view bytes) override {
      if (disk_->full) {
        return Full(name_);
      }
      if (!disk_->files.contains(name_)) {
        return Error{ErrorCode::kNotFound, "deleted", name_};
      }
      if (disk_->before_append) {
        disk_->before_append(disk_->files[name_], bytes);
      }
      disk_->files[name_] += bytes;
      return {};
    }
    bool IsThere() const override { return disk_->files.contains(name_); }
    const std::string& Path() const override { return name_; }

   private:
    std::shared_ptr<MemoryDisk> disk_;
    std::string name_;
  };

  std::shared_ptr<MemoryDisk> disk_;
};

}  // namespace limpet::testing
