// causes.h: the root causes, one row each, and all that is said of a cause.
//
// Whatever lists causes reads these rows, or is written from them by the target refresh_causes: the
// live page's table, the texts of alerts, the tables of docs/playbooks.md. docs/recipes/cause.md
// lists the files of a new one.
// Threads: constants; rows and their texts live as long as the program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "diagnoser/detect/direction.h"
#include "diagnoser/metrics/metric.h"

namespace limpet {

// The number stands in state files: it is never changed, and never given to another cause.
enum class Cause : std::uint8_t {
  kNone = 0,  // no verdict
  kDiskHog = 1,
  kDiskBusy = 2,
  kNetworkHog = 3,
  kPacketLoss = 4,
  kBehaviour = 5,
  kServerCrash = 6,
  kServerHang = 7,
  kPropagatedError = 8,
  kSlowSyscalls = 9,
  kSlowRequests = 10,
  kSlowNetwork = 11,
};
// The cause of a metric of the configuration whose row names none.
inline constexpr Cause kCauseOfMetrics = Cause::kSlowRequests;

// The colour of its letter, on the live page and in reports.
enum class CauseFamily : std::uint8_t { kStorage, kNetwork, kBehaviour };
[[nodiscard]] const char* Name(CauseFamily family);

// The source that finds it. A page has no series for causes that nothing looks for.
enum class CauseSource : std::uint8_t {
  kChecklist,
  kProfiles,    // only with a model of behaviour [Pan08]
  kSyscalls,    // only where system calls are recorded [Kasick09]
  kMetrics,     // only with metrics of the configuration
  kRoundTrips,  // the checklist, only in presets with round_trips
};

// The condition under which no other server's fault can bring it about, so that the verdict is
// never secondary.
enum class LocalWhen : std::uint8_t {
  kNever,
  kAlways,
  kBalanced,       // the server's byte balance is known
  kDeviceTime,     // await is flagged only where the device itself is slow
  kSegmentsKnown,  // it is known which of the server's segments are sent again
};

// The facts of the machine that may explain it. Those of the whole node may explain any.
enum class CauseFacts : std::uint8_t {
  kDisks,
  kInterfaces,
  kBoth,
};

enum class CauseAlert : std::uint8_t {
  kIndicted,  // LimpetServerIndicted, LimpetDriveIndicted: slower than its peers
  kBroken,    // LimpetServerBroken: it fails its clients, whatever its peers do
};

struct CauseRow {
  Cause cause = Cause::kNone;
  const char* name = "";  // in events, metrics, the API
  char letter = '?';      // its sign beside the colour; differs from every other's
  CauseFamily family = CauseFamily::kBehaviour;
  CauseSource source = CauseSource::kChecklist;
  LocalWhen local = LocalWhen::kNever;
  CauseFacts facts = CauseFacts::kBoth;
  CauseAlert alert = CauseAlert::kIndicted;
  bool stops_clients = false;  // the slow servers around it may only be waiting for it
  // The next four are Markdown. A clause about the server: "its disks answer slowly".
  std::string_view meaning = {};
  std::string_view differs = {};  // what the evidence shows
  std::string_view look = {};     // commands to run on the server: "`top`, `perf top`"
  std::string_view reasons = {};  // usual ones: "a backup, a scrub"
  // The first step; a sentence with {node} and, where it is about one disk, {disk}.
  std::string_view next_step = {};
  // The question of causes off the checklist; the others' questions are in CauseSteps().
  std::string_view question = {};
};

// Returns rows in the order in which pages and tables list them.
[[nodiscard]] std::span<const CauseRow> CauseRows();

// The row of kNone has the name "none" and no texts.
[[nodiscard]] const CauseRow& RowOf(Cause cause);
// nullptr: no cause has that name.
[[nodiscard]] const CauseRow* FindCauseByName(std::string_view name);
// nullptr: no cause has that number in state files; kNone has no row here.
[[nodiscard]] const CauseRow* FindCause(std::uint64_t number);
[[nodiscard]] inline const char* Name(Cause cause) { return RowOf(cause).name; }

// A step of the checklist: which flags say yes to its question.
struct CauseStep {
  Cause cause = Cause::kNone;
  std::string_view question = {};
  Symptom symptoms[2] = {};                // either
  Direction direction = Direction::kNone;  // kNone: any
  bool both = false;                       // both symptoms, not either
};

// Returns steps in the order of the checklist [Kasick10 §10.2]. `by_balance`: where the bytes of
// disks and network are weighed against each other (root_cause.h).
[[nodiscard]] std::span<const CauseStep> CauseSteps(bool by_balance);

// `text` with {node} and {disk} filled in.
[[nodiscard]] std::string FillIn(std::string_view text, std::string_view node,
                                 std::string_view disk);

}  // namespace limpet
