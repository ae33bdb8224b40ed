#include "diagnoser/config/syscalls.h"

#include <chrono>

namespace limpet {

SyscallSettings ReadSyscalls(yaml::MapReader& top) {
  using namespace std::chrono_literals;
  auto section = top.Map("syscalls");
  SyscallSettings settings;
  settings.enabled = section.Bool("enabled").value_or(true);
  settings.plan.timeout = section.Time("timeout", 1s).value_or(settings.plan.timeout);
  settings.plan.hold = section.Time("hold", 1s).value_or(settings.plan.hold);
  if (const auto k = section.Integer("k", 1, 100)) {
    settings.plan.k = static_cast<std::size_t>(*k);
  }
  settings.events = section.Bool("events");
  section.RefuseUnknown();
  return settings;
}

}  // namespace limpet
