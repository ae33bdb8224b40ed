#include "diagnoser/config/probe.h"

namespace limpet {

ProbeSettings ReadProbe(yaml::MapReader& top) {
  using namespace std::chrono_literals;
  auto section = top.Map("probe");
  ProbeSettings settings;
  settings.enabled = section.Bool("enabled").value_or(settings.enabled);
  settings.interval = section.Time("interval", 1min).value_or(settings.interval);
  section.RefuseUnknown();
  return settings;
}

}  // namespace limpet
