// profile_plan.h: what the pipeline does with behaviour profiles [Pan08].
//
// Threads: values.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/detect/profile/alarm.h"
#include "diagnoser/detect/profile/model.h"

namespace limpet {

struct ProfilePlan {
  ProfileModel model;
  std::vector<std::string> roles;  // of the nodes that do the same work; empty: all
  // Regexes searched in the device; what matches is added up. Whole disks and wired interfaces: a
  // byte through a partition, a volume or a bridge would count twice.
  std::string disks = "^([shv]d[a-z]+|xvd[a-z]+|nvme\\d+n\\d+|mmcblk\\d+|dasd[a-z]+)$";
  std::string interfaces = "^(e|ib|hs|sl|usb)";
  AlarmRule rule = AlarmRule::kConsecutive;
  // Wait until gaps can be filled in from both sides (impute.h): up to 230 s, for a replay. A live
  // diagnosis does not: in a gap the histogram stands still.
  bool wait = false;
  bool events = true;  // a ProfileEvent a second, with the distances of all pairs
  // Training: no model is needed, nothing is judged, every second's samples come as HostEvents.
  bool collect = false;
  bool operator==(const ProfilePlan&) const = default;
};

}  // namespace limpet
