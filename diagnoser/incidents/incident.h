// incident.h: one fault of one server from its begin to its end, and what people answered to it.
//
// Threads: values; the functions are pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/verdict/events.h"
#include "exporter/common/time.h"

namespace limpet {

// Causes that one fault may be called in turn are of one family: "storage", "network", "behaviour",
// and "server" for those from system calls. Empty for Cause::kNone.
[[nodiscard]] std::string_view IncidentFamily(Cause cause);

// 16 hexadecimal digits, of cluster, node, family and the hour of `since`: diagnosers of the same
// targets make the same of the same fault, though one of them may see it a window later.
[[nodiscard]] std::string IncidentId(std::string_view cluster, std::string_view node,
                                     std::string_view family, UnixTime since);
// True: it can be an id; anything else is not looked for.
[[nodiscard]] bool IsIncidentId(std::string_view text);

struct IncidentRecord {
  std::string id;
  std::string cluster;
  std::string node;
  std::string family;
  std::string cause;              // the latest
  std::string preset;             // whose verdict was the worst
  std::string metric;             // of the evidence that stands for it, by its label; may be empty
  UnixTime since;                 // when it began in the data
  UnixTime named;                 // the first window end with the verdict
  UnixTime last;                  // the last window end with it
  std::optional<UnixTime> ended;  // the first window end without it
  std::string ending;             // why no verdict came any more: "like its peers", "masked", …
  bool indicted = false;          // at least once; otherwise a worse server explained it
  double degree = 0;              // the largest
  std::uint32_t episodes = 1;     // how often it began
  std::string text;               // of the window with that degree
  std::string document;           // limpet.verdict.v1 of that window, as JSON (publish)
  bool operator==(const IncidentRecord&) const = default;
};

enum class AnswerKind : std::uint8_t { kFixed, kFalseAlarm, kKnown, kMaintenance, kScrub };
inline constexpr AnswerKind kAnswerKinds[] = {AnswerKind::kFixed, AnswerKind::kFalseAlarm,
                                              AnswerKind::kKnown, AnswerKind::kMaintenance,
                                              AnswerKind::kScrub};
// "fixed", "false-alarm", "known", "maintenance", "scrub".
[[nodiscard]] std::string_view Name(AnswerKind kind);
[[nodiscard]] std::optional<AnswerKind> ParseAnswerKind(std::string_view text);

struct IncidentAnswer {
  static constexpr std::size_t kMaxNote = 1000;  // bytes
  static constexpr std::size_t kMaxName = 100;

  std::string incident;
  UnixTime at;
  AnswerKind kind = AnswerKind::kFixed;
  std::optional<UnixTime> until;  // absent: as long as the incident lasts
  std::string note;
  std::string by;
  bool operator==(const IncidentAnswer&) const = default;
};

// Its first `bytes`, as Printable has them.
[[nodiscard]] std::string CleanText(std::string_view text, std::size_t bytes);

}  // namespace limpet
