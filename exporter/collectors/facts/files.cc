#include "exporter/collectors/facts/files.h"

namespace limpet {

bool FactFiles::Enter(std::string_view unit, std::string_view path) {
  if (sources_.skipped.contains(unit)) {
    return false;
  }
  place_.Enter(unit, path);
  return true;
}

std::optional<std::string_view> FactFiles::Read(FactRoot root, std::string_view unit,
                                                std::string_view path) {
  is_absent_ = false;
  if (!Enter(unit, path)) {
    return std::nullopt;
  }
  auto& files = root == FactRoot::kSys ? *sources_.sys : *sources_.proc;
  const auto text = files.ReadOnce(path);
  if (text) {
    return *text;
  }
  const auto code = text.error().code;
  is_absent_ = code == ErrorCode::kNotFound;
  if (code == ErrorCode::kPermission) {
    AddUnread(path, "permission");
  } else if (code == ErrorCode::kUnavailable) {
    AddUnread(path, "error");
  } else if (code == ErrorCode::kTooLarge) {
    AddUnread(path, "large");
  }
  return std::nullopt;
}

void FactFiles::AddUnread(std::string_view path, std::string_view reason) {
  if (unread_.size() < kMaxUnread) {
    unread_.push_back({.path = std::string(path), .reason = reason});
  }
}

std::vector<std::string> FactFiles::List(std::string_view unit, std::string_view folder) {
  if (!Enter(unit, folder)) {
    return {};
  }
  auto names = sources_.sys->List(folder);
  return names ? *std::move(names) : std::vector<std::string>();
}

}  // namespace limpet
