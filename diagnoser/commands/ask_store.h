// ask_store.h: a store (source: prometheus) asked once, as `serve` would read it.
//
// Threads: from main; it has a fetcher of its own while it runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/store.h"
#include "diagnoser/sources/target.h"

namespace limpet {

struct StoreAnswers {
  std::vector<Target> targets;                     // its nodes now
  std::vector<FetchResult> pages;                  // one a target
  std::size_t unnamed = 0;                         // series without a usable node label
  std::string error;                               // why it could not be read; empty: it could
  std::optional<Duration> spacing = std::nullopt;  // of its readings, where that shows

  // Returns whether it was read and has nothing to compare.
  [[nodiscard]] bool IsEmpty() const { return error.empty() && unnamed == 0 && targets.empty(); }
};

// Reads the last few steps. Waits for one query's timeout at most where nobody answers.
[[nodiscard]] StoreAnswers AskStore(StoreSettings settings, const StoreWants& wants);

// Returns what looks like a slip in them, one text each: it names the key, and what to do.
[[nodiscard]] std::vector<std::string> FindStoreSlips(const StoreSettings& settings,
                                                      const StoreAnswers& answers);

}  // namespace limpet
