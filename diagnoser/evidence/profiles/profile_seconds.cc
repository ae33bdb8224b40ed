#include "diagnoser/evidence/profiles/profile_seconds.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "diagnoser/evidence/profiles/profile_findings.h"
#include "diagnoser/evidence/whole_second.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr double kAverageDecay = 0.95;  // of what evidence compares: about the last 20 s
// Nothing that came before so long a silence reaches what comes after it.
constexpr auto kSilentSeconds = static_cast<std::int64_t>(kImputeDelay) + 70;

void Average(const HostSample& sample, HostSample& average) {
  for (std::size_t i = 0; i < kHostMetrics; ++i) {
    if (IsMissing(average[i])) {
      average[i] = sample[i];
    } else if (!IsMissing(sample[i])) {
      average[i] = kAverageDecay * average[i] + (1 - kAverageDecay) * sample[i];
    }
  }
}

}  // namespace

ProfileSeconds::ProfileSeconds(ProfilePlan plan, std::uint32_t first_rule,
                               std::vector<std::string> masked)
    : plan_(std::move(plan)),
      histograms_(plan_.model.profiles.size() + 1, plan_.model.threshold, plan_.rule),
      hosts_(first_rule),
      masked_(std::move(masked)) {
  if (!plan_.collect) {
    classifier_.emplace(plan_.model);
  }
  status_.threshold = plan_.model.threshold;
  status_.trained = plan_.model.trained;
}

UnixTime ProfileSeconds::Next(UnixTime first) const {
  const auto after = done_ ? std::max(*done_, first) : first;
  return std::chrono::floor<std::chrono::seconds>(after) + 1s;
}

void ProfileSeconds::Feed(UnixTime t, const Directory& directory, const HostReadings& readings) {
  const auto second = WholeSecond(t);
  bool silent = true;
  const auto hosts = hosts_.At(t, directory, readings, masked_);
  for (const auto& host : hosts) {
    auto found = nodes_.find(host.node);
    if (found == nodes_.end()) {
      found = nodes_.emplace(std::string(host.node), Node{}).first;
      found->second.next = second;
    }
    if (plan_.wait) {
      found->second.imputer.Put(host.sample);
    } else {
      found->second.samples.push_back(host.sample);
    }
    silent = silent && std::all_of(host.sample.begin(), host.sample.end(), IsMissing);
  }
  if (hosts.size() < nodes_.size()) {
    // Both are in the order of names: who is not among the hosts is gone.
    auto host = hosts.begin();
    for (auto node = nodes_.begin(); node != nodes_.end();) {
      if (host != hosts.end() && host->node == node->first) {
        ++host;
        ++node;
      } else {
        histograms_.Forget(node->first);
        node = nodes_.erase(node);
      }
    }
  }
  silent_ = silent ? silent_ + 1 : 0;
  fed_ = t;
}

bool ProfileSeconds::AllReady(std::int64_t second) const {
  // A node that came later has no sample of this second and holds up nobody.
  return std::all_of(nodes_.begin(), nodes_.end(), [&](const auto& node) {
    return node.second.next > second ||
           (plan_.wait ? node.second.imputer.Ready() : !node.second.samples.empty());
  });
}

// Feeds what it takes to know every node's sample of `t`: with `wait`, the seconds after it that
// its holes are filled from.
bool ProfileSeconds::FeedUntilReady(UnixTime t, const EvidenceMoment& now) {
  while (!fed_ || *fed_ < t || !AllReady(WholeSecond(t))) {
    const auto next = fed_ && *fed_ >= t ? *fed_ + 1s : t;
    if (next > now.horizon) {
      if (!now.ended || !fed_ || *fed_ < t) {
        return false;
      }
      // Nothing will come that could still change a hole.
      for (auto& [name, node] : nodes_) {
        node.imputer.Finish();
      }
      return true;
    }
    if (!now.hosts->Settled(next, now.watermark)) {
      return false;
    }
    Feed(next, now.directory, *now.hosts);
  }
  return true;
}

HostSample ProfileSeconds::NextSample(Node& node) const {
  if (plan_.wait) {
    return node.imputer.Next();
  }
  const auto sample = node.samples.front();
  node.samples.pop_front();
  return sample;
}

std::optional<std::vector<Event>> ProfileSeconds::Observe(const EvidenceMoment& now) {
  const auto t = Next(now.first);
  if (!FeedUntilReady(t, now)) {
    return std::nullopt;
  }
  std::vector<Event> events;
  HostEvent collected{.end = t, .hosts = {}};
  std::vector<ProfileHistograms::Input> inputs;
  for (auto& [name, node] : nodes_) {
    if (node.next > WholeSecond(t)) {  // it came while later seconds were fed
      continue;
    }
    ++node.next;
    const auto sample = NextSample(node);
    if (plan_.collect) {
      collected.hosts.emplace_back(name, sample);
      continue;
    }
    Average(sample, node.average);
    const auto found = classifier_->Classify(sample);
    node.label = found ? std::optional(found->label) : std::nullopt;
    inputs.push_back({.host = name, .label = node.label});
  }
  if (!plan_.collect) {
    Judge(t, inputs, events);
  } else if (!collected.hosts.empty()) {
    events.emplace_back(std::move(collected));
  }
  done_ = t;
  now.hosts->Prune(*fed_);
  SkipSilence(t, now.horizon, *now.hosts);
  return events;
}

void ProfileSeconds::Judge(UnixTime t, const std::vector<ProfileHistograms::Input>& inputs,
                           std::vector<Event>& events) {
  const auto result = histograms_.Observe(WholeSecond(t), inputs);
  UnknownRatio::Second now{.second = WholeSecond(t), .labels = 0, .unknown = 0};
  for (const auto& input : inputs) {
    now.labels += input.label ? 1U : 0U;
    // The label after the last profile's is that of what no profile explains.
    now.unknown += input.label && *input.label > classifier_->Profiles() ? 1U : 0U;
  }
  unknown_.Record(now);
  SetStatus(t, inputs, result);
  if (plan_.events && !result.taking_part.empty()) {
    events.push_back(MakeEvent(t, inputs, result));
  }
}

void ProfileSeconds::SetStatus(UnixTime t, const std::vector<ProfileHistograms::Input>& inputs,
                               const ProfileHistograms::Result& result) {
  status_.second = t;
  status_.unknown_ratio = unknown_.Ratio();
  status_.stale = unknown_.Stale();
  status_.nodes.clear();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& host = result.hosts[i];
    status_.nodes.push_back({.node = std::string(inputs[i].host),
                             .label = inputs[i].label,
                             .distance = host.distance,
                             .alarm = host.alarm,
                             .indicted = host.indicted});
  }
}

// Millions of silent seconds need not be looked at one by one.
void ProfileSeconds::SkipSilence(UnixTime t, UnixTime horizon, const HostReadings& readings) {
  if (silent_ > kSilentSeconds && done_ == fed_) {
    const auto next = readings.NextAfter(t);
    // A rate needs the reading before it as well: go on a little earlier.
    const auto until = next ? std::min(*next - 2s, horizon) : horizon;
    if (until > t) {
      done_ = std::chrono::floor<std::chrono::seconds>(until);
      fed_ = done_;
      for (auto& [name, node] : nodes_) {
        node.imputer = HostImputer();
        node.next = WholeSecond(*done_) + 1;
      }
    }
  }
}

Event ProfileSeconds::MakeEvent(UnixTime t, const std::vector<ProfileHistograms::Input>& inputs,
                                const ProfileHistograms::Result& result) const {
  ProfileEvent event{.end = t, .threshold = plan_.model.threshold, .components = {}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    event.components.push_back({.component = std::string(inputs[i].host),
                                .label = inputs[i].label,
                                .distances = {},
                                .alarm = result.hosts[i].alarm,
                                .indicted = result.hosts[i].indicted});
  }
  const auto n = result.taking_part.size();
  // All pairs in full, which for a thousand nodes takes seconds: this event is for replays.
  for (std::size_t a = 0; a < n; ++a) {
    auto& distances = event.components[result.taking_part[a]].distances;
    for (std::size_t b = 0; b < n; ++b) {
      if (a != b) {
        distances.emplace_back(inputs[result.taking_part[b]].host, result.Distance(a, b));
      }
    }
  }
  return event;
}

void ProfileSeconds::SetMasked(const std::vector<std::string>& masked) {
  masked_ = masked;
  // Members are remembered between changes of the directory, and masks are none of it.
  hosts_.ForgetMembers();
}

Behaviour ProfileSeconds::Findings() const {
  Behaviour behaviour;
  std::vector<NodeAverage> averages;
  for (const auto& [name, node] : nodes_) {
    behaviour.peers.insert(name);
    averages.push_back({.node = name, .average = node.average});
  }
  behaviour.verdicts = ProfileFindings(plan_.model, status_, averages);
  return behaviour;
}

ProfileMemory ProfileSeconds::Export() const {
  ProfileMemory memory{.second = done_,
                       .nodes = {},
                       .counting_since = unknown_.Since(),
                       .counts = unknown_.Seconds()};
  for (const auto& [name, history] : histograms_.Histories()) {
    const auto node = nodes_.find(name);
    memory.nodes[name] = node == nodes_.end() ? ProfileNodeMemory{.history = history}
                                              : ProfileNodeMemory{.history = history,
                                                                  .average = node->second.average,
                                                                  .label = node->second.label};
  }
  return memory;
}

void ProfileSeconds::Resume(const ProfileMemory& memory) {
  // Training has no model that the labels of an earlier run could belong to.
  if (!memory.second || plan_.collect) {
    return;
  }
  done_ = memory.second;
  fed_ = memory.second;
  const auto second = WholeSecond(*done_);
  std::vector<ProfileHistograms::Input> inputs;
  for (const auto& [name, node] : memory.nodes) {
    if (!histograms_.Restore(name, node.history)) {
      continue;
    }
    auto& resumed = nodes_[name];
    resumed.next = second + 1;
    resumed.average = node.average;
    resumed.label = node.label;
    inputs.push_back({.host = name, .label = node.label});
  }
  unknown_.Restore(memory.counting_since, memory.counts);
  SetStatus(*done_, inputs, histograms_.Recall(second, inputs));
}

}  // namespace limpet
