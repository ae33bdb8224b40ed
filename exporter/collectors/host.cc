#include "exporter/collectors/host.h"

#include <unistd.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exporter/collectors/catalog/host.h"
#include "exporter/kernel/loadavg.h"

namespace limpet {
namespace {

constexpr std::string_view kStat = "stat";

struct KeyRow {
  std::string_view key;
  const MetricInfo* info;
  double scale;
};
constexpr std::array kVmstat = {
    KeyRow{"pgpgin", &catalog::kVmstatPgpgin, 1},
    KeyRow{"pgpgout", &catalog::kVmstatPgpgout, 1},
    KeyRow{"pswpin", &catalog::kVmstatPswpin, 1},
    KeyRow{"pswpout", &catalog::kVmstatPswpout, 1},
    KeyRow{"pgfault", &catalog::kVmstatPgfault, 1},
    KeyRow{"pgmajfault", &catalog::kVmstatPgmajfault, 1},
    KeyRow{"oom_kill", &catalog::kVmstatOomKill, 1},
};
constexpr std::array kMeminfo = {
    // "MemTotal:  24684092 kB"
    KeyRow{"MemTotal:", &catalog::kMemoryTotal, 1024},
    KeyRow{"MemAvailable:", &catalog::kMemoryAvailable, 1024},
};

// What KeyedLines is to look for, in the order of the rows.
template <class Rows>
std::vector<std::string> Keys(const Rows& rows) {
  std::vector<std::string> keys;
  keys.reserve(rows.size());
  for (const auto& row : rows) {
    keys.emplace_back(row.key);
  }
  return keys;
}

void Add(Families& families, const MetricInfo& info, double value) {
  families.push_back({&info, {{nullptr, value}}});
}

void Add(Families& families, const MetricInfo& info, std::optional<std::uint64_t> value) {
  if (value) {
    Add(families, info, static_cast<double>(*value));
  }
}

template <class Rows>
void Add(Families& families, const Rows& rows, const KeyedLines::Values& values) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (values[i]) {
      Add(families, *rows[i].info, static_cast<double>(*values[i]) * rows[i].scale);
    }
  }
}

}  // namespace

constinit const CollectorModule kHostCollector{
    .name = "host",
    .title = "Host",
    .metrics = catalog::kHost,
    .configure = [](yaml::MapReader& /*settings*/) -> CollectorFactory {
      return [](const CollectorInputs& in) -> Result<std::unique_ptr<Collector>> {
        return std::unique_ptr<Collector>(std::make_unique<HostCollector>(
            in.Proc(), static_cast<double>(::sysconf(_SC_CLK_TCK))));
      };
    }};

HostCollector::HostCollector(std::unique_ptr<FileReader> proc, double ticks_per_second)
    : proc_(std::move(proc)),
      ticks_per_second_(ticks_per_second),
      vmstat_(Keys(kVmstat)),
      meminfo_(Keys(kMeminfo)) {
  for (std::size_t i = 0; i < kCpuModes.size(); ++i) {
    modes_[i] = MakeLabels({{"mode", std::string(kCpuModes[i])}});
  }
}

void HostCollector::Inherit(Collector& before) {
  if (const auto* host = dynamic_cast<HostCollector*>(&before)) {
    cpu_ticks_ = host->cpu_ticks_;
  }
}

void HostCollector::AddStat(std::string_view text, Families& families) {
  const auto stat = ParseProcStat(text);
  // Of all processors together: a file system's server is judged as a whole.
  Family cpu{&catalog::kCpuSeconds, {}};
  cpu.samples.reserve(kCpuModes.size());
  for (std::size_t i = 0; i < kCpuModes.size(); ++i) {
    if (const auto ticks = stat.cpu_ticks[i]) {
      const auto shown = static_cast<double>(cpu_ticks_[i].Update(*ticks));
      cpu.samples.push_back({modes_[i], shown / ticks_per_second_});
    }
  }
  if (cpu.samples.empty()) {
    incomplete_ = Error{ErrorCode::kInvalid, "expected a line \"cpu\" with numbers", "stat"};
  } else {
    families.push_back(std::move(cpu));
  }
  Add(families, catalog::kContextSwitches, stat.context_switches);
  Add(families, catalog::kInterrupts, stat.interrupts);
  Add(families, catalog::kForks, stat.forks);
  Add(families, catalog::kBootTime, stat.boot_time);
  Add(families, catalog::kProcsRunning, stat.running);
  Add(families, catalog::kProcsBlocked, stat.blocked);
}

Result<Families> HostCollector::Collect(const Tick& /*tick*/) {
  Families families;
  families.reserve(catalog::kHost.size());
  incomplete_.reset();
  std::optional<Error> first_error;
  // The text is valid until the next Read, so each file is used up before the next one.
  const auto read = [&](std::string_view path, const auto& use) {
    const auto text = proc_->Read(path);
    if (text) {
      use(*text);
      return;
    }
    first_error = first_error ? first_error : text.error();
    if (path == kStat || IsUnreadable(text.error())) {
      incomplete_ = incomplete_ ? incomplete_ : text.error();
    }
  };
  read(kStat, [&](std::string_view text) { AddStat(text, families); });
  read("loadavg", [&](std::string_view text) {
    if (const auto load = ParseLoadAverage(text)) {
      Add(families, catalog::kProcessesThreads, static_cast<double>(load->threads));
      Add(families, catalog::kLoad1, load->load1);
      Add(families, catalog::kLoad5, load->load5);
      Add(families, catalog::kLoad15, load->load15);
    }
  });
  read("vmstat", [&](std::string_view text) { Add(families, kVmstat, vmstat_.Parse(text)); });
  read("meminfo", [&](std::string_view text) { Add(families, kMeminfo, meminfo_.Parse(text)); });
  if (families.empty()) {
    return first_error
               ? *first_error
               : Error{ErrorCode::kInvalid,
                       "expected the text of Linux' stat, loadavg, vmstat or meminfo", "/proc"};
  }
  return families;
}

}  // namespace limpet
