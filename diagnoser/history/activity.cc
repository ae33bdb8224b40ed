#include "diagnoser/history/activity.h"

#include <algorithm>
#include <utility>

namespace limpet {
namespace {

constexpr std::size_t kMaxSteps = 8640;  // half a day, should nodes say nothing at all

// What a metadata server is there for. Extended attributes are left out: file systems keep their
// own state in them, several a file.
constexpr std::array<std::string_view, 11> kMetadata = {"open",     "stat",  "readdir", "unlink",
                                                        "rename",   "mkdir", "rmdir",   "link",
                                                        "readlink", "chmod", "truncate"};

NodeActivity::Rate MakeRate(const ActivityTotals::Sum& before, const ActivityTotals::Sum& now,
                            double seconds) {
  const double count = std::max(0.0, now.count - before.count);
  return {static_cast<float>(count / seconds),
          count > 0 ? static_cast<float>((now.seconds - before.seconds) / count) : 0.0F};
}

NodeActivity::Disks MakeDisks(const ActivityTotals::Disks& before, const ActivityTotals::Disks& now,
                              double seconds) {
  NodeActivity::Disks disks{.sizes = {},
                            .small = MakeRate(before.small, now.small, seconds),
                            .large = MakeRate(before.large, now.large, seconds)};
  double below = 0;
  for (std::size_t i = 0; i < kActivityBuckets; ++i) {
    const double at_most = now.at_most[i] - before.at_most[i];
    disks.sizes[i] = static_cast<float>(std::max(0.0, at_most - below) / seconds);
    below = at_most;
  }
  return disks;
}

NodeActivity MakeActivity(const ActivityTotals& before, const ActivityTotals& now,
                          const NodeActivity* previous) {
  // Its own instants: the pages of two nodes are not of the same moment.
  const double seconds = ToSeconds(now.at - before.at);
  NodeActivity activity{.has_disks = now.has_disks,
                        .reads = MakeDisks(before.reads, now.reads, seconds),
                        .writes = MakeDisks(before.writes, now.writes, seconds),
                        .names = {},
                        .operations = {}};
  NodeActivity::Names names;
  for (const auto& [operation, sum] : now.operations) {
    const auto earlier = before.operations.find(operation);
    names.push_back(operation);
    activity.operations.push_back(
        MakeRate(earlier == before.operations.end() ? ActivityTotals::Sum() : earlier->second, sum,
                 seconds));
  }
  // The same hundreds of times over: an operation that is called once stays on the page.
  activity.names = previous != nullptr && *previous->names == names
                       ? previous->names
                       : std::make_shared<const NodeActivity::Names>(std::move(names));
  return activity;
}

std::size_t StepBytes(const ActivityStep& step) {
  // Of a map's node beside key and value: its links, and what the allocation itself takes.
  constexpr std::size_t kOfMap = 64;
  std::size_t bytes = sizeof(ActivityStep);
  for (const auto& [name, node] : step.nodes) {
    bytes += sizeof(NodeActivity) + kOfMap + name.size() +
             node.operations.size() * sizeof(NodeActivity::Rate);
  }
  return bytes;
}

}  // namespace

std::optional<double> NodeActivity::MetadataOperations() const {
  std::optional<double> sum;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const auto& [role, name] = (*names)[i];
    if (role == "server") {
      const bool counts = std::find(kMetadata.begin(), kMetadata.end(), name) != kMetadata.end();
      sum = sum.value_or(0) + (counts ? static_cast<double>(operations[i].often) : 0);
    }
  }
  return sum;
}

const NodeActivity* ActivityStep::Find(std::string_view node) const {
  const auto found = nodes.find(node);
  return found == nodes.end() ? nullptr : &found->second;
}

void ActivityLog::SetBounds(Duration duration, std::size_t max_bytes) {
  duration_ = duration;
  max_bytes_ = max_bytes;
}

void ActivityLog::Restart() {
  before_.clear();
  at_.reset();
}

void ActivityLog::Record(UnixTime at, std::map<std::string, ActivityTotals> totals) {
  at_ = at;
  if (totals.empty() && before_.empty()) {
    return;
  }
  auto step = std::make_shared<ActivityStep>();
  step->time = at;
  const ActivityStep* const previous = steps_.empty() ? nullptr : steps_.back().get();
  for (const auto& [node, now] : totals) {
    const auto before = before_.find(node);
    // Whoever has been silent since says nothing.
    if (before != before_.end() && before->second.at != UnixTime() && now.at > before->second.at) {
      step->nodes.emplace(node, MakeActivity(before->second, now,
                                             previous == nullptr ? nullptr : previous->Find(node)));
    }
  }
  before_ = std::move(totals);
  bytes_ += StepBytes(*step);
  steps_.push_back(std::move(step));
  Trim();
}

void ActivityLog::Trim() {
  std::size_t gone = 0;
  const auto newest = steps_.back()->time;
  while (gone + 1 < steps_.size() &&
         (bytes_ > max_bytes_ || steps_.size() - gone > kMaxSteps ||
          newest - steps_[gone]->time > duration_ || steps_[gone]->time > newest)) {
    bytes_ -= StepBytes(*steps_[gone]);
    ++gone;
  }
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(gone));
}

}  // namespace limpet
