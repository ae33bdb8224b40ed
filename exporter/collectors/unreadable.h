// unreadable.h: the files that a collector cannot read, on the page and once each in the log.
//
// The page has them as facts_unreadable, whichever collector they are of (sampler/pass.h).
// Bound:   the first kMaxUnreadable of a collector.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/exposition/sample.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"

namespace limpet {

inline constexpr std::size_t kMaxUnreadable = 20;

struct UnreadableFile {
  enum class Reason {
    kHangs,       // a read does not return
    kError,       // a read fails: `problem`
    kLarge,       // more than is read
    kPermission,  // not for us
    kWaits,       // not read, because as many reads hang as may; `path` is the device's name
  };
  std::string path;  // below /proc or /sys
  Reason reason = Reason::kError;
  std::string problem = {};
};

// A file whose read failed with an error that IsUnreadable.
[[nodiscard]] UnreadableFile MakeUnreadable(std::string_view path, const Error& error);

class UnreadableFiles {
 public:
  UnreadableFiles(std::string_view collector, LogSink log)
      : collector_(collector), log_(std::move(log)) {}

  // Replaces those before; the log is told of those that are new.
  void Set(const std::vector<UnreadableFile>& files);
  void AddTo(Families& families) const;

 private:
  std::string collector_;
  LogSink log_;
  std::map<std::string, UnreadableFile::Reason> files_;  // by path as printed
};

}  // namespace limpet
