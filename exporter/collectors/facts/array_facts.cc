// Facts of what is made of several disks: software RAID, multipath.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/facts/parse.h"
#include "exporter/collectors/facts/reading.h"
#include "exporter/collectors/facts/table.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

const std::string kBlock = "class/block";

std::string Below(std::string folder, std::string_view name) {
  folder.append("/").append(name);
  return folder;
}

constexpr std::array kArrayNumbers = {
    FactNumber{&catalog::kMdDegraded, "class/block/md*/md/degraded", ParseCount,
               FactDevices::kDisks},
};

using Words = std::pair<std::string_view, std::string_view>;

template <std::size_t N>
std::string_view Translate(const std::array<Words, N>& words, std::string_view text) {
  const auto* const found = std::find_if(
      words.begin(), words.end(), [&](const Words& word) { return word.first == Trim(text); });
  return found == words.end() ? std::string_view() : found->second;
}

// drivers/md/md.c, array_states, in which there is no input and output, or nothing but that.
constexpr std::array<Words, 10> kArrayStates = {{{"inactive", "inactive"},
                                                 {"broken", "broken"},
                                                 {"clear", "clear"},
                                                 {"suspended", "suspended"},
                                                 {"clean", "active"},
                                                 {"active", "active"},
                                                 {"write-pending", "active"},
                                                 {"active-idle", "active"},
                                                 {"readonly", "active"},
                                                 {"read-auto", "active"}}};
// What a running array does, as node_exporter's md_state has it.
constexpr std::array<Words, 7> kSyncActions = {{{"idle", "active"},
                                                {"frozen", "active"},
                                                {"check", "check"},
                                                {"repair", "repair"},
                                                {"resync", "resync"},
                                                {"recover", "recovering"},
                                                {"reshape", "reshape"}}};

// Empty: not told. RAID 0 and linear have nothing to synchronize and so no sync_action.
std::string_view ReadArrayState(FactPass& pass, const std::string& folder) {
  const auto read = [&](const auto& words, std::string_view file) {
    const auto text = pass.Read(FactRoot::kSys, folder, folder + std::string(file));
    return text ? Translate(words, *text) : std::string_view();
  };
  const auto array = read(kArrayStates, "/md/array_state");
  if (!array.empty() && array != "active") {
    return array;
  }
  const auto action = read(kSyncActions, "/md/sync_action");
  return action.empty() ? array : action;
}

// "in_sync,write_mostly", "faulty", "spare".
std::string_view MemberState(std::string_view text) {
  bool is_active = false;
  for (auto rest = Trim(text); !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto word = rest.substr(0, comma);
    if (word == "faulty") {
      return "failed";
    }
    is_active = is_active || word == "in_sync" || word == "journal";
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return is_active ? "active" : "spare";
}

void ReadArray(FactPass& pass, const std::string& device, const std::string& folder) {
  if (const auto state = ReadArrayState(pass, folder); !state.empty()) {
    pass.Add(catalog::kMdState, MakeLabels({{"device", device}, {"state", std::string(state)}}), 1);
  }
  std::map<std::string_view, double> members = {{"active", 0}, {"failed", 0}, {"spare", 0}};
  bool has_members = false;
  for (const auto& name : pass.List(folder, folder + "/md")) {
    if (!name.starts_with("dev-")) {
      continue;
    }
    const auto file = Below(Below(folder, "md"), name).append("/state");
    if (const auto text = pass.Read(FactRoot::kSys, folder, file)) {
      has_members = true;
      ++members[MemberState(*text)];
    }
  }
  for (const auto& [state, count] : members) {
    if (has_members) {
      pass.Add(catalog::kMdDisks, MakeLabels({{"device", device}, {"state", std::string(state)}}),
               count);
    }
  }
}

// drivers/md/dm-mpath.c tells nothing in sysfs; what the drives below are in is seen there.
void ReadMultipath(FactPass& pass, const std::string& device, const std::string& folder) {
  const auto uuid = pass.Read(FactRoot::kSys, folder, folder + "/dm/uuid");
  if (!uuid || !uuid->starts_with("mpath-")) {
    return;
  }
  std::map<std::string, double> paths;
  for (const auto& slave : pass.List(folder, folder + "/slaves")) {
    const auto disk = Below(kBlock, slave);
    const auto state = pass.Read(FactRoot::kSys, disk, disk + "/device/state");
    ++paths[state ? ParseWord(*state) : "unknown"];
  }
  for (const auto& [state, count] : paths) {
    pass.Add(catalog::kMultipathPaths, MakeLabels({{"device", device}, {"state", state}}), count);
  }
}

void ReadArrays(FactPass& pass) {
  for (const auto& name : pass.List(kBlock, kBlock)) {
    const auto device = Printable(name);
    if (!pass.Sources().disks.Shows(device)) {
      continue;
    }
    if (name.starts_with("md")) {
      ReadArray(pass, device, Below(kBlock, name));
    } else if (name.starts_with("dm-")) {
      ReadMultipath(pass, device, Below(kBlock, name));
    }
  }
}

}  // namespace

const FactSubject kArrayFacts{.numbers = kArrayNumbers, .read = ReadArrays};

}  // namespace limpet
