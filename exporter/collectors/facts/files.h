// files.h: how one reading of the facts touches files: it says what it is about to touch, leaves
// out what hangs, and notes what it may not read.
//
// Threads: one; a hanging file hangs the call.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/collectors/device_filter.h"
#include "exporter/collectors/facts/filesystem.h"
#include "exporter/collectors/facts/table.h"
#include "exporter/common/abandoned.h"
#include "exporter/common/files.h"
#include "exporter/io/flow_control_socket.h"

namespace limpet {

struct FactPlan;  // places.h

// The most that a machine may have; further ones are left out.
inline constexpr std::size_t kMaxFactSamples = 20'000;
inline constexpr std::size_t kMaxUnread = 20;

// A file that is there and could not be read.
struct UnreadFile {
  std::string path;
  std::string_view reason;  // "permission", "error" (of the device behind it), "large"

  friend bool operator==(const UnreadFile&, const UnreadFile&) = default;
};

// The inputs of one reading, by value: it may outlive its collector.
struct FactSources {
  std::unique_ptr<FileReader> sys;
  std::unique_ptr<FileReader> proc;
  DeviceFilter disks;
  DeviceFilter interfaces;
  FilesystemProbe filesystem;
  std::set<std::string, std::less<>> skipped;  // units that hang
  // Kept from an earlier reading: null, or what need not be found and read again.
  std::shared_ptr<const FactPlan> plan = nullptr;
  bool renew = false;  // the plan: only what never changes is taken over from it
  std::shared_ptr<const MountedDisks> mounted = nullptr;
  FlowControlProbe flow_control = nullptr;  // null: not asked
};

class FactFiles {
 public:
  FactFiles(const FactSources& sources, WorkPlace& place) : sources_(sources), place_(place) {}

  // Called before anything of `unit` is touched; false: it hangs, so leave it alone.
  [[nodiscard]] bool Enter(std::string_view unit, std::string_view path);
  // Valid until the next Read of that root.
  [[nodiscard]] std::optional<std::string_view> Read(FactRoot root, std::string_view unit,
                                                     std::string_view path);
  // Returns whether there was no such file at the last Read.
  [[nodiscard]] bool IsAbsent() const { return is_absent_; }
  // Sorted; empty where there is no such folder.
  [[nodiscard]] std::vector<std::string> List(std::string_view unit, std::string_view folder);
  // Below /sys; of what never hangs.
  [[nodiscard]] bool Exists(std::string_view path) const { return sources_.sys->Exists(path); }

  [[nodiscard]] const FactSources& Sources() const { return sources_; }
  // The first kMaxUnread of them.
  [[nodiscard]] std::vector<UnreadFile>& Unread() { return unread_; }
  void AddUnread(std::string_view path, std::string_view reason);

 private:
  const FactSources& sources_;
  WorkPlace& place_;
  std::vector<UnreadFile> unread_;
  bool is_absent_ = false;
};

}  // namespace limpet
