// loader.h: gets programs into the kernel without the exporter having the right to.
//
// A forked process keeps CAP_BPF and CAP_PERFMON alone, loads and attaches the programs, hands
// their descriptors over and ends. Nothing is pinned: when the exporter ends, whichever way, the
// kernel detaches and frees them. After Close neither this process nor any it starts can load more.
//
// Errors:  kPermission (capabilities, lockdown), kNotFound (the kernel has no BTF), kUnavailable
//          (the build has no programs), kInternal (the kernel lacks something, or refused): the
//          message names what is missing.
// Threads: Load before other threads are started, since it forks; afterwards, closed, from any.
#pragma once

#include <mutex>
#include <string_view>
#include <vector>

#include "exporter/bpf/object_loading.h"
#include "exporter/bpf/programs.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"

namespace limpet::bpf {

class Loader {
 public:
  explicit Loader(LogSink log) : log_(std::move(log)) {}

  // A request of a kind that was made before returns what came of it then, with a warning if its
  // settings were others: a reload goes on with the programs that run.
  [[nodiscard]] Result<ProgramsPtr> Load(const Request& request);

  // Gives up the right to load.
  void Close();

  // The outcome of each request.
  struct Loaded {
    Request request;
    Result<ProgramsPtr> result;
  };
  [[nodiscard]] std::vector<Loaded> All() const;

 private:
  LogSink log_;
  mutable std::mutex mutex_;
  std::vector<Loaded> loaded_;
  bool closed_ = false;
};

// Returns what limpet_bpf_available says is missing: "build", "permission", "btf" or "kernel".
[[nodiscard]] std::string_view MissingPart(ErrorCode code);

}  // namespace limpet::bpf
