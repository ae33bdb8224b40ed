#include "diagnoser/view/judge_servers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "diagnoser/detect/comparison.h"
#include "diagnoser/metrics/catalog.h"

namespace limpet {
namespace {

constexpr std::size_t kNamed = 5;  // servers in a sentence

constexpr std::array<std::string_view, 10> kSummaries = {"judged",
                                                         "no answer",
                                                         "no reading yet",
                                                         "masked",
                                                         "in no peer group",
                                                         "fewer than three servers to compare",
                                                         "two kinds in one peer group",
                                                         "too early",
                                                         "readings too far apart",
                                                         "in no window of late"};

// When a verdict may come for the first time, by any preset.
std::optional<UnixTime> FindFirstVerdict(const PipelineView& view) {
  std::optional<UnixTime> earliest;
  for (const auto& preset : view.presets) {
    if (preset.first_verdict && (!earliest || *preset.first_verdict < *earliest)) {
      earliest = preset.first_verdict;
    }
  }
  return earliest;
}

// A peer group as one of its servers sees it.
struct Finding {
  NotJudged reason = NotJudged::kJudged;
  std::string text;
  std::optional<UnixTime> possible;
};

class Judge {
 public:
  explicit Judge(const JudgementInput& input) : input_(input), view_(*input.view) {
    for (const auto& row : view_.coverage) {
      rows_[row.node].push_back(&row);
    }
    for (const auto& row : view_.nodes) {
      if (row.cause != Cause::kNone) {
        auto& verdict = verdicts_[row.node];
        verdict = verdict == nullptr || (row.indicted && !verdict->indicted) ? &row : verdict;
      }
      names_.insert(row.node);
    }
    for (const auto& row : view_.coverage) {
      names_.insert(row.node);
      if (!row.minor) {
        ++servers_[{row.preset, row.group}];
      }
    }
    for (const auto& one : input_.known) {
      known_[one.node] = &one;
      names_.insert(one.node);
    }
    for (const auto& entry : view_.masked) {
      const auto node = entry.substr(0, entry.find('/'));
      masked_.insert(node);
      // Recordings have no targets: who was masked is known by the masks alone.
      if (input_.known.empty()) {
        names_.insert(node);
      }
    }
    if (view_.profiles) {
      for (const auto& node : view_.profiles->nodes) {
        profiled_.insert(node.node);
      }
    }
  }

  [[nodiscard]] const std::set<std::string>& Names() const { return names_; }

  [[nodiscard]] ServerJudgement Of(const std::string& node) const {
    ServerJudgement judgement{.node = node};
    const auto rows = rows_.find(node);
    if (rows != rows_.end()) {
      for (const auto* row : rows->second) {
        judgement.compared = std::max(judgement.compared, row->compared);
      }
    }
    const auto verdict = verdicts_.find(node);
    if (verdict != verdicts_.end() && !verdict->second->unknown) {
      judgement.standing = Standing::kLimps;
      judgement.text = fmt::format("{}: {}", verdict->second->indicted ? "limps" : "differs, too",
                                   Name(verdict->second->cause));
      return judgement;
    }
    auto finding = Find(node, rows == rows_.end() ? Rows() : rows->second);
    if (verdict != verdicts_.end() && finding.reason == NotJudged::kJudged) {
      // Its peers are back, but not for as long as it takes to flag it again.
      finding = {
          .reason = NotJudged::kTooEarly,
          .text = fmt::format("it was indicted: {}, and has not been compared for long enough "
                              "since",
                              Name(verdict->second->cause))};
    }
    judgement.reason = finding.reason;
    judgement.possible = finding.possible;
    if (finding.reason == NotJudged::kJudged) {
      judgement.standing = Standing::kLikePeers;
      judgement.text = "like its peers";
    } else {
      judgement.text = "not judged: " + finding.text;
    }
    return judgement;
  }

 private:
  using Rows = std::vector<const CoverageStatus*>;

  [[nodiscard]] Finding Find(const std::string& node, const Rows& rows) const {
    const auto known = known_.find(node);
    // At once, although its last window may still hold: nothing is known of it from now on.
    if (known != known_.end() && known->second->up == false) {
      return {.reason = NotJudged::kNoAnswer,
              .text = known->second->error.empty() ? "it does not answer"
                                                   : "no page of it: " + known->second->error};
    }
    if (rows.empty()) {
      return FindWithoutGroup(node, known != known_.end() && !known->second->up);
    }
    // A masked device leaves the server's others in their groups.
    const bool only_minor = std::ranges::all_of(rows, &CoverageStatus::minor);
    std::optional<Finding> worst;
    bool judged = false;
    for (const auto* row : rows) {
      if (row->minor && !only_minor) {
        continue;
      }
      auto finding = Find(*row);
      judged = judged || finding.reason == NotJudged::kJudged;
      if (finding.reason != NotJudged::kJudged && !worst) {
        worst = std::move(finding);
      }
    }
    if (only_minor && judged) {
      return {};
    }
    return worst.value_or(Finding());
  }

  [[nodiscard]] Finding FindWithoutGroup(const std::string& node, bool is_unasked) const {
    // What is masked is a member of nothing, so a server of which something is left has rows.
    if (masked_.contains(node)) {
      return {.reason = NotJudged::kMasked, .text = "masked"};
    }
    // Behaviour profiles compare whole nodes, whether they are in a peer group or not.
    if (profiled_.contains(node)) {
      return {};
    }
    if (is_unasked || !view_.last_reading) {
      return {.reason = NotJudged::kNoReadings, .text = "no reading of it has come yet"};
    }
    // Groups are found at the first window end.
    if (auto early = FindEarly()) {
      return *std::move(early);
    }
    return {.reason = NotJudged::kNoGroup, .text = "no peer group has a component of it"};
  }

  // While no verdict is possible for anybody.
  [[nodiscard]] std::optional<Finding> FindEarly() const {
    const auto earliest = FindFirstVerdict(view_);
    return earliest && *earliest > *view_.last_reading ? std::optional(TooEarly(*earliest))
                                                       : std::nullopt;
  }

  [[nodiscard]] static Finding TooEarly(UnixTime possible) {
    return {.reason = NotJudged::kTooEarly,
            .text = "first verdict possible at " + IsoTime(possible),
            .possible = possible};
  }

  [[nodiscard]] Finding Find(const CoverageStatus& row) const {
    const auto preset = std::ranges::find(input_.presets, row.preset, &PresetSettings::name);
    const bool is_known = preset != input_.presets.end();
    const bool lately =
        row.compared && is_known && input_.now - *row.compared <= Horizon(*preset, input_.lateness);
    if (lately && row.enough) {
      return FindInTwo(row);
    }
    if (!row.compared && is_known && input_.data_step && *input_.data_step > preset->MaxGap()) {
      return {.reason = NotJudged::kStep,
              .text = fmt::format("step {} s: preset {} wants readings at most {} s apart",
                                  ToSeconds(*input_.data_step), row.preset,
                                  ToSeconds(preset->MaxGap()))};
    }
    // Before the time: no window to come changes anything while there are too few.
    if (auto few = FindTooFew(row)) {
      return *std::move(few);
    }
    if (lately && row.possible) {
      return TooEarly(*row.possible);
    }
    return FindLate(row);
  }

  // No window has compared it, or none of late.
  [[nodiscard]] Finding FindLate(const CoverageStatus& row) const {
    if (!row.compared && view_.last_reading) {
      if (auto early = FindEarly()) {
        return *std::move(early);
      }
    }
    return {.reason = NotJudged::kNoWindow,
            .text = row.compared
                        ? fmt::format("no window of peer group {} has compared it since {}",
                                      row.group, IsoTime(*row.compared))
                        : fmt::format("no window of peer group {} has compared it: too few "
                                      "samples",
                                      row.group)};
  }

  [[nodiscard]] std::optional<Finding> FindTooFew(const CoverageStatus& row) const {
    const auto servers = servers_.find({row.preset, row.group});
    const auto group = std::ranges::find_if(view_.groups, [&](const GroupStatus& one) {
      return one.preset == row.preset && one.group == row.group;
    });
    if (servers == servers_.end() || group == view_.groups.end() || group->per_node ||
        (servers->second >= kMinPeers && group->taking_part >= kMinPeers)) {
      return std::nullopt;
    }
    // Groups have members from their first window on.
    if (servers->second >= kMinPeers && group->taking_part == 0) {
      return std::nullopt;
    }
    return Finding{.reason = NotJudged::kTooFew,
                   .text = fmt::format("fewer than three servers of peer group {} can be compared",
                                       row.group)};
  }

  [[nodiscard]] Finding FindInTwo(const CoverageStatus& row) const {
    for (const auto& storm : view_.storms) {
      if (storm.preset == row.preset && storm.group == row.group && IsAbout(storm, row.node)) {
        return {
            .reason = NotJudged::kTwoKinds,
            .text = fmt::format("peer group {} is in two by {}: {} of {} components differ from "
                                "the others",
                                row.group, MetricLabel(storm.metric), storm.flagged, storm.n)};
      }
    }
    return {};
  }

  // Of a group half of which is slow, the other half is what it is compared with.
  [[nodiscard]] static bool IsAbout(const StormEvent& storm, const std::string& node) {
    return storm.either_side ||
           (storm.half && (storm.flagged > storm.components.size() ||
                           std::ranges::any_of(storm.components, [&](const std::string& component) {
                             return component.substr(0, component.find('/')) == node;
                           })));
  }

  const JudgementInput& input_;
  const PipelineView& view_;
  std::set<std::string> names_;
  std::set<std::string> masked_;
  std::set<std::string> profiled_;
  std::map<std::string, Rows> rows_;
  std::map<std::string, const NodeStatus*> verdicts_;
  std::map<std::string, const KnownServer*> known_;
  std::map<std::pair<std::string, std::string>, std::size_t> servers_;  // by preset and group
};

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text + (names.size() > kNamed ? ", \u2026" : "");
}

// Why nobody is judged, in one sentence, where there is one reason for all.
std::string SumUpNone(const Judgements& all, const JudgementInput& input) {
  if (all.servers.empty()) {
    if (!input.view->last_reading) {
      return "no reading has come yet";
    }
    const auto early = FindFirstVerdict(*input.view);
    return early && *early > *input.view->last_reading
               ? "first verdict possible at " + IsoTime(*early)
               : "no peer group has a component of any server";
  }
  const auto count = [&](NotJudged reason) {
    return static_cast<std::size_t>(
        std::ranges::count(all.servers, reason, &ServerJudgement::reason));
  };
  // Each target fails in words of its own; how many do says more.
  if (const auto silent = count(NotJudged::kNoAnswer); silent > 0 && silent == input.known.size()) {
    return fmt::format("0 of {} targets answer", input.known.size());
  }
  const auto first = std::ranges::find_if(
      all.servers, [](const ServerJudgement& one) { return one.reason != NotJudged::kNoGroup; });
  if (first == all.servers.end()) {
    return "no peer group has a component of any server";
  }
  const bool same = std::ranges::all_of(all.servers, [&](const ServerJudgement& one) {
    return one.reason == NotJudged::kNoGroup || one.text == first->text;
  });
  constexpr std::string_view kPrefix = "not judged: ";
  return same ? first->text.substr(kPrefix.size()) : "";
}

std::string SumUp(const Judgements& all, const JudgementInput& input) {
  const auto judged = all.limping + all.like_peers;
  if (judged == 0) {
    if (const auto text = SumUpNone(all, input); !text.empty()) {
      return "no server is judged: " + text;
    }
  }
  // Clients are scraped, too, and are no server's peers: they are not counted.
  auto text = fmt::format("{} of {} servers are judged", judged, judged + all.not_judged);
  for (std::size_t reason = 1; reason < kSummaries.size(); ++reason) {
    std::vector<std::string> names;
    for (const auto& one : all.servers) {
      if (one.standing == Standing::kNotJudged && one.reason == static_cast<NotJudged>(reason) &&
          one.reason != NotJudged::kNoGroup) {
        names.push_back(one.node);
      }
    }
    if (!names.empty()) {
      text += fmt::format("; {} not: {} ({})", names.size(), kSummaries[reason], Listed(names));
    }
  }
  return text;
}

}  // namespace

Duration Horizon(const PresetSettings& preset, Duration lateness) {
  return 2 * preset.Shift() + preset.MaxGap() + lateness;
}

const ServerJudgement* Judgements::Find(std::string_view node) const {
  const auto found = std::ranges::lower_bound(servers, node, std::less<>(), &ServerJudgement::node);
  return found != servers.end() && found->node == node ? &*found : nullptr;
}

Judgements JudgeServers(const JudgementInput& input) {
  const Judge judge(input);
  Judgements all;
  for (const auto& node : judge.Names()) {
    auto one = judge.Of(node);
    switch (one.standing) {
      case Standing::kLimps:
        ++all.limping;
        break;
      case Standing::kLikePeers:
        ++all.like_peers;
        break;
      case Standing::kNotJudged:
        ++(one.reason == NotJudged::kNoGroup ? all.outside : all.not_judged);
        break;
    }
    all.servers.push_back(std::move(one));
  }
  for (const auto& one : all.servers) {
    if (all.limping + all.like_peers == 0 && one.possible &&
        (!all.possible || *one.possible < *all.possible)) {
      all.possible = one.possible;
    }
  }
  all.text = SumUp(all, input);
  return all;
}

}  // namespace limpet
