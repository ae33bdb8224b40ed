// judgements.h: what is said of each server, judged or not, as plain values; judge_servers.h
// decides.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

enum class Standing : std::uint8_t { kNotJudged, kLikePeers, kLimps };
// "not-judged", "like-peers", "limps".
[[nodiscard]] constexpr std::string_view Name(Standing standing) {
  constexpr std::string_view kNames[] = {"not-judged", "like-peers", "limps"};
  return kNames[static_cast<std::size_t>(standing)];
}

// Why a server is not judged.
enum class NotJudged : std::uint8_t {
  kJudged,      // it is
  kNoAnswer,    // its target gives no page
  kNoReadings,  // nothing has come yet
  kMasked,      // maintenance
  kNoGroup,     // no peer group takes anything of it
  kTooFew,      // of its group fewer than three servers can be compared
  kTwoKinds,    // its group is in two
  kTooEarly,    // too few windows so far
  kStep,        // its readings are too far apart for the preset
  kNoWindow,    // no window has compared it of late
};
// "no-answer", …; the reason label of limpet_node_not_judged.
[[nodiscard]] constexpr std::string_view Name(NotJudged reason) {
  constexpr std::string_view kNames[] = {
      "judged",        "no-answer", "no-readings", "masked", "no-peer-group",
      "too-few-peers", "two-kinds", "too-early",   "step",   "no-window"};
  return kNames[static_cast<std::size_t>(reason)];
}

struct ServerJudgement {
  std::string node;
  Standing standing = Standing::kNotJudged;
  NotJudged reason = NotJudged::kJudged;
  std::string text;  // "like its peers", "not judged: first verdict possible at …"
  std::optional<UnixTime> compared;  // end of the latest window that compared it
  std::optional<UnixTime> possible;  // kTooEarly: first window end at which it may have a verdict
};

// The judgements of all servers, and in one sentence.
struct Judgements {
  std::vector<ServerJudgement> servers;  // by name
  std::size_t limping = 0;
  std::size_t like_peers = 0;
  std::size_t not_judged = 0;        // without those that no peer group takes anything of
  std::size_t outside = 0;           // these
  std::optional<UnixTime> possible;  // nobody is judged yet: when the first verdict may come
  std::string text;                  // "5 of 6 servers are judged; 1 is not: masked (io03)"

  // nullptr: no server is called so.
  [[nodiscard]] const ServerJudgement* Find(std::string_view node) const;
};

}  // namespace limpet
