#include "diagnoser/history/verdict_history.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <utility>

#include "exporter/common/hash.h"

namespace limpet {
namespace {

std::size_t EvidenceBytes(const Evidence& evidence) {
  std::size_t bytes = sizeof(Evidence) + evidence.component.size() + evidence.group.size() +
                      evidence.windows.size() * sizeof(UnixTime);
  for (const auto* const names : {&evidence.far_peers, &evidence.near_peers}) {
    for (const auto& name : *names) {
      bytes += sizeof(std::string) + name.size();
    }
  }
  return bytes;
}

// The worst server of each preset: whom the secondary verdicts are explained by.
std::map<std::string, std::string> FindWorst(const PipelineView& view) {
  std::map<std::string, std::pair<std::size_t, std::string>> worst;
  for (const auto& verdict : view.verdicts) {
    const std::pair candidate{verdict.rank, verdict.node};
    const auto known = worst.find(verdict.preset);
    if (!verdict.secondary && (known == worst.end() || candidate < known->second)) {
      worst[verdict.preset] = candidate;
    }
  }
  std::map<std::string, std::string> nodes;
  for (const auto& [preset, found] : worst) {
    nodes[preset] = found.second;
  }
  return nodes;
}

// Each with its latest numbers.
std::vector<Fact> JoinFacts(std::vector<Fact> before, const std::vector<Fact>& now) {
  constexpr std::size_t kMost = 24;  // of one verdict, over all its time
  for (const auto& fact : now) {
    const auto known = std::find_if(before.begin(), before.end(), [&](const Fact& one) {
      return one.fact == fact.fact && one.device == fact.device && one.detail == fact.detail;
    });
    if (known != before.end()) {
      *known = fact;
    } else if (before.size() < kMost) {
      before.push_back(fact);
    }
  }
  return before;
}

// Those that show a window in which some of the evidence was anomalous.
std::vector<std::shared_ptr<const PeerBand>> PickBands(
    const VerdictEvent& verdict, const std::vector<std::shared_ptr<const PeerBand>>& bands) {
  std::vector<std::shared_ptr<const PeerBand>> picked;
  for (const auto& band : bands) {
    const bool wanted =
        std::any_of(verdict.evidence.begin(), verdict.evidence.end(), [&](const Evidence& one) {
          const auto& preset = verdict.preset;
          return band->preset == (one.scale.empty() ? preset : preset + "/" + one.scale) &&
                 one.group == band->group && one.metric == band->metric &&
                 std::find(one.windows.begin(), one.windows.end(), band->end) !=
                     one.windows.end() &&
                 std::any_of(band->own.begin(), band->own.end(), [&](const PeerBand::Own& own) {
                   return own.component == one.component;
                 });
        });
    if (wanted) {
      picked.push_back(band);
    }
  }
  return picked;
}

}  // namespace

std::size_t VerdictRecord::Bytes() const {
  std::size_t bytes = sizeof(VerdictRecord) + worst.node.size();
  for (const auto& evidence : worst.evidence) {
    bytes += EvidenceBytes(evidence);
  }
  for (const auto& fact : worst.facts) {
    bytes += sizeof(Fact) + fact.fact.size() + fact.device.size() + fact.detail.size() +
             fact.text.size() + fact.next.size();
  }
  // Verdicts of one group share their bands; counting them for each errs on the safe side.
  for (const auto& band : bands) {
    bytes += band->Bytes();
  }
  return bytes;
}

std::string VerdictId(const std::string& preset, const std::string& node, Cause cause,
                      UnixTime begin) {
  // NUL apart: no two triples make the same text.
  const auto text = preset + '\0' + node + '\0' + Name(cause) + '\0' +
                    std::to_string(begin.time_since_epoch().count());
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(Fnv1a64(text)));
  return digits.data();
}

void VerdictHistory::SetBounds(Duration duration, std::size_t max_bytes) {
  duration_ = duration;
  max_bytes_ = max_bytes;
  Trim();
}

void VerdictHistory::Update(const PipelineView& view,
                            const std::vector<std::shared_ptr<const PeerBand>>& bands) {
  const auto worst = FindWorst(view);
  for (const auto& verdict : view.verdicts) {
    newest_ = std::max(newest_, verdict.end);
    const auto explains = worst.find(verdict.preset);
    Continue(verdict,
             verdict.secondary && explains != worst.end() ? std::optional(explains->second)
                                                          : std::nullopt,
             bands);
  }
  EndOthers(view);
  Trim();
}

void VerdictHistory::Continue(const VerdictEvent& verdict,
                              const std::optional<std::string>& secondary_to,
                              const std::vector<std::shared_ptr<const PeerBand>>& bands) {
  auto& slot = open_[{verdict.preset, verdict.node, verdict.cause}];
  if (slot && verdict.end <= slot->last) {
    return;  // the same window again
  }
  auto record =
      slot
          ? *slot
          : VerdictRecord{.id = VerdictId(verdict.preset, verdict.node, verdict.cause, verdict.end),
                          .begin = verdict.end};
  record.last = verdict.end;
  record.since = slot ? std::min(record.since, verdict.Since()) : verdict.Since();
  record.named = verdict.Named();
  record.indicted = record.indicted || !verdict.secondary;
  record.secondary_to = secondary_to;
  record.rank = verdict.rank;
  // Facts come once a minute: what is known at the worst window is not all there is to say.
  auto facts = std::move(record.worst.facts);
  if (!slot || verdict.degree >= record.worst.degree) {
    record.worst = verdict;
    record.bands = PickBands(verdict, bands);
  }
  record.worst.facts = JoinFacts(std::move(facts), verdict.facts);
  Replace(slot, std::move(record));
}

void VerdictHistory::EndOthers(const PipelineView& view) {
  std::set<Key> current;
  for (const auto& verdict : view.verdicts) {
    current.emplace(verdict.preset, verdict.node, verdict.cause);
  }
  std::map<std::string, UnixTime> ends;
  for (const auto& group : view.groups) {
    if (group.window_end) {
      auto& end = ends[group.preset];
      end = std::max(end, *group.window_end);
    }
  }
  for (auto open = open_.begin(); open != open_.end();) {
    if (current.contains(open->first)) {
      ++open;
      continue;
    }
    auto record = *open->second;
    // Where no window has ended since, its preset is silent or its node is gone.
    const auto end = ends.find(std::get<0>(open->first));
    record.end = std::max(record.last, end == ends.end() ? record.last : end->second);
    Replace(open->second, std::move(record));
    newest_ = std::max(newest_, *open->second->end);
    ended_.push_back(std::move(open->second));
    open = open_.erase(open);
  }
}

void VerdictHistory::Replace(VerdictPtr& slot, VerdictRecord record) {
  bytes_ -= slot ? slot->Bytes() : 0;
  bytes_ += record.Bytes();
  slot = std::make_shared<const VerdictRecord>(std::move(record));
  ++changes_;
  latest_.push_back(slot);
  if (latest_.size() > kMaxChanges) {
    latest_.pop_front();
  }
}

void VerdictHistory::Trim() {
  while (!ended_.empty() && (bytes_ > max_bytes_ || *ended_.front()->end < newest_ - duration_)) {
    dropped_until_ = std::max(dropped_until_.value_or(UnixTime()), *ended_.front()->end);
    bytes_ -= ended_.front()->Bytes();
    ended_.pop_front();
  }
}

std::vector<VerdictPtr> VerdictHistory::Snapshot() const {
  std::vector<VerdictPtr> all(ended_.begin(), ended_.end());
  for (const auto& [key, record] : open_) {
    all.push_back(record);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const VerdictPtr& a, const VerdictPtr& b) { return a->begin < b->begin; });
  return all;
}

}  // namespace limpet
