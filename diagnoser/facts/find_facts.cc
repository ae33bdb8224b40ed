#include "diagnoser/facts/find_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "diagnoser/facts/catalog.h"
#include "diagnoser/facts/unit_kind.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

using Series = FactReadings::Series;
using Current = std::vector<const Series*>;

constexpr double kMost = 0.8;     // of the peers that tell
constexpr double kClearly = 0.9;  // below this part of the peers' it is lower
// Beside the device: series that differ in one of them are not the same.
constexpr std::array<std::string_view, 4> kSameOnPeers = {"mountpoint", "counter", "direction",
                                                          "priority"};

// "12.0 MB/s", "10 Gbit/s", "3.1 %".
std::string PrintValue(double value, std::string_view unit) {
  if (unit == "share") {
    return fmt::format("{:.1f} %", value * 100);
  }
  if (unit == "bytes") {
    return fmt::format("{:.1f} MB/s", value / 1e6);
  }
  if (unit == "bits") {
    return value * 8 < 1e9 ? fmt::format("{:.0f} Mbit/s", value * 8 / 1e6)
                           : fmt::format("{:.3g} Gbit/s", value * 8 / 1e9);
  }
  return unit == "transfers" ? fmt::format("{:.3g} GT/s", value / 1e9)
                             : fmt::format("{:.0f}", value);
}

std::string PrintSpan(Duration span) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(span).count();
  return seconds < 120 ? fmt::format("{} s", seconds) : fmt::format("{} min", seconds / 60);
}

// "sda1" and "sda", "nvme0n1p2" and "nvme0n1", "nvme0" and "nvme0n1".
bool IsPartOf(std::string_view part, std::string_view whole) {
  if (whole.empty() || !part.starts_with(whole)) {
    return false;
  }
  auto rest = part.substr(whole.size());
  const bool has_letter = !rest.empty() && (rest[0] == 'p' || rest[0] == 'n');
  // "loop10" is no part of "loop1".
  if (!rest.empty() && !has_letter && std::isdigit(static_cast<unsigned char>(whole.back())) != 0) {
    return false;
  }
  rest.remove_prefix(has_letter ? 1 : 0);
  return std::ranges::all_of(rest, [](unsigned char c) { return std::isdigit(c) || c == 'p'; });
}

// "nvme0n1", the disk that the path "nvme0c2n1" leads to; other names as they are.
std::string WithoutPath(std::string_view device) {
  const auto path = device.find('c');
  const auto disk = path == std::string_view::npos ? path : device.find('n', path);
  return device.starts_with("nvme") && disk != std::string_view::npos
             ? std::string(device.substr(0, path)).append(device.substr(disk))
             : std::string(device);
}

bool IsRelated(std::string_view a, std::string_view named_b) {
  const auto b = WithoutPath(named_b);
  return IsPartOf(a, b) || IsPartOf(b, a);
}

// Made of several disks: which, nobody tells.
bool IsStacked(std::string_view device) {
  return device.starts_with("md") || device.starts_with("dm-") || device.starts_with("mapper/") ||
         device.starts_with("btrfs/");
}

std::set<std::string, std::less<>> DisksOf(const VerdictEvent& verdict) {
  std::set<std::string, std::less<>> disks;
  for (const auto& evidence : verdict.evidence) {
    const auto slash = evidence.component.find('/');
    if (slash != std::string::npos) {
      disks.insert(evidence.component.substr(slash + 1));
    }
  }
  return disks;
}

bool IsOneOf(std::string_view word, std::string_view words) {
  const auto at = words.find(word);
  if (word.empty() || at == std::string_view::npos) {
    return false;
  }
  const auto end = at + word.size();
  return (at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ');
}

// What most peers say.
struct Majority {
  std::string value;
  std::size_t count = 0;
  std::size_t known = 0;
  [[nodiscard]] bool IsClear() const {
    return known >= kMinKnown && static_cast<double>(count) >= kMost * static_cast<double>(known);
  }
};

class Finder {
 public:
  Finder(const FactReadings& readings, const VerdictEvent& verdict, const FactPeers& peers,
         UnixTime now)
      : readings_(readings),
        verdict_(verdict),
        peers_(peers),
        now_(now),
        disks_(DisksOf(verdict)),
        own_(readings.Of(verdict.node, now)) {}

  std::vector<Fact> All() {
    for (const auto& row : FactRows()) {
      for (const auto* series : own_) {
        if (series->what == row.series && Concerns(row, *series)) {
          Try(row, *series);
        }
      }
    }
    return std::move(facts_);
  }

 private:
  [[nodiscard]] bool Concerns(const FactRow& row, const Series& series) const {
    const auto facts = RowOf(verdict_.cause).facts;
    switch (row.scope) {
      case FactScope::kNode:
        return true;
      case FactScope::kInterface:
        return facts != CauseFacts::kDisks;
      case FactScope::kDisk:
        break;
    }
    if (facts == CauseFacts::kInterfaces) {
      // The links of interfaces stand in the same rows as those of controllers.
      return series.what >= FactSeries::kPcieSpeed && series.what <= FactSeries::kPcieMaxWidth &&
             !series.device.starts_with("nvme");
    }
    return disks_.empty() || IsStacked(series.device) ||
           std::ranges::any_of(disks_,
                               [&](const auto& disk) { return IsRelated(disk, series.device); });
  }

  void Try(const FactRow& row, const Series& series) {
    const auto only_of = row.only_of.empty() ? row.label : row.only_of;
    if (!row.only.empty() && !IsOneOf(series.Label(only_of), row.only)) {
      return;
    }
    const double per_second =
        series.span > Duration::zero() ? series.rise / ToSeconds(series.span) : 0;
    switch (row.rule) {
      case FactRule::kRise:
        return TellIf(series.rise >= row.limit, row, series, series.rise);
      case FactRule::kRate:
        return TellIf(per_second > row.limit, row, series, per_second);
      case FactRule::kIs:
        return TellIf(series.value >= row.limit, row, series, series.value);
      case FactRule::kIsZero:
        return TellIf(series.value == 0, row, series, 0);
      case FactRule::kBelow:
      case FactRule::kShareBelow:
        return TryPair(row, series);
      case FactRule::kRiseUnlike:
        return TryRise(row, series);
      case FactRule::kLower:
      case FactRule::kUnlikeValue:
      case FactRule::kUnlikeLabel:
        return TryUnlike(row, series);
      case FactRule::kUnit:
        return TryUnit(row, series);
      case FactRule::kJob:
        return TryJob(row, series);
    }
  }

  // The whole must be of the same file system: a device may be mounted more than once.
  void TryPair(const FactRow& row, const Series& series) {
    const auto other = std::ranges::find_if(own_, [&](const Series* one) {
      return one->what == row.other && one->device == series.device &&
             one->Label("mountpoint") == series.Label("mountpoint");
    });
    if (other == own_.end() || (*other)->value <= 0) {
      return;
    }
    const double whole = (*other)->value;
    if (row.rule == FactRule::kBelow) {
      TellIf(series.value < whole, row, series, series.value, PrintValue(whole, row.unit));
    } else {
      TellIf(series.value < row.limit * whole, row, series, series.value / whole);
    }
  }

  // Looked up once a verdict: every row asks for the same peers.
  const Current& Of(const std::string& node) {
    const auto [found, is_new] = peers_current_.try_emplace(node);
    if (is_new) {
      found->second = readings_.Of(node, now_);
    }
    return found->second;
  }

  // The series of the peers that correspond to one of ours.
  Current Corresponding(const FactRow& row, const Series& series) {
    Current found;
    const auto add = [&](const std::string& node, const auto& fits) {
      const auto& current = Of(node);
      const auto one = std::ranges::find_if(
          current, [&](const Series* peer) { return peer->what == series.what && fits(*peer); });
      if (one != current.end()) {
        found.push_back(*one);
      }
    };
    if (row.scope == FactScope::kDisk && row.series != FactSeries::kReadOnly) {
      const auto disks = peers_.disks.find(series.device);
      if (disks != peers_.disks.end()) {
        for (const auto& [node, device] : disks->second) {
          add(node, [&, &name = device](const Series& peer) { return peer.device == name; });
        }
      }
      return found;
    }
    for (const auto& node : peers_.nodes) {
      add(node, [&](const Series& peer) {
        return peer.device == series.device &&
               std::ranges::all_of(kSameOnPeers, [&](std::string_view label) {
                 return peer.Label(label) == series.Label(label);
               });
      });
    }
    // Servers mount their disks under names of their own, but all have a root, which tells nothing
    // of the others.
    if (row.series == FactSeries::kReadOnly && found.size() < kMinKnown) {
      found.clear();
      for (const auto& node : peers_.nodes) {
        add(node, [&](const Series& peer) {
          return peer.Label("fstype") == series.Label("fstype") && peer.Label("mountpoint") != "/";
        });
      }
    }
    return found;
  }

  template <class Value>
  static Majority Count(const Current& peers, const Value& value) {
    std::map<std::string, std::size_t> counts;
    Majority most;
    for (const auto* peer : peers) {
      const std::string said = value(*peer);
      const std::size_t count = said.empty() ? 0 : ++counts[said];
      most.known += said.empty() ? 0U : 1U;
      if (count > most.count) {
        most.count = count;
        most.value = said;
      }
    }
    return most;
  }

  void TryUnlike(const FactRow& row, const Series& series) {
    const bool by_label = row.rule == FactRule::kUnlikeLabel;
    const auto peers = Corresponding(row, series);
    const auto most = Count(peers, [&](const Series& peer) {
      return by_label ? std::string(peer.Label(row.label)) : fmt::format("{}", peer.value);
    });
    const auto others = fmt::format("{} of {}", most.count, most.known);
    if (by_label) {
      const auto mine = series.Label(row.label);
      TellIf(most.IsClear() && !mine.empty() && mine != most.value, row, series, 0, most.value,
             others);
    } else if (row.rule == FactRule::kLower) {
      const double theirs = most.IsClear() ? ParseDouble(most.value).value_or(0) : 0;
      TellIf(series.value < kClearly * theirs, row, series, series.value,
             PrintValue(theirs, row.unit), others);
    } else {
      const bool unlike = most.IsClear() && most.value == "0";
      TellIf(series.value > 0 && (unlike || series.has_changed), row, series, series.value);
    }
  }

  // What a healthy network has some of: rises in the same time.
  void TryRise(const FactRow& row, const Series& series) {
    if (series.rise < row.limit || series.span <= Duration::zero()) {
      return;
    }
    std::vector<double> rises;
    for (const auto* peer : Corresponding(row, series)) {
      if (peer->span > Duration::zero()) {
        rises.push_back(peer->rise * (ToSeconds(series.span) / ToSeconds(peer->span)));
      }
    }
    if (rises.size() < kMinKnown) {
      return;
    }
    const auto middle = rises.begin() + static_cast<std::ptrdiff_t>(rises.size() / 2);
    std::nth_element(rises.begin(), middle, rises.end());
    TellIf(series.rise >= 2 * *middle + row.limit, row, series, series.rise,
           *middle < 1 ? "none" : fmt::format("{:.0f}", *middle));
  }

  // Every server of a group runs the file system's own unit; a hog is what its peers do not have.
  // Jobs have rows of their own where it is about disks.
  void TryUnit(const FactRow& row, const Series& series) {
    const bool is_job = !JobName(series.Label(row.label)).empty();
    if (series.value < row.limit || (is_job && row.scope == FactScope::kDisk)) {
      return;
    }
    // On the disks that are compared; of what lies over several disks, on any.
    const auto disks = peers_.disks.find(series.device);
    std::map<std::string, double> most;
    for (const auto& node : peers_.nodes) {
      most.emplace(node, 0);
    }
    const auto kind = UnitKind(series.Label(row.label));
    const auto add = [&](const std::string& node, std::string_view device) {
      for (const auto* peer : Of(node)) {
        if (peer->what == series.what && (device.empty() || peer->device == device) &&
            UnitKind(peer->Label(row.label)) == kind) {
          most[node] = std::max(most[node], peer->value);
        }
      }
    };
    if (disks != peers_.disks.end()) {
      for (const auto& [node, device] : disks->second) {
        add(node, device);
      }
    } else {
      for (const auto& node : peers_.nodes) {
        add(node, {});
      }
    }
    std::vector<double> peers;
    peers.reserve(most.size());
    for (const auto& [node, value] : most) {
      peers.push_back(value);
    }
    double median = 0;
    if (!peers.empty()) {
      const auto middle = peers.begin() + static_cast<std::ptrdiff_t>(peers.size() / 2);
      std::nth_element(peers.begin(), middle, peers.end());
      median = *middle;
    }
    TellIf(series.value >= 2 * median + row.limit, row, series, series.value,
           median > 0 ? PrintValue(median, row.unit) : "next to nothing");
  }

  // A job's steps have control groups of their own; the first of them speaks for it.
  void TryJob(const FactRow& row, const Series& series) {
    const auto name = JobName(series.Label(row.label));
    if (name.empty()) {
      return;
    }
    double all = 0;
    std::map<std::string_view, double> jobs;
    for (const auto* one : own_) {
      if (one->what == series.what && one->device == series.device) {
        all += one->value;
        jobs[JobName(one->Label(row.label))] += one->value;
      }
    }
    const double its = jobs[name];
    jobs.erase(std::string_view());
    const bool most = std::ranges::none_of(jobs, [&](const auto& job) { return job.second > its; });
    TellIf(most && its >= row.limit, row, series, its, fmt::format("{:.0f} %", 100 * its / all));
  }

  // Beyond kMaxFacts nobody reads on; the rows are in the order of what helps most.
  void TellIf(bool holds, const FactRow& row, const Series& series, double value,
              const std::string& other = {}, const std::string& others = {}) {
    if (!holds || facts_.size() >= kMaxFacts) {
      return;
    }
    auto detail = std::string(row.label.empty() ? "" : series.Label(row.label));
    if (row.rule == FactRule::kUnit || row.rule == FactRule::kJob) {
      const auto job = JobName(detail);
      detail = job.empty() ? UnitName(detail) : job;
    }
    Fact fact{.fact = std::string(row.name),
              .device = series.device,
              .detail = detail,
              .text = fmt::format(fmt::runtime(row.sentence), fmt::arg("device", series.device),
                                  fmt::arg("detail", detail),
                                  fmt::arg("value", PrintValue(value, row.unit)),
                                  fmt::arg("other", other), fmt::arg("peers", others),
                                  fmt::arg("span", PrintSpan(series.span))),
              .next = std::string(row.next)};
    // Two sources may tell the same.
    const bool is_told = std::ranges::any_of(facts_, [&](const Fact& told) {
      return told.fact == fact.fact && told.device == fact.device && told.detail == fact.detail;
    });
    if (!is_told) {
      facts_.push_back(std::move(fact));
    }
  }

  const FactReadings& readings_;
  const VerdictEvent& verdict_;
  const FactPeers& peers_;
  UnixTime now_;
  std::set<std::string, std::less<>> disks_;
  Current own_;
  std::map<std::string, Current> peers_current_;
  std::vector<Fact> facts_;
};

}  // namespace

std::vector<Fact> FindFacts(const FactReadings& readings, const VerdictEvent& verdict,
                            const FactPeers& peers, UnixTime now) {
  return Finder(readings, verdict, peers, now).All();
}

}  // namespace limpet
