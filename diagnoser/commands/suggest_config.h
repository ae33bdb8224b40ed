// suggest_config.h: the `suggest-config` command: asks nodes for their pages and prints a first
// configuration.
//
// Threads: from main.
#pragma once

#include <string>

#include "diagnoser/config/suggestion.h"
#include "diagnoser/sources/fetcher.h"
#include "exporter/common/command_line.h"

namespace limpet {

struct SuggestConfigOptions {
  std::string targets;  // "io01,io02:9100"
  std::string file_sd;  // a list in Prometheus' format

  void Bind(Flags& flags);
};

// Returns what a page shows of its node.
[[nodiscard]] SeenNode ReadSeenNode(const Target& target, const FetchResult& page);

// The exit code: 0 ok, 1 nobody answers, 2 wrong use.
[[nodiscard]] int RunSuggestConfig(const SuggestConfigOptions& options);

}  // namespace limpet
