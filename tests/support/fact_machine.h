// fact_machine.h: one reading of the facts of a machine whose files a test writes.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "exporter/collectors/facts/reading.h"
#include "tests/support/map_files.h"

namespace limpet::testing {

struct FactMachine {
  std::shared_ptr<FileTree> sys = std::make_shared<FileTree>();
  std::shared_ptr<FileTree> proc = std::make_shared<FileTree>();
  FilesystemProbe filesystem = [](const Mount& mount) {
    return Error{ErrorCode::kNotFound, "nothing", mount.mountpoint};
  };
  std::set<std::string, std::less<>> skipped = {};
  FlowControlProbe flow_control = nullptr;

  std::string& Sys(const std::string& path) const { return sys->files[path]; }
  std::string& Proc(const std::string& path) const { return proc->files[path]; }

  // `before`: the reading that this one goes on from.
  [[nodiscard]] FactReading Read(const FactReading& before = {}) const {
    WorkPlace place;
    return ReadFacts({.sys = std::make_unique<MapFiles>(sys),
                      .proc = std::make_unique<MapFiles>(proc),
                      .disks = DeviceFilter::Make({}, kDefaultDiskExclude).value(),
                      .interfaces = DeviceFilter::Make({}, kDefaultNetExclude).value(),
                      .filesystem = filesystem,
                      .skipped = skipped,
                      .plan = before.plan,
                      .mounted = before.mounted,
                      .flow_control = flow_control},
                     place);
  }
  // The value of the series `name{labels}`.
  [[nodiscard]] static std::optional<double> Value(const FactReading& reading,
                                                   const std::string& series) {
    for (const auto& sample : reading.samples) {
      auto name = std::string(sample.info->name);
      if (sample.labels) {
        name += "{" + sample.labels->Rendered() + "}";
      }
      if (name == series) {
        return sample.value;
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<double> Value(const std::string& series) const {
    return Value(Read(), series);
  }
};

}  // namespace limpet::testing
