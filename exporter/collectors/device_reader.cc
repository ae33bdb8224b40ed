#include "exporter/collectors/device_reader.h"

namespace limpet {

void NotedFiles::Complain(std::string_view path, const Error& error) {
  if (IsUnreadable(error) && unreadable_.size() < kMaxUnreadable) {
    unreadable_.push_back(MakeUnreadable(path, error));
  }
}

Result<std::string_view> NotedFiles::Read(std::string_view path) {
  note_(path);
  auto text = files_.Read(path);
  if (!text) {
    Complain(path, text.error());
  }
  return text;
}

Result<std::string_view> NotedFiles::ReadOnce(std::string_view path) {
  note_(path);
  auto text = files_.ReadOnce(path);
  if (!text) {
    Complain(path, text.error());
  }
  return text;
}

Result<std::vector<std::string>> NotedFiles::List(std::string_view folder) {
  note_(folder);
  auto names = files_.List(folder);
  if (!names) {
    Complain(folder, names.error());
  }
  return names;
}

bool NotedFiles::Exists(std::string_view path) {
  note_(path);
  return files_.Exists(path);
}

}  // namespace limpet
