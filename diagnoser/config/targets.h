// targets.h: the sections `scrape` and `targets` of the configuration.
//
//   scrape: {interval: 1s, timeout: 900ms}      # defaults for every target
//   targets:
//     - addresses: [io01, io02, "[fd00::3]:9836"]
//       role: server
//     - address: client01:9836
//       node: client01
//       role: client
//     - file_sd: {files: [/etc/limpet/targets/*.json], refresh_interval: 5s}
//     - http_sd: {url: "http://inventory/limpet", refresh_interval: 1m}
//       role: server
//
// Threads: pure, but for the password files it reads through `read_file`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diagnoser/sources/discovery.h"
#include "diagnoser/sources/target.h"
#include "exporter/common/result.h"
#include "exporter/common/yaml.h"

namespace limpet {

using ReadTextFile = std::function<Result<std::string>(const std::string& path)>;

inline constexpr std::size_t kMaxTargets = 100'000;

struct TargetSections {
  std::vector<Target> targets;      // those with addresses
  std::vector<SdSource> discovery;  // those with lists
};

// Problems are added to those of `top`.
[[nodiscard]] TargetSections ReadTargets(yaml::MapReader& top, const ReadTextFile& read_file);

// Reads how to be let in, and what may come: basic_auth or authorization, headers, tls_config,
// enable_compression, body_size_limit.
void ReadAccess(yaml::MapReader& from, const ReadTextFile& read_file, Endpoint& endpoint);

}  // namespace limpet
