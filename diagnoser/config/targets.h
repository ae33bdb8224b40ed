// targets.h: the sections `scrape` and `targets` of the configuration.
//
//   scrape: {interval: 1s, timeout: 900ms}      # defaults for every target
//   targets:
//     - addresses: [io01, io02, "[fd00::3]:9836"]
//       role: server
//     - address: client01:9836
//       node: client01
//       role: client
//
// Threads: pure, but for the password files it reads through `read_file`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diagnoser/sources/target.h"
#include "exporter/common/result.h"
#include "exporter/common/yaml.h"

namespace limpet {

using ReadTextFile = std::function<Result<std::string>(const std::string& path)>;

inline constexpr std::size_t kMaxTargets = 100'000;

// Problems are added to those of `top`.
[[nodiscard]] std::vector<Target> ReadTargets(yaml::MapReader& top, const ReadTextFile& read_file);

}  // namespace limpet
