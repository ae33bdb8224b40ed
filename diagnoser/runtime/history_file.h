// history_file.h: the history in the state folder, whatever state the disk is in.
//
// A file that cannot be used is set aside as history.db.refused and a new one begins. While the
// disk is full, read-only or gone, incidents are kept in memory; what was kept so is written once
// the disk is back. Everything of it is told in the log, once for each change.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "diagnoser/incidents/settings.h"
#include "diagnoser/incidents/store.h"
#include "exporter/common/log.h"
#include "exporter/common/time.h"

namespace limpet {

class HistoryFile {
 public:
  // A disk that failed is tried again so often.
  static constexpr Duration kRetry = std::chrono::seconds(60);

  // `folder` empty: in memory alone.
  HistoryFile(std::string folder, IncidentSettings settings, LogSink log);

  [[nodiscard]] IncidentStore& Store() { return *store_; }
  [[nodiscard]] bool IsOnDisk() const { return on_disk_; }
  [[nodiscard]] std::string Path() const;
  void SetSettings(IncidentSettings settings) { settings_ = std::move(settings); }

  // The store has failed: from now on Store() is another one, which knows those that are open.
  void Replace(const Error& error, const std::map<std::string, IncidentRecord>& open,
               SteadyTime now);
  // Goes back to the disk when it is time and it works; true when it did.
  bool Retry(SteadyTime now);

 private:
  // nullopt: the disk does not work; what is no history of ours has been set aside.
  [[nodiscard]] std::optional<IncidentStore> OpenFile();
  [[nodiscard]] Result<IncidentStore> TryFile() const;
  void SetAside(const std::string& why) const;
  void UseMemory();
  [[nodiscard]] Result<void> CopyTo(IncidentStore& target) const;

  std::string folder_;
  IncidentSettings settings_;
  LogSink log_;
  std::optional<IncidentStore> store_;
  bool on_disk_ = false;
  SteadyTime retry_at_;
  std::string told_;  // the latest problem of the disk that was logged
};

}  // namespace limpet
