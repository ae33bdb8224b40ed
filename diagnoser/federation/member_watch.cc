#include "diagnoser/federation/member_watch.h"

#include <utility>

#include "diagnoser/federation/merged_view.h"
#include "exporter/common/exposition/catalog/diagnoser.h"
#include "exporter/common/exposition/catalog/federation.h"

namespace limpet {

std::vector<MemberStanding> StandingsOf(std::span<const MemberState> states, UnixTime now) {
  std::vector<MemberStanding> standings;
  for (const auto& state : states) {
    MemberStanding standing{.name = state.name, .up = !IsDown(state, now), .lag = std::nullopt};
    if (standing.up && state.data_time) {
      standing.lag = now + state.clock_ahead.value_or(Duration::zero()) - *state.data_time;
    }
    standings.push_back(std::move(standing));
  }
  return standings;
}

// At the start nobody has answered, which is no news before they had time to.
void MemberWatch::See(std::span<const MemberState> states, UnixTime now) {
  std::map<std::string, UnixTime> down;
  for (const auto& state : states) {
    const auto known = down_since_.find(state.name);
    if (!IsDown(state, now)) {
      if (known != down_since_.end()) {
        const auto seconds = (now - known->second) / std::chrono::seconds(1);
        log_(LogLevel::kInfo,
             state.name + ": answers again after " + std::to_string(seconds) + " s");
      }
      continue;
    }
    const auto silent_since = state.answered.value_or(started_);
    if (now - silent_since <= kMemberDown) {
      continue;
    }
    if (known == down_since_.end()) {
      log_(LogLevel::kWarning, state.name + ": does not answer: " + state.problem);
    }
    down.emplace(state.name, known == down_since_.end() ? silent_since : known->second);
  }
  down_since_ = std::move(down);
}

Families MemberFamilies(std::span<const MemberStanding> members, bool reload_ok) {
  Family up{.info = &catalog::kMemberUp, .samples = {}};
  Family lag{.info = &catalog::kMemberLag, .samples = {}};
  for (const auto& member : members) {
    const auto labels = MakeLabels({{"member", member.name}});
    up.samples.push_back({labels, member.up ? 1.0 : 0.0});
    if (member.lag) {
      lag.samples.push_back({labels, ToSeconds(*member.lag)});
    }
  }
  Family reload{.info = &catalog::kConfigReloadOk, .samples = {}};
  reload.samples.push_back({.labels = nullptr, .value = reload_ok ? 1.0 : 0.0});
  Families families;
  for (auto* const family : {&up, &lag, &reload}) {
    families.push_back(std::move(*family));
  }
  return families;
}

}  // namespace limpet
