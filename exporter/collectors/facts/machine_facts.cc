// Facts of the machine as a whole: heat, memory, the kernel.
#include <array>
#include <map>
#include <string>
#include <utility>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/facts/parse.h"
#include "exporter/collectors/facts/places.h"
#include "exporter/collectors/facts/table.h"

namespace limpet {
namespace {

constexpr std::array kMachineNumbers = {
    FactNumber{.info = &catalog::kEdacCorrectable,
               .files = "devices/system/edac/mc/mc*/ce_count",
               .parse = ParseCount,
               .label = "controller"},
    FactNumber{.info = &catalog::kEdacUncorrectable,
               .files = "devices/system/edac/mc/mc*/ue_count",
               .parse = ParseCount,
               .label = "controller"},
    FactNumber{.info = &catalog::kPressureMemory,
               .files = "pressure/memory",
               .parse = ParseFullPressure,
               .root = FactRoot::kProc},
};

constexpr std::array kKernelWords = {FactWord{"release", "osrelease", ParseWord}};
constexpr std::array kMachineWords = {
    FactWords{.info = &catalog::kKernelInfo,
              .folders = "sys/kernel",
              .gate = kKernelWords.front(),
              .words = kKernelWords,
              .pace = FactPace::kSetting,
              .root = FactRoot::kProc},
};

// Asking every thread whose core it is costs more than all other facts: the finder remembers it.
FactCores FindCores(FactFinder& finder) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> found;
  for (auto& match : finder.Find("devices/system/cpu/cpu*/thermal_throttle", FactDevices::kAll)) {
    const auto number = [&](std::string_view file) -> std::string {
      const auto text = finder.Read(FactRoot::kSys, match.unit, match.unit + std::string(file));
      const auto value = text ? ParseCount(*text) : std::nullopt;
      return value ? std::to_string(static_cast<std::uint64_t>(*value)) : "";
    };
    const auto package = number("/topology/physical_package_id");
    const auto core = number("/topology/core_id");
    if (!package.empty() && !core.empty()) {  // another's counts must not become a core's
      found[{package, core}].push_back(match.unit);
    }
  }
  FactCores cores;
  for (auto& [name, threads] : found) {
    cores.push_back({.threads = std::move(threads), .package = name.first, .core = name.second});
  }
  return cores;
}

// Each thread counts by itself what happened to its core or package, and some miss some: that with
// the most is the one to watch.
struct Counter {
  std::string thread;
  double count = 0;

  void Consider(FactFinder& finder, const std::string& other, std::string_view file) {
    const auto text = finder.Read(FactRoot::kSys, other, other + std::string(file));
    if (const auto value = text ? ParseCount(*text) : std::nullopt; value && *value > count) {
      thread = other;
      count = *value;
    } else if (thread.empty()) {
      thread = other;
    }
  }
};

// A core that is too hot shows in its package as well, so the files of the cores, of which there
// may be hundreds, are read with the settings.
void FindThrottles(FactFinder& finder) {
  static constexpr std::string_view kOfCore = "/thermal_throttle/core_throttle_count";
  static constexpr std::string_view kOfPackage = "/thermal_throttle/package_throttle_count";
  static constexpr FactNumber kCores{.info = &catalog::kCoreThrottles,
                                     .files = {},
                                     .parse = ParseCount,
                                     .pace = FactPace::kSetting};
  static constexpr FactNumber kPackages{
      .info = &catalog::kPackageThrottles, .files = {}, .parse = ParseCount};
  std::map<std::string, Counter> packages;
  for (const auto& core : finder.Cores(FindCores)) {
    Counter most;
    for (const auto& thread : core.threads) {
      most.Consider(finder, thread, kOfCore);
      packages[core.package].Consider(finder, thread, kOfPackage);
    }
    finder.Add(kCores, most.thread, most.thread + std::string(kOfCore),
               {{"package", core.package}, {"core", core.core}});
  }
  for (const auto& [package, most] : packages) {
    finder.Add(kPackages, most.thread, most.thread + std::string(kOfPackage),
               {{"package", package}});
  }
}

}  // namespace

const FactSubject kMachineFacts{
    .numbers = kMachineNumbers, .words = kMachineWords, .find = FindThrottles};

}  // namespace limpet
