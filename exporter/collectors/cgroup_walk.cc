#include "exporter/collectors/cgroup_walk.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "exporter/collectors/cgroup_names.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

std::optional<std::uint64_t> ParseKey(std::string_view field, std::string_view key) {
  return field.starts_with(key) ? ParseU64(field.substr(key.size())) : std::nullopt;
}

bool IsDevice(std::string_view text) {
  const auto colon = text.find(':');
  return colon != std::string_view::npos && ParseU64(text.substr(0, colon)) &&
         ParseU64(text.substr(colon + 1));
}

// Of two visits to a folder: groups that are new in between began at 0.
constexpr auto kRecent = std::chrono::minutes(3);

}  // namespace

BytesByDevice ParseIoStat(std::string_view text) {
  BytesByDevice bytes;
  Lines lines(text);
  while (const auto line = lines.Next()) {
    Fields fields(*line);
    std::string_view device;
    for (auto field = fields.Next(); !field.empty(); field = fields.Next()) {
      if (IsDevice(field)) {
        device = field;
      } else if (device.empty()) {
        break;
      } else if (const auto read = ParseKey(field, "rbytes=")) {
        bytes[std::string(device)].read = *read;
      } else if (const auto written = ParseKey(field, "wbytes=")) {
        bytes[std::string(device)].written = *written;
      }
    }
  }
  return bytes;
}

BytesByDevice ParseBlkio(std::string_view text) {
  BytesByDevice bytes;
  Lines lines(text);
  while (const auto line = lines.Next()) {
    Fields fields(*line);
    const auto device = fields.Next();
    const auto what = fields.Next();
    const auto number = ParseU64(fields.Next());
    if (!IsDevice(device) || !number) {
      continue;
    }
    if (what == "Read") {
      bytes[std::string(device)].read = *number;
    } else if (what == "Write") {
      bytes[std::string(device)].written = *number;
    }
  }
  return bytes;
}

Result<CgroupWalk::Layout> CgroupWalk::FindLayout(FileReader& sys) {
  if (sys.Exists("fs/cgroup/cgroup.controllers")) {
    return Layout{"fs/cgroup", "io.stat", ParseIoStat};
  }
  const std::string blkio = "fs/cgroup/blkio";
  constexpr std::string_view kRecursive = "blkio.throttle.io_service_bytes_recursive";
  constexpr std::string_view kAlone = "blkio.throttle.io_service_bytes";
  for (const auto file : {kRecursive, kAlone}) {
    if (sys.Exists(blkio + "/" + std::string(file))) {
      return Layout{blkio, file, ParseBlkio, file == kRecursive};
    }
  }
  if (sys.Exists(blkio)) {
    return Error{ErrorCode::kUnavailable,
                 "expected " + std::string(kAlone) +
                     "; this kernel does not count what control groups read and write",
                 "/sys/" + blkio};
  }
  return Error{ErrorCode::kNotFound,
               "expected control groups (version 2, or blkio of version 1); mount them, or switch "
               "the collector off",
               "/sys/fs/cgroup"};
}

Result<CgroupWalk::Outcome> CgroupWalk::Walk(FileReader& sys, SteadyTime now) {
  auto layout = FindLayout(sys);
  if (!layout) {
    return layout.error();
  }
  now_ = now;
  reads_ = 0;
  outcome_ = {};
  Visit(sys, *layout, "", std::nullopt, 0);
  std::erase_if(known_, [&](const auto& one) { return now - one.second.at > options_.max_age; });
  std::erase_if(turns_,
                [&](const auto& one) { return !one.first.empty() && !known_.contains(one.first); });
  PickLargest();
  return std::move(outcome_);
}

std::vector<std::string> CgroupWalk::ListGroups(FileReader& sys, const std::string& folder) {
  auto names = sys.List(folder);
  if (!names) {
    return {};  // it has ended since its reading
  }
  std::erase_if(*names, IsCgroupFile);
  outcome_.groups += names->size();
  return *std::move(names);
}

double CgroupWalk::Visit(FileReader& sys, const Layout& layout, const std::string& path,
                         std::optional<SteadyTime> began, std::size_t depth) {
  const auto names = ListGroups(sys, layout.root + path);
  const bool whole = names.size() + reads_ <= options_.max_reads;
  // What was read whole not long ago lacks only groups that are new.
  const auto before = std::exchange(turns_[path], {.next = 0, .at = now_, .whole = whole});
  if (!began && before.whole && now_ - before.at <= kRecent) {
    began = before.at;
  }
  double named = 0;
  std::set<std::size_t> done;
  for (std::size_t i = 0; i < names.size() && !whole; ++i) {
    const auto known = known_.find(path + "/" + names[i]);
    if (known != known_.end() && known->second.busy && reads_ < options_.max_reads / 2) {
      named += VisitGroup(sys, layout, path + "/" + names[i], began, depth);
      done.insert(i);
    }
  }
  for (std::size_t step = 0; step < names.size(); ++step) {
    const auto i = (before.next + step) % names.size();
    if (done.contains(i)) {
      continue;
    }
    if (reads_ >= options_.max_reads) {
      turns_[path].next = i;
      turns_[path].whole = false;
      break;
    }
    named += VisitGroup(sys, layout, path + "/" + names[i], began, depth);
  }
  return named;
}

double CgroupWalk::VisitGroup(FileReader& sys, const Layout& layout, const std::string& path,
                              std::optional<SteadyTime> began, std::size_t depth) {
  ++reads_;
  const auto text = sys.ReadOnce(layout.root + path + "/" + std::string(layout.file));
  outcome_.at_top += depth == 0 ? 1U : 0U;
  if (!text) {
    outcome_.uncounted += depth == 0 ? 1U : 0U;
    return 0;
  }
  // Only what is below a new group is as new.
  const auto below_began = known_.contains(path) ? std::nullopt : began;
  const auto rates = Measure(path, layout.parse(*text), began);
  outcome_.deeper = outcome_.deeper || (rates.first && depth > 0);
  const bool is_busy = rates.total >= options_.busy;
  if (!is_busy && layout.is_recursive) {
    return 0;
  }
  const double below = depth < options_.max_depth && reads_ < options_.max_reads
                           ? Visit(sys, layout, path, below_began, depth + 1)
                           : 0;
  // Those below are better names, if they account for most of it.
  if (!is_busy || (layout.is_recursive && below >= rates.total / 2)) {
    return rates.total;
  }
  for (const auto& [device, use] : rates.by_device) {
    outcome_.shown.push_back(use);
  }
  return rates.total;
}

CgroupWalk::Rates CgroupWalk::Measure(const std::string& path, BytesByDevice bytes,
                                      std::optional<SteadyTime> began) {
  Rates rates;
  const auto found = known_.find(path);
  const bool known = found != known_.end();
  if (!known && known_.size() >= options_.max_known) {
    return rates;
  }
  auto& last = known ? found->second : known_[path];
  // A group that has come since the last walk has done all it did since then.
  const auto span = now_ - (known ? last.at : began.value_or(now_));
  rates.first = !known && !began;
  if (!rates.first && span > Duration::zero()) {
    for (const auto& entry : bytes) {
      const auto& device = entry.first;
      const auto& now = entry.second;
      const auto old = last.bytes.find(device);
      const auto rate = [&](std::uint64_t DeviceBytes::*of) {
        const auto base = old == last.bytes.end() || old->second.*of > now.*of
                              ? 0  // the group was removed and made again
                              : old->second.*of;
        return static_cast<double>(now.*of - base) / ToSeconds(span);
      };
      const CgroupUse use{path, device, rate(&DeviceBytes::read), rate(&DeviceBytes::written)};
      if (use.read + use.written > 0) {
        rates.total += use.read + use.written;
        rates.by_device.emplace(device, use);
      }
    }
  }
  last = {.bytes = std::move(bytes), .at = now_, .busy = rates.total >= options_.busy};
  return rates;
}

void CgroupWalk::PickLargest() {
  auto& shown = outcome_.shown;
  std::stable_sort(shown.begin(), shown.end(), [](const CgroupUse& a, const CgroupUse& b) {
    return a.read + a.written > b.read + b.written;
  });
  shown.resize(std::min(shown.size(), options_.shown));
  std::sort(shown.begin(), shown.end(), [](const CgroupUse& a, const CgroupUse& b) {
    return std::tie(a.path, a.device) < std::tie(b.path, b.device);
  });
  std::set<std::string_view> names;
  for (const auto& use : shown) {
    names.insert(use.path);
  }
  outcome_.named = names.size();
}

}  // namespace limpet
