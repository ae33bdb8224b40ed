// member_state.h: what one diagnoser of a federation has said last, checked: its answers are
// another machine's.
//
// Threads: values; pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/federation/member_frame.h"
#include "diagnoser/history/frame.h"
#include "diagnoser/publish/api_json.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

inline constexpr std::size_t kMaxMemberNodes = 20'000;
inline constexpr std::size_t kMaxMemberVerdicts = 10'000;

struct MemberVerdict {
  std::string id;
  double begin = 0;
  std::optional<double> end;
  std::string line;  // JSON, as events of the stream have it
};

struct MemberState {
  std::string name;
  std::string url;
  std::string program;        // its version; empty: it has never answered
  std::string grafana;        // where its dashboards are; empty: not told
  std::uint64_t version = 0;  // of its cluster
  // Arrays as in /api/v1/cluster, names qualified.
  ApiJson nodes = ApiJson::array();
  ApiJson peer_groups = ApiJson::array();
  ApiJson presets = ApiJson::array();
  ApiJson metrics = ApiJson::array();
  std::vector<Cause> causes;            // of its column `cause`
  std::vector<std::int16_t> values;     // kColumns of each node; empty: no readings
  std::vector<MemberVerdict> verdicts;  // by begin
  std::optional<UnixTime> data_time;    // of its latest frame, by its clock
  std::optional<UnixTime> answered;     // by ours
  std::optional<Duration> clock_ahead;  // its clock minus ours
  std::string problem;                  // of its latest answer; empty: none
  bool has_frames = true;               // false: too old to know /api/v1/frame
  std::uint64_t changes = 0;            // of nodes or groups
};

[[nodiscard]] MemberPlaces PlacesOf(const MemberState& state);

// JSON of at most this depth; a problem otherwise.
[[nodiscard]] Result<ApiJson> ParseAnswer(std::string_view body);

// Each takes an answer of the path of its name. Entries of the wrong shape are left out; an answer
// that is none changes nothing. `TakeFrame`: of the cluster that was taken last, or it says so by
// returning false. `asked`: the middle of the request, by our clock.
[[nodiscard]] Result<void> TakeCluster(std::string_view body, MemberState& state);
[[nodiscard]] Result<bool> TakeFrame(std::string_view body, UnixTime asked, MemberState& state);
[[nodiscard]] Result<void> TakeVerdicts(std::string_view body, MemberState& state);

}  // namespace limpet
