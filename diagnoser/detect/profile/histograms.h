// histograms.h: how each host of a group spends its time, and who does so unlike its peers
// [Pan08 Figure 7].
//
// A second: every host's label, or none when it is missing. H <- 0.99 H + e_label; H stays in a
//          missing second, and the host takes part while its last label (or its appearance) is at
//          most 30 s old. A host is compared once its H has a total of 50 (after 69 labels); until
//          then it is 0 apart from everybody.
// Alarm:   more than (n-1)/2 of a host's distances exceed the threshold, n hosts taking part. With
//          fewer than 3 nobody can be the odd one out: no alarm.
// Missing: a host that takes part without a label of its own is judged by its H as it stands; one
//          that takes part no more begins its count of alarms anew.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/profile/alarm.h"
#include "diagnoser/detect/profile/jsd.h"

namespace limpet {

struct HostHistory {
  std::vector<double> counts;  // H, a label
  AlarmCount alarms;
  std::int64_t labelled = 0;  // second of the last label; without any, of the first appearance
  bool operator==(const HostHistory&) const = default;
};

class ProfileHistograms {
 public:
  // `labels`: profiles and one for unknown.
  ProfileHistograms(std::size_t labels, double threshold, AlarmRule rule)
      : labels_(labels), threshold_(threshold), rule_(rule) {}

  struct Input {
    std::string_view host;
    std::optional<std::size_t> label;  // from 1
  };
  struct Host {
    bool taking_part = false;
    double distance = 0;  // the m-th largest: MajorityDistances
    bool alarm = false;
    bool indicted = false;
  };
  struct Result {
    std::vector<Host> hosts;               // in the order of the input
    std::vector<std::size_t> taking_part;  // their places in the input
    HistogramTable table;                  // of those, in that order
    // Distance of two of the table; 0 when one of them has no label yet.
    [[nodiscard]] double Distance(std::size_t a, std::size_t b) const;
  };
  // One second; `hosts` by name, all that are known. Seconds must rise.
  [[nodiscard]] Result Observe(std::int64_t second, const std::vector<Input>& hosts);
  // Returns what Observe last said of that second, from what is kept; nothing is counted.
  [[nodiscard]] Result Recall(std::int64_t second, const std::vector<Input>& hosts) const;

  void Forget(std::string_view host);
  // Returns what outlives a restart.
  [[nodiscard]] const std::map<std::string, HostHistory, std::less<>>& Histories() const {
    return histories_;
  }
  // False, and nothing done, when it has other labels.
  bool Restore(const std::string& host, HostHistory history);

 private:
  [[nodiscard]] Result Compare(std::int64_t second, const std::vector<Input>& hosts) const;

  std::size_t labels_;
  double threshold_;
  AlarmRule rule_;
  std::map<std::string, HostHistory, std::less<>> histories_;
};

}  // namespace limpet
