#include "diagnoser/sources/discovery.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "diagnoser/sources/target_groups.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxTargets = 100'000;
constexpr std::size_t kMaxLogged = 20;  // problems of one change that are logged one by one

}  // namespace

Discovery::Discovery(std::vector<Target> fixed, std::vector<SdSource> sources, const Clock& clock,
                     LogSink log)
    : clock_(clock), log_(std::move(log)) {
  Replace(std::move(fixed), std::move(sources));
}

Discovery::Source Discovery::Begin(SdSource settings) const {
  Source source{.settings = std::move(settings),
                .files = {},
                .next_read = clock_.Steady(),
                .list = {},
                .status = {}};
  source.status.name = source.settings.name;
  if (!source.settings.files.empty()) {
    source.files.emplace(source.settings.files, source.settings.base);
  }
  return source;
}

void Discovery::Replace(std::vector<Target> fixed, std::vector<SdSource> sources) {
  fixed_ = std::move(fixed);
  std::vector<Source> fresh;
  for (auto& settings : sources) {
    // Keeping the list matters: a source that fails right after a reload would lose its targets.
    const auto same = std::find_if(sources_.begin(), sources_.end(),
                                   [&](const Source& one) { return one.settings == settings; });
    fresh.push_back(same == sources_.end() ? Begin(std::move(settings)) : std::move(*same));
    if (same != sources_.end()) {
      sources_.erase(same);  // moved from; a second source of the same settings begins anew
    }
  }
  sources_ = std::move(fresh);
  replaced_ = true;
}

std::vector<TargetPtr> Discovery::HttpSources() const {
  std::vector<TargetPtr> targets;
  for (const auto& source : sources_) {
    if (source.settings.http) {
      targets.push_back(std::make_shared<const Target>(Target{.node = source.settings.name,
                                                              .role = {},
                                                              .labels = {},
                                                              .endpoint = *source.settings.http,
                                                              .interval = source.settings.refresh,
                                                              .timeout = source.settings.timeout}));
    }
  }
  return targets;
}

void Discovery::Put(FetchedPage page) {
  const std::lock_guard lock(mutex_);
  answers_.push_back(std::move(page));
}

bool Discovery::ReadFiles(Source& source) {
  const auto now = clock_.Steady();
  if (!source.files || now < source.next_read) {
    return false;
  }
  source.next_read = now + source.settings.refresh;
  const bool changed = source.files->Refresh();
  auto& status = source.status;
  status.tried = true;
  status.good = source.files->Failing() == 0;
  if (changed) {
    source.list = source.files->List();
    // Only when something has changed: else a broken file would count at every look.
    status.failures["list"] += source.files->Failing();
    status.error = status.good ? "" : "a file cannot be used";
  }
  if (status.good) {
    status.last_good = clock_.Now();
  }
  return changed;
}

bool Discovery::ReadAnswer(Source& source, const FetchResult& result) {
  auto& status = source.status;
  status.tried = true;
  auto groups =
      result.failure
          ? Result<TargetGroups>(Error{ErrorCode::kUnavailable, result.error, source.settings.name})
          : ParseTargetGroups(result.body, ListFormat::kJson, source.settings.name);
  if (!groups) {
    const auto text = groups.error().Text();
    if (status.error != text) {  // once, however long it lasts
      log_(LogLevel::kWarning, text + "; its " + std::to_string(source.list.targets.size()) +
                                   " targets stay as they were");
    }
    status.good = false;
    ++status.failures[result.failure ? std::string(Name(*result.failure)) : "list"];
    status.error = text;
    return false;
  }
  if (!status.error.empty()) {
    log_(LogLevel::kInfo, source.settings.name + ": gives targets again");
  }
  status.good = true;
  status.error.clear();
  status.last_good = clock_.Now();
  // Problems count as a change too: they are logged and shown by Merge.
  auto list = MakeTargets(std::move(*groups), source.settings.base);
  const bool changed = list.targets != source.list.targets || list.problems != source.list.problems;
  source.list = std::move(list);
  return changed;
}

bool Discovery::Poll() {
  std::vector<FetchedPage> answers;
  {
    const std::lock_guard lock(mutex_);
    answers.swap(answers_);
  }
  bool changed = std::exchange(replaced_, false);
  for (const auto& page : answers) {
    // An answer may be late: its source may have been configured away, or changed, meanwhile.
    for (auto& source : sources_) {
      if (source.settings.http && source.settings.name == page.target->node &&
          *source.settings.http == page.target->endpoint) {
        changed = ReadAnswer(source, page.result) || changed;
      }
    }
  }
  for (auto& source : sources_) {
    changed = ReadFiles(source) || changed;
  }
  if (!changed) {
    return false;
  }
  const auto before = targets_;
  Merge();
  return targets_ != before;
}

void Discovery::Merge() {
  targets_.clear();
  std::vector<std::string> problems;
  std::map<std::string, std::pair<std::size_t, std::string>> known;  // node → place, by whom
  // URL → node: one exporter under two names would be its own peer.
  std::map<std::string, std::string> urls;
  const auto add = [&](const Target& target, const std::string& from) {
    const auto [first, is_new] = known.try_emplace(target.node, targets_.size(), from);
    if (is_new && targets_.size() < kMaxTargets) {
      targets_.push_back(target);
    } else if (is_new) {  // over the bound; said once, not once a target
      known.erase(first);
      if (problems.empty() || !problems.back().starts_with("more than ")) {
        problems.push_back("more than " + std::to_string(kMaxTargets) +
                           " targets; the rest is left out");
      }
    } else if (const auto& its = targets_[first->second.first];
               FormatUrl(its.endpoint) !=
               FormatUrl(target.endpoint)) {  // else listed twice, harmless
      problems.push_back(from + ": " + FormatUrl(target.endpoint) + ": node " + target.node +
                         " is already " + FormatUrl(its.endpoint) + " of " + first->second.second +
                         "; give each a label node of its own");
    }
  };
  // First, so that a list cannot take a node away from the configuration.
  for (const auto& target : fixed_) {
    add(target, "the configuration");
  }
  for (auto& source : sources_) {
    for (const auto& target : source.list.targets) {
      const auto url = FormatUrl(target.endpoint);
      const auto [same, is_new] = urls.try_emplace(url, target.node);
      if (is_new || same->second == target.node) {
        add(target, source.settings.name);
      } else {
        problems.push_back(source.settings.name + ": " + url + ": is node " + same->second +
                           " already, and cannot be " + target.node + " too");
      }
    }
    source.status.targets = source.list.targets.size();
    source.status.refused = source.list.problems.size();
    problems.insert(problems.end(), source.list.problems.begin(), source.list.problems.end());
  }
  LogProblems(std::move(problems));
}

void Discovery::LogProblems(std::vector<std::string> problems) {
  // Those of the last time have been logged: lists are read every few seconds.
  const std::set<std::string> logged(problems_.begin(), problems_.end());
  std::size_t fresh = 0;
  for (const auto& problem : problems) {
    if (!logged.contains(problem) && ++fresh <= kMaxLogged) {
      log_(LogLevel::kWarning, problem);
    }
  }
  if (fresh > kMaxLogged) {
    log_(LogLevel::kWarning, "and " + std::to_string(fresh - kMaxLogged) +
                                 " more entries of target lists that cannot be used");
  }
  problems_ = std::move(problems);
}

bool Discovery::Settled() const {
  return std::all_of(sources_.begin(), sources_.end(),
                     [](const Source& source) { return source.status.tried; });
}

std::vector<SdStatus> Discovery::Status() const {
  std::vector<SdStatus> all;
  for (const auto& source : sources_) {
    all.push_back(source.status);
  }
  return all;
}

}  // namespace limpet
