// store_replay.h: the past of a store through the pipeline, as fast as it answers.
//
// Threads: from main; it has a fetcher of its own while it runs.
#pragma once

#include "diagnoser/runtime/replay.h"
#include "diagnoser/sources/store.h"
#include "diagnoser/sources/store_reader.h"

namespace limpet {

struct StoreSpan {
  StoreSettings settings;
  StoreWants wants;
  UnixTime begin;
  UnixTime end;  // after it
};

// Does as Replay (replay.h), with the steps from `begin` to `end`. An error when the store cannot
// be read, asked again a few times; nothing is left out silently.
[[nodiscard]] Result<ReplayReport> ReplayStore(PipelineConfig config, StoreSpan span,
                                               const std::function<void(const Event&)>& sink,
                                               const LogSink& log,
                                               const ReplayProgress& progress = nullptr);

// "2026-01-31T10:00:00Z" or Unix seconds; nullopt for anything else.
[[nodiscard]] std::optional<UnixTime> ParseInstant(const std::string& text);

}  // namespace limpet
