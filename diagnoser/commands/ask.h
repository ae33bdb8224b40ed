// ask.h: one request to a server, and one page of each target, over the fetcher that also scrapes:
// the same TLS, limits and errors.
//
// Threads: from main; the fetcher's thread has ended when a function returns.
#pragma once

#include <span>
#include <vector>

#include "diagnoser/config/review.h"
#include "diagnoser/sources/fetcher.h"

namespace limpet {

[[nodiscard]] FetchResult Ask(const Endpoint& endpoint, Duration patience);
// A POST of JSON.
[[nodiscard]] FetchResult Tell(const Endpoint& endpoint, const std::string& body,
                               Duration patience);

// Each target once, a few hundred at a time; in their order.
[[nodiscard]] std::vector<FetchResult> AskAll(std::span<const Target> targets,
                                              Duration patience = std::chrono::seconds(10));

// Returns what the pages hold for these groups and metrics. A page that cannot be read
// is an error of its node.
[[nodiscard]] Answers ReadAnswers(const std::vector<PeerGroupRule>& groups,
                                  std::span<const CustomMetric> custom,
                                  std::span<const Target> targets,
                                  std::span<const FetchResult> results);

}  // namespace limpet
