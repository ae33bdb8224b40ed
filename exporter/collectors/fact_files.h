// fact_files.h: one reading of all that may explain a slow server, out of /sys and /proc.
//
// A fact is a row of a table in fact_files.cc: a metric, a pattern of files, a parser. The first
// '*' of a pattern is the device.
// Missing: a file that is not there, or that holds something else, is no sample.
// Cost:    a small file is some 5 µs; about 7 of them a disk, 8 an interface, 1 a core. Of those,
//          5 a disk, 4 an interface and that of each core need not be read each time.
// Threads: as the FileReaders; a hanging file hangs the call, so `place` is told before each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/collectors/device_filter.h"
#include "exporter/common/abandoned.h"
#include "exporter/common/exposition/sample.h"
#include "exporter/common/files.h"
#include "exporter/kernel/mountinfo.h"

namespace limpet {

struct FactSample {
  const MetricInfo* info = nullptr;
  LabelSet::Pairs labels;
  double value = 0;
};

// What need not be read each time: how disks are set up, drivers, the kernel, what a link can do
// at most; and the throttles of single cores, whose package has a count of its own.
struct FactSettings {
  std::vector<FactSample> samples;
  std::vector<std::string> refused;  // as in FactReading
};

// nullopt: the mount point shows another file system here (a private mount of our service), or the
// call failed.
struct FilesystemUse {
  double size = 0;   // bytes
  double avail = 0;  // bytes, for users other than root
  double files = 0;  // inodes
  double files_free = 0;
};
using FilesystemProbe = std::function<std::optional<FilesystemUse>(const Mount& mount)>;
[[nodiscard]] std::optional<FilesystemUse> AskFilesystem(const Mount& mount);

// One thread of each core, by package: found once, since asking every thread costs more than all
// else.
struct FactCore {
  std::string unit;  // its folder below /sys
  std::string package;
  std::string core;
};
using FactCores = std::vector<FactCore>;

// What one reading needs, by value: it may outlive its collector.
struct FactSources {
  std::unique_ptr<FileReader> sys;
  std::unique_ptr<FileReader> proc;
  DeviceFilter disks;
  DeviceFilter interfaces;
  FilesystemProbe filesystem;
  std::set<std::string, std::less<>> skipped;              // units that hang
  std::shared_ptr<const FactCores> cores = nullptr;        // of an earlier reading
  std::shared_ptr<const FactSettings> settings = nullptr;  // the same, to be told again
};
struct FactReading {
  std::vector<FactSample> samples;  // no series twice; not in any order
  std::shared_ptr<const FactCores> cores;
  std::shared_ptr<const FactSettings> settings;  // are in the other two as well
  std::vector<std::string> refused;  // files that we may not read, the first kMaxRefused
};
inline constexpr std::size_t kMaxRefused = 20;
// What a machine may have at most; further ones are left out.
inline constexpr std::size_t kMaxFactSamples = 20'000;

[[nodiscard]] FactReading ReadFacts(const FactSources& sources, WorkPlace& place);

// "6.0 Gbps": bytes a second.
[[nodiscard]] std::optional<double> ParseSataSpeed(std::string_view text);
// "8.0 GT/s PCIe", "16 GT/s": transfers a second.
[[nodiscard]] std::optional<double> ParsePcieSpeed(std::string_view text);
// The last line of /proc/pressure/memory, "full avg10=0.00 … total=1234": seconds.
[[nodiscard]] std::optional<double> ParseFullPressure(std::string_view text);
// "none [mq-deadline] kyber": "mq-deadline"; a single word is itself.
[[nodiscard]] std::string ParseChoice(std::string_view text);

}  // namespace limpet
