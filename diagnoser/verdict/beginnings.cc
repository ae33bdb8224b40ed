#include "diagnoser/verdict/beginnings.h"

#include <algorithm>

namespace limpet {
namespace {

UnixTime FindSince(const VerdictEvent& verdict, Duration window) {
  auto since = verdict.end;
  for (const auto& evidence : verdict.evidence) {
    if (evidence.onset) {
      since = std::min(since, *evidence.onset);
    } else if (!evidence.windows.empty()) {
      since = std::min(since, evidence.windows.front() - window);
    }
  }
  return since;
}

}  // namespace

void Beginnings::Update(Duration window, std::vector<VerdictEvent>& verdicts,
                        std::vector<UnknownEvent>& unknown) {
  std::map<Key, Beginning> now;
  for (auto& verdict : verdicts) {
    const Key key{verdict.node, verdict.cause};
    const auto known = open_.find(key);
    auto beginning = known != open_.end() ? known->second
                                          : Beginning{.preset = verdict.preset,
                                                      .node = verdict.node,
                                                      .cause = verdict.cause,
                                                      .since = FindSince(verdict, window),
                                                      .named = verdict.end};
    // Who suffered from another at first and is indicted later has been named only now.
    if (!verdict.secondary && !beginning.indicted) {
      beginning.indicted = true;
      beginning.named = verdict.end;
    }
    verdict.since = beginning.since;
    verdict.named = beginning.named;
    now[key] = std::move(beginning);
  }
  for (auto& one : unknown) {
    const Key key{one.node, one.cause};
    const auto known = open_.find(key);
    // Of a state that an older release has saved: its last verdict is all that is known.
    if (known == open_.end()) {
      continue;
    }
    one.since = known->second.since;
    one.named = known->second.named;
    now[key] = known->second;
  }
  open_ = std::move(now);
}

std::vector<Beginning> Beginnings::Export() const {
  std::vector<Beginning> all;
  all.reserve(open_.size());
  for (const auto& [key, beginning] : open_) {
    all.push_back(beginning);
  }
  return all;
}

void Beginnings::Restore(Beginning beginning) {
  const Key key{beginning.node, beginning.cause};
  open_[key] = std::move(beginning);
}

}  // namespace limpet
