#include "exporter/collectors/facts/places.h"

#include <algorithm>
#include <utility>

#include "exporter/common/utf8.h"

namespace limpet {
namespace {

// /sys writes '!' where a device's name has a '/'.
std::string DeviceName(std::string name) {
  std::replace(name.begin(), name.end(), '!', '/');
  return Printable(name);
}

}  // namespace

void FactFinder::AddTable() {
  for (const auto* subject : kFactTable) {
    for (const auto& row : subject->numbers) {
      AddNumbers(row);
    }
    for (const auto& row : subject->words) {
      AddFolders(row);
    }
    if (subject->find != nullptr) {
      subject->find(*this);
    }
  }
}

bool FactFinder::Shows(FactDevices devices, const std::string& name) const {
  const auto& sources = files_.Sources();
  switch (devices) {
    case FactDevices::kAll:
      return true;
    case FactDevices::kDisks:
      return sources.disks.Shows(DeviceName(name));
    case FactDevices::kInterfaces:
      return sources.interfaces.Shows(DeviceName(name));
    case FactDevices::kCabled:
      return sources.interfaces.Shows(DeviceName(name)) &&
             !files_.Exists("devices/virtual/net/" + name);
  }
  return false;
}

const std::vector<std::string>& FactFinder::List(const std::string& unit,
                                                 const std::string& folder) {
  auto [found, is_new] = lists_.try_emplace(folder);
  if (is_new) {
    found->second = files_.List(unit, folder);
  }
  return found->second;
}

// Replaces the first '*' that is left in the pattern, which begins at `rest`: names that are in
// place already may have a '*' of their own.
void FactFinder::Expand(const FactMatch& so_far, std::size_t rest, FactDevices devices,
                        std::vector<FactMatch>& matches) {
  const auto star = so_far.path.find('*', rest);
  if (star == std::string::npos || matches.size() >= kMaxFactSamples) {
    // Damaged trees may have any number of names on each level.
    if (star == std::string::npos && matches.size() < kMaxFactSamples) {
      matches.push_back(so_far);
    }
    return;
  }
  const auto slash = so_far.path.rfind('/', star);
  const auto end = std::min(so_far.path.find('/', star), so_far.path.size());
  const auto folder = so_far.path.substr(0, slash);
  const auto prefix = so_far.path.substr(slash + 1, star - slash - 1);
  const bool first = so_far.unit.empty();
  for (const auto& name : List(first ? folder : so_far.unit, folder)) {
    if (!name.starts_with(prefix) || (first && !Shows(devices, name))) {
      continue;
    }
    FactMatch next = so_far;
    next.path = folder;
    next.path.append("/").append(name);
    if (first) {
      next.unit = next.path;
      next.device = DeviceName(name);
      next.part = Printable(name.substr(prefix.size()));
    }
    const auto left = next.path.size();
    next.path += so_far.path.substr(end);
    Expand(next, left, devices, matches);
  }
}

std::vector<FactMatch> FactFinder::Find(std::string_view pattern, FactDevices devices) {
  const std::string text(pattern);
  if (text.find('*') == std::string::npos) {
    return {{.path = text, .device = {}, .part = {}, .unit = text}};
  }
  std::vector<FactMatch> matches;
  Expand({.path = text, .device = {}, .part = {}, .unit = {}}, 0, devices, matches);
  return matches;
}

void FactFinder::Watch(std::string_view pattern) {
  const auto star = pattern.find('*');
  if (star != std::string_view::npos) {
    const std::string folder(pattern.substr(0, pattern.rfind('/', star)));
    plan_.devices.try_emplace(folder, List(folder, folder));
  }
}

void FactFinder::Add(const FactNumber& row, std::string unit, std::string path,
                     const LabelSet::Pairs& labels) {
  auto made = labels.empty() ? nullptr : MakeLabels(labels);
  const auto key = std::string(row.info->name) + " " + (made ? made->Rendered() : "");
  const auto known = series_.find(key);
  if (known == series_.end() && plan_.series.size() >= kMaxFactSamples) {
    return;
  }
  const auto at = known != series_.end() ? known->second : plan_.series.size();
  if (known == series_.end()) {
    series_.emplace(key, at);
    plan_.series.push_back({row.info, std::move(made)});
  }
  plan_.files.push_back(
      {.row = &row, .series = at, .unit = std::move(unit), .path = std::move(path)});
}

void FactFinder::AddNumbers(const FactNumber& row) {
  Watch(row.files);
  for (auto& match : Find(row.files, row.devices)) {
    LabelSet::Pairs labels;
    if (!match.device.empty()) {
      labels.emplace_back(row.label, row.label == "device" ? match.device : match.part);
    }
    if (!row.kind.empty()) {
      labels.emplace_back("kind", row.kind);
    }
    Add(row, std::move(match.unit), std::move(match.path), labels);
  }
}

void FactFinder::AddFolders(const FactWords& row) {
  Watch(row.folders);
  for (auto& match : Find(row.folders, row.devices)) {
    const bool is_known = std::any_of(plan_.folders.rbegin(), plan_.folders.rend(),
                                      [&](const FactPlan::Folder& folder) {
                                        return folder.row == &row && folder.device == match.device;
                                      });
    // Two names may print alike; a page must not have a series twice.
    if (!is_known && plan_.folders.size() < kMaxFactSamples) {
      plan_.folders.push_back({.row = &row,
                               .device = std::move(match.device),
                               .unit = std::move(match.unit),
                               .path = std::move(match.path)});
    }
  }
}

const FactCores& FactFinder::Cores(FactCores (*find)(FactFinder&)) {
  if (plan_.cores == nullptr) {
    plan_.cores = std::make_shared<const FactCores>(find(*this));
  }
  return *plan_.cores;
}

bool HasSameDevices(FactFiles& files, const FactPlan& plan) {
  return std::all_of(plan.devices.begin(), plan.devices.end(), [&](const auto& folder) {
    return files.List(folder.first, folder.first) == folder.second;
  });
}

}  // namespace limpet
