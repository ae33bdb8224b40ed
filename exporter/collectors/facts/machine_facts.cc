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

constexpr std::array kNumbers = {
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
constexpr std::array kWords = {
    FactWords{.info = &catalog::kKernelInfo,
              .folders = "sys/kernel",
              .gate = kKernelWords.front(),
              .words = kKernelWords,
              .pace = FactPace::kSetting,
              .root = FactRoot::kProc},
};

// All threads of a core count the same, all cores of a package too: one of each is read. Asking
// every thread whose core it is costs more than all other facts: the finder remembers it.
FactCores FindCores(FactFinder& finder) {
  std::map<std::pair<std::string, std::string>, std::string> found;
  for (const auto& match :
       finder.Find("devices/system/cpu/cpu*/thermal_throttle", FactDevices::kAll)) {
    const auto number = [&](std::string_view file) -> std::string {
      const auto text = finder.Read(FactRoot::kSys, match.unit, match.unit + std::string(file));
      const auto value = text ? ParseCount(*text) : std::nullopt;
      return std::to_string(static_cast<std::uint64_t>(value.value_or(0)));
    };
    found.try_emplace({number("/topology/physical_package_id"), number("/topology/core_id")},
                      match.unit);
  }
  FactCores cores;
  for (const auto& [name, unit] : found) {
    cores.push_back({.unit = unit, .package = name.first, .core = name.second});
  }
  return cores;
}

// A core that is too hot shows in its package as well, so the files of the cores, of which there
// may be hundreds, are read with the settings.
void FindThrottles(FactFinder& finder) {
  static constexpr FactNumber kOfCores{.info = &catalog::kCoreThrottles,
                                       .files = {},
                                       .parse = ParseCount,
                                       .pace = FactPace::kSetting};
  static constexpr FactNumber kOfPackages{
      .info = &catalog::kPackageThrottles, .files = {}, .parse = ParseCount};
  const std::string* package = nullptr;
  for (const auto& core : finder.Cores(FindCores)) {
    const auto folder = core.unit + "/thermal_throttle/";
    finder.Add(kOfCores, core.unit, folder + "core_throttle_count",
               {{"package", core.package}, {"core", core.core}});
    // They are in the order of their packages.
    if (package == nullptr || *package != core.package) {
      finder.Add(kOfPackages, core.unit, folder + "package_throttle_count",
                 {{"package", core.package}});
    }
    package = &core.package;
  }
}

}  // namespace

const FactSubject kMachineFacts{.numbers = kNumbers, .words = kWords, .find = FindThrottles};

}  // namespace limpet
