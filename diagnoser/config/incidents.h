// incidents.h: the keys `cluster`, `incidents`, `sinks` and `actions` of the configuration.
//
//   cluster: scratch
//   incidents: {url: "https://limpet.site", max_age: 400d, max_bytes: 1GiB}
//   sinks:
//     - {name: duty, type: pagerduty, routing_key_file: /etc/limpet/routing-key}
//     - {name: am, type: alertmanager, url: "http://alertmanager:9093", labels: {team: storage}}
//   actions:
//     mode: dry-run
//     causes: [disk-busy]
//     programs: {begin: [/usr/local/bin/out], end: [/usr/local/bin/in]}
//
// Threads: pure, but for the password files it reads through `read_file`.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/config/targets.h"
#include "diagnoser/incidents/settings.h"
#include "exporter/common/yaml.h"

namespace limpet {

// Problems are added to those of `top`.
[[nodiscard]] IncidentSettings ReadIncidents(yaml::MapReader& top, const ReadTextFile& read_file);

}  // namespace limpet
