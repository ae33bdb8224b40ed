// commands.h: what each command of limpet-exporter does, and what they share.
//
// Threads: one, main's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "exporter/bpf/loader.h"
#include "exporter/common/command_line.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"
#include "exporter/config.h"
#include "exporter/sampler/demand.h"
#include "exporter/sampler/sampler.h"
#include "exporter/settings_flags.h"

namespace limpet {

// The world outside. All of it outlives everything.
struct World {
  const Clock& clock;
  UnixTime started;
  LogSink log;
  std::function<void(std::string_view)> print;  // to standard output
  std::shared_ptr<bpf::Loader> bpf = {};        // null: no eBPF collectors
};

// Says what is wrong with the flags or the file, before the file's log level is known; the exit
// status.
[[nodiscard]] int Refuse(const std::string& text);

// Collectors, ticker and sampler as the settings say, for the caller to start. With a `demand`,
// samples that it does not want are left out. kInvalid: the settings cannot be used.
[[nodiscard]] Result<std::unique_ptr<Sampler>> MakeSampler(const Settings& settings,
                                                           const World& world,
                                                           Sampler::Publish publish,
                                                           Sampler::Extra extra = {},
                                                           std::shared_ptr<Demand> demand = {});

// Prints the second sample: the first one has no interval behind it, so no gauges.
[[nodiscard]] int RunOnce(const Settings& settings, const World& world);

// Runs until SIGTERM. `flags` is what the settings are read from again at SIGHUP.
[[nodiscard]] int RunServe(const SettingsFlags& flags, Settings settings, const World& world);
[[nodiscard]] int RunRecord(const Settings& settings, const World& world);

// Returns whether `serve` could use the file; says why not, or what is missing on this machine.
[[nodiscard]] int RunCheckConfig(const CheckConfigFlags& flags, const Clock& clock,
                                 const std::function<void(std::string_view)>& print);

// The log runs until SIGTERM, or until the processes it was given by number are gone.
struct SyscallsFlags {
  std::string names;
  std::string pids;
  std::string output = "-";
  std::uint64_t ring_megabytes = 16;

  void Bind(Flags& flags);
};
[[nodiscard]] int RunSyscalls(const SyscallsFlags& flags, const World& world);

}  // namespace limpet
