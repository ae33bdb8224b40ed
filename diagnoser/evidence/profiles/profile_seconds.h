// profile_seconds.h: behaviour profiles at work: every second each node's label, the distances
// between nodes, alarms and indictments (detect/profile/).
//
// With `wait` a second goes out once every node's sample is there or filled in for certain;
// without, once its readings are settled, and a node without a sample has no label in it.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/detect/profile/classify.h"
#include "diagnoser/detect/profile/histograms.h"
#include "diagnoser/detect/profile/host_imputer.h"
#include "diagnoser/detect/profile/unknown_ratio.h"
#include "diagnoser/evidence/evidence_source.h"
#include "diagnoser/evidence/host_seconds.h"
#include "diagnoser/evidence/profile_plan.h"
#include "diagnoser/evidence/profiles/profile_memory.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/ranking.h"
#include "diagnoser/view/profile_status.h"

namespace limpet {

class ProfileSeconds final : public EvidenceSource {
 public:
  ProfileSeconds(ProfilePlan plan, std::uint32_t first_rule, std::vector<std::string> masked);

  [[nodiscard]] UnixTime Next(UnixTime first) const override;
  // Events: one, or none when no node has samples or they are not wanted.
  [[nodiscard]] std::optional<std::vector<Event>> Observe(const EvidenceMoment& now) override;
  void SetMasked(const std::vector<std::string>& masked) override;
  // All nodes, and the indicted ones at the last second, with what differs most from their peers,
  // as verdicts of cause kBehaviour without preset, end and rank.
  [[nodiscard]] Behaviour Findings() const;
  [[nodiscard]] const ProfileStatus& Status() const { return status_; }

  // Returns what outlives a restart; with `wait` gaps that are being filled in stay gaps.
  [[nodiscard]] ProfileMemory Export() const;
  void Resume(const ProfileMemory& memory);

 private:
  struct Node {
    HostImputer imputer;                       // with `wait`
    std::deque<HostSample> samples;            // without: settled, to be looked at
    std::int64_t next = 0;                     // second of the first of them
    HostSample average = MissingHostSample();  // over about 20 s
    std::optional<std::size_t> label;          // in the last second
  };

  void Feed(UnixTime t, const Directory& directory, const HostReadings& readings);
  // False: it is too early.
  [[nodiscard]] bool FeedUntilReady(UnixTime t, const EvidenceMoment& now);
  [[nodiscard]] HostSample NextSample(Node& node) const;
  [[nodiscard]] bool AllReady(std::int64_t second) const;
  void Judge(UnixTime t, const std::vector<ProfileHistograms::Input>& inputs,
             std::vector<Event>& events);
  void SkipSilence(UnixTime t, UnixTime horizon, const HostReadings& readings);
  [[nodiscard]] Event MakeEvent(UnixTime t, const std::vector<ProfileHistograms::Input>& inputs,
                                const ProfileHistograms::Result& result) const;
  void SetStatus(UnixTime t, const std::vector<ProfileHistograms::Input>& inputs,
                 const ProfileHistograms::Result& result);

  ProfilePlan plan_;
  std::optional<Classifier> classifier_;  // absent: the plan only collects
  ProfileHistograms histograms_;
  HostSeconds hosts_;
  std::vector<std::string> masked_;
  std::map<std::string, Node, std::less<>> nodes_;
  std::optional<UnixTime> fed_;   // last second read
  std::optional<UnixTime> done_;  // last second looked at
  std::int64_t silent_ = 0;       // seconds in a row in which nobody had anything
  UnknownRatio unknown_;
  ProfileStatus status_;
};

}  // namespace limpet
