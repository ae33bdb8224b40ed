// events.h: what the diagnosis says, as plain values; publish/events.h prints them as JSON lines.
//
// Every number is finite: where a formula has nothing to say the value is absent or 0, and a
// degree that would be infinite (a difference over a zero peer median) is kMaxDegree.
// Components are named "node/device" in storage groups and "node" in the others.
// Threads: values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "diagnoser/detect/comparison.h"
#include "diagnoser/detect/direction.h"
#include "diagnoser/metrics/host.h"
#include "diagnoser/verdict/causes.h"
#include "exporter/common/time.h"

namespace limpet {

inline constexpr double kMaxDegree = 1e300;

// One component in one window of one metric.
struct ComponentWindow {
  std::string component;
  std::optional<double> s;        // degree before the threshold; absent when undetermined
  double threshold = 0;           // what s (w1: window_degree) is held against
  double degree = 0;              // filtered: over 1 exactly when flagged
  bool s_is_bound = false;        // s and what follows from it are upper bounds, not anomalous
  bool window_anomalous = false;  // this window alone
  bool of_kind = false;           // it would be, but most servers have such a device
  bool flagged = false;           // at least k of the last 2k-1 window times
  Direction direction = Direction::kNone;
  std::uint32_t accumulator = 0;
  // Only with distance w1 and a determined window:
  std::optional<double> effect;         // e: how much more than its peers, 1 = twice
  std::optional<double> z;              // how unusual, in the peers' own spread
  std::optional<double> window_degree;  // after the gates
  // Shown in texts ("await 2.7x its peers, +64 ms"); absent when undetermined. Not in the JSON
  // lines.
  std::optional<double> mean;         // of the component's samples, in the metric's unit
  std::optional<double> peer_median;  // median of all means
};

struct WindowEvent {
  UnixTime end;
  std::string preset;
  std::string group;
  std::string metric;                 // the papers' names: await, rd_sec, rxbyt, …
  std::optional<std::size_t> domain;  // which one, of a group compared in domains
  std::size_t n = 0;                  // components taking part
  bool undetermined = false;          // n < 3: no degrees, no flags
  bool threshold_trained = false;     // all thresholds of the window come from training
  std::optional<double> lo;           // least and largest sample; absent when undetermined
  std::optional<double> hi;
  std::size_t bins = 0;                     // 0: no histogram was needed
  std::vector<ComponentWindow> components;  // by name; only those taking part
};

// The congestion-window state of one side (cwnd_client or cwnd_server) in one second.
struct CwndComponent {
  std::string component;
  double average = 0;      // 31 s trailing mean, segments
  double log = 0;          // ln(max(1, average))
  bool anomalous = false;  // in this second
};
struct CwndEvent {
  UnixTime end;
  std::string group;
  std::string metric;
  std::size_t n = 0;
  double f = 0.5;  // anomalous iff log < f * median
  bool threshold_trained = false;
  std::optional<double> median;  // absent with fewer than 3 servers
  std::vector<CwndComponent> components;
};

// The origin of a component's threshold.
enum class ThresholdOrigin : std::uint8_t {
  kDefault,  // the preset's: nothing was trained
  kTrained,  // its own training
  kGroup,    // the median of its group's: it was not there in training
};
[[nodiscard]] constexpr const char* Name(ThresholdOrigin origin) {
  constexpr const char* kNames[] = {"default", "trained", "group"};
  return kNames[static_cast<std::size_t>(origin)];
}

// The facts that system calls have shown, beside how long they take.
struct SyscallFact {
  std::string call;   // the server's, or of a hang the client's that does not return: "openat"
  std::string path;   // class of what it was made on: "storage", "network"; empty: a connection
  std::string error;  // "EMFILE"; empty: it does not return
  std::uint64_t count = 0;          // how often
  std::string client;               // node that noticed; empty: the server's own calls say so
  std::string client_call;          // that got the error
  std::string client_error;         // what it was there
  std::optional<double> open;       // seconds that the call has not returned
  std::string last_call;            // the client's last with the server: "sent", "failed", …
  std::optional<UnixTime> last_at;  // and when it was
};

// The reading of a metric of the configuration, for people.
struct StorageReading {
  std::string text;      // of the metric: "time to commit a write"
  std::string unit;      // of the values
  std::string quantile;  // "p99"; empty: the values are means
  double own = 0;
  double peers_low = 0;  // of the peers, the tenth and the ninetieth of a hundred
  double peers_high = 0;
  double requests = 0;  // of a histogram
  std::string disk;     // under the component; empty: not known
};

// One flag of a component, and all that stands behind it.
struct Evidence {
  std::string component;
  std::string group;
  std::string metric;
  std::string scale;        // the time scale that saw it; empty: the preset's own windows
  double degree = 0;        // filtered
  std::optional<double> s;  // of this window; absent for cwnd
  double threshold = 0;
  Direction direction = Direction::kNone;
  std::optional<double> effect;  // as in ComponentWindow
  std::optional<double> mean;    // cwnd: of the window's seconds, segments
  std::optional<double> peer_median;
  std::optional<DeviceTime> device_time;  // of await, where the kernel's clock is known
  ThresholdOrigin threshold_origin = ThresholdOrigin::kDefault;
  // Peers: the others taking part in this window; those so far from it that their distances alone
  // would make it anomalous. Absent for cwnd, and where many are flagged at once.
  std::size_t peers = 0;
  std::optional<std::size_t> far;
  std::vector<std::string> far_peers;  // the first max_named_peers by name
  std::vector<std::string> near_peers;
  std::vector<UnixTime> windows;  // those that make the flag: anomalous, of the last 2k-1 times
  // The instant at which it began to stand out, within the first anomalous window; absent where
  // that is not known.
  std::optional<UnixTime> onset;
  std::uint32_t accumulator = 0;
  std::size_t episodes = 0;  // how often it became flagged in the last day, this time included
  std::optional<SyscallFact> syscall;     // of errors, crashes and hangs
  std::optional<StorageReading> storage;  // of metrics of the configuration
};

// The group that evidence of behaviour profiles names.
inline constexpr const char* kProfilesGroup = "profiles";
// The group that evidence from system calls names; its metrics are service times
// (metrics/catalog.h) and these.
inline constexpr const char* kSyscallsGroup = "syscalls";
inline constexpr const char* kSyscallErrors = "syscall_errors";
inline constexpr const char* kSyscallConnections = "syscall_connections";
inline constexpr const char* kSyscallOpen = "syscall_open";
// The metric of evidence that is about a whole profile, not one host metric.
inline constexpr const char* kProfileMetric = "profile";

enum class LunKind : std::uint8_t { kComponent, kWorkload };
[[nodiscard]] constexpr const char* Name(LunKind kind) {
  return kind == LunKind::kComponent ? "component" : "workload";
}

// A fact that is known of the machine beside a verdict (docs/how-it-decides.md). It indicts
// nothing.
struct Fact {
  std::string fact;    // "raid-check"
  std::string device;  // "md0"; empty: the node
  std::string detail;  // a unit's name, a setting's value; few values; may be empty
  std::string text;    // a sentence with the numbers
  std::string next;    // what to do
  bool operator==(const Fact&) const = default;
};

struct VerdictEvent {
  UnixTime end;
  std::optional<UnixTime> since;  // when it began in the data; beginnings.h sets both
  std::optional<UnixTime> named;  // the window end at which the verdict was first given
  std::string preset;
  std::string node;
  Cause cause = Cause::kNone;
  std::size_t rank = 0;    // 1 is the worst at this window end
  double degree = 0;       // largest filtered degree over the evidence
  bool secondary = false;  // explained by a worse server: shown, not indicted
  // Evidence that no other server's fault can bring about (byte balance, the device's own time):
  // never secondary.
  bool local = false;
  std::map<std::string, LunKind> luns;
  std::vector<Evidence> evidence;  // in the order of the checklist
  std::vector<Fact> facts;         // errors first, then what is unlike the peers'
  // The id of its incident, and the answer that people have given to it ("known", …), both of the
  // running diagnosis alone. Empty: none.
  std::string incident;
  std::string answer;

  [[nodiscard]] UnixTime Since() const { return since.value_or(end); }
  [[nodiscard]] UnixTime Named() const { return named.value_or(end); }
};

// A server that was indicted when its peer group fell under three comparable members: nobody can
// say whether it still is sick, so the incident stays open; one at each verdict time.
struct UnknownEvent {
  UnixTime end;
  std::string preset;
  std::string node;
  Cause cause = Cause::kNone;     // of its last verdict
  UnixTime judged;                // the end of that
  std::string group;              // that cannot compare it, or could not until a few windows ago
  std::size_t n = 0;              // its comparable members
  bool missing = false;           // they are enough, and the node is none of them
  std::optional<UnixTime> since;  // as in VerdictEvent
  std::optional<UnixTime> named;

  [[nodiscard]] UnixTime Since() const { return since.value_or(judged); }
  [[nodiscard]] UnixTime Named() const { return named.value_or(judged); }
};

// Many of a group flagged for one metric at once (storm.h), beside the verdicts.
struct StormEvent {
  static constexpr std::size_t kMaxNamed = 20;

  UnixTime end;
  std::string preset;
  std::string group;
  std::string metric;
  std::size_t n = 0;  // taking part
  std::size_t flagged = 0;
  std::vector<std::string> components;  // flagged, the worst kMaxNamed, worst first
  // Half of the group or more is on the slow side: `flagged` and `components` are that side,
  // although the filter flags the others, who differ from more than half of their peers.
  bool half = false;
  // The group is in two, and the metric does not tell which side is at fault: nobody is named.
  bool either_side = false;
};

// A group that over a day was two kinds of components (bimodality.h); once a day and metric.
struct BimodalityEvent {
  static constexpr std::size_t kMaxNamed = 8;
  struct Kind {
    std::size_t n = 0;
    double median = 0;                    // of the day, in the metric's unit
    std::vector<std::string> components;  // the first kMaxNamed by name
    std::vector<std::string> values;      // of `label`, the first kMaxNamed
  };

  UnixTime end;  // the first window end of the next day
  std::string preset;
  std::string group;
  std::string metric;
  double separation = 0;  // Ashman's D
  Kind low;
  Kind high;
  std::string label;     // that tells them apart; empty: none is known
  double agreement = 0;  // share of the components that it tells apart rightly
};

// The behaviour profiles of all nodes in one second.
struct ProfileComponent {
  std::string component;
  std::optional<std::size_t> label;  // from 1, K + 1 unknown; absent: missing
  // Distances to every other node that takes part, by name; empty when this one does not.
  std::vector<std::pair<std::string, double>> distances;
  bool alarm = false;
  bool indicted = false;
};
struct ProfileEvent {
  UnixTime end;
  double threshold = 0;
  std::vector<ProfileComponent> components;  // by name
};

// The host metrics of every node in one second, for training; holes filled in.
struct HostEvent {
  UnixTime end;
  std::vector<std::pair<std::string, HostSample>> hosts;  // by name
};

// Service times of system calls of one role's servers in one window of 5 s.
struct SyscallComponent {
  std::string component;
  double mean = 0;                  // trailing, seconds a call
  double deviation = 0;             // from the reference
  std::optional<double> threshold;  // absent: not trained
  double degree = 0;                // filtered: over 1 exactly when flagged
  bool anomalous = false;           // in this window
  bool flagged = false;
  Direction direction = Direction::kNone;
};
struct SyscallWindowEvent {
  UnixTime end;
  std::string role;
  std::string metric;                        // dread, dwrite, nsread, ncread
  double reference = 0;                      // median of the servers' means
  std::vector<SyscallComponent> components;  // by name
};

// The same second by second, and errors, for training.
struct SyscallSample {
  std::string role;
  std::string metric;
  std::string server;
  double value = 0;  // seconds a call
};
struct SyscallSecondEvent {
  UnixTime end;
  std::vector<SyscallSample> samples;                       // by role, metric and server
  std::vector<std::pair<std::string, std::string>> errors;  // of servers: role, errno
};

// One a preset, at the end of a replay.
struct SummaryEvent {
  std::string preset;
  std::uint64_t windows = 0;        // window events
  std::uint64_t verdicts = 0;       // verdict events
  std::vector<std::string> hourly;  // "20231115.22: 8 io:io02/sdb", one an hour
};

using Event =
    std::variant<CwndEvent, WindowEvent, VerdictEvent, SummaryEvent, StormEvent, BimodalityEvent,
                 ProfileEvent, HostEvent, SyscallWindowEvent, SyscallSecondEvent, UnknownEvent>;

}  // namespace limpet
