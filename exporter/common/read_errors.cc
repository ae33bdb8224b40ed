#include "exporter/common/read_errors.h"

#include <set>
#include <string>
#include <utility>

#include "exporter/common/utf8.h"

namespace limpet {
namespace {

class LoggedFiles final : public FileReader {
 public:
  LoggedFiles(std::unique_ptr<FileReader> files, LogSink log)
      : files_(std::move(files)), log_(std::move(log)) {}

  Result<std::string_view> Read(std::string_view path) override {
    return Noted(path, files_->Read(path));
  }
  Result<std::string_view> ReadOnce(std::string_view path) override {
    return Noted(path, files_->ReadOnce(path));
  }
  Result<std::vector<std::string>> List(std::string_view folder) override {
    return Noted(folder, files_->List(folder));
  }
  bool Exists(std::string_view path) override { return files_->Exists(path); }

 private:
  template <class T>
  Result<T> Noted(std::string_view path, Result<T> result) {
    if (!result) {
      Note(path, result.error());
    } else if (!failing_.empty()) {
      if (const auto found = failing_.find(path); found != failing_.end()) {
        failing_.erase(found);
      }
    }
    return result;
  }

  void Note(std::string_view path, const Error& error) {
    if ((error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kTooLarge) &&
        failing_.size() < kMaxFailing && failing_.emplace(path).second) {
      log_(LogLevel::kWarning, Printable(error.Text()) + "; what it holds is left out");
    }
  }

  std::unique_ptr<FileReader> files_;
  LogSink log_;
  std::set<std::string, std::less<>> failing_;
};

}  // namespace

std::unique_ptr<FileReader> LogReadErrors(std::unique_ptr<FileReader> files, LogSink log) {
  if (!log) {
    return files;
  }
  return std::make_unique<LoggedFiles>(std::move(files), std::move(log));
}

}  // namespace limpet
