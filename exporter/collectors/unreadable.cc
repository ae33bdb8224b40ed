#include "exporter/collectors/unreadable.h"

#include <algorithm>
#include <utility>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

using Reason = UnreadableFile::Reason;

std::string_view Word(Reason reason) {
  switch (reason) {
    case Reason::kHangs:
      return "hangs";
    case Reason::kLarge:
      return "large";
    case Reason::kPermission:
      return "permission";
    case Reason::kWaits:
      return "waits";
    case Reason::kError:
      break;
  }
  return "error";
}

std::string Explain(const UnreadableFile& file) {
  switch (file.reason) {
    case Reason::kHangs:
      return " does not answer; it is skipped until it does, the others go on";
    case Reason::kPermission:
      return ": permission denied; expected a file that everybody may read, what it says is left "
             "out";
    case Reason::kWaits:
      return " is not read, because as many other reads hang as may";
    case Reason::kLarge:
    case Reason::kError:
      break;
  }
  return ": " + Printable(file.problem) + "; what it says is left out until it can be read";
}

}  // namespace

UnreadableFile MakeUnreadable(std::string_view path, const Error& error) {
  auto reason = Reason::kError;
  if (error.code == ErrorCode::kPermission) {
    reason = Reason::kPermission;
  } else if (error.code == ErrorCode::kTooLarge) {
    reason = Reason::kLarge;
  }
  return {.path = std::string(path), .reason = reason, .problem = error.message};
}

void UnreadableFiles::Set(const std::vector<UnreadableFile>& files) {
  std::map<std::string, Reason> now;
  for (const auto& file : files) {
    auto path = Printable(file.path);
    if (now.size() >= kMaxUnreadable || now.contains(path)) {
      continue;
    }
    const auto known = files_.find(path);
    if (known == files_.end() || known->second != file.reason) {
      log_(LogLevel::kWarning, collector_ + ": " + path + Explain(file));
    }
    now.emplace(std::move(path), file.reason);
  }
  files_ = std::move(now);
}

void UnreadableFiles::AddTo(Families& families) const {
  if (files_.empty()) {
    return;
  }
  auto family = std::find_if(families.begin(), families.end(), [](const Family& one) {
    return one.info == &catalog::kFactsUnreadable;
  });
  if (family == families.end()) {
    families.push_back({.info = &catalog::kFactsUnreadable, .samples = {}});
    family = families.end() - 1;
  }
  for (const auto& [path, reason] : files_) {
    family->samples.push_back(
        {MakeLabels({{"file", path}, {"reason", std::string(Word(reason))}}), 1});
  }
}

}  // namespace limpet
