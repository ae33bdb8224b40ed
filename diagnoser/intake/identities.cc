#include "diagnoser/intake/identities.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace limpet {
namespace {

// Both are worked out from the clock and the uptime, so that they move when the clock is slewed;
// clients of Prometheus round them.
constexpr double kKernelJitter = 2;  // seconds

bool Differs(const std::optional<double>& known, const std::optional<double>& now, double slack) {
  return known && now && std::abs(*known - *now) > slack;
}

}  // namespace

std::map<std::string, Identities::Page> Identities::Gather(
    std::span<const PageReader::Claim> claims) {
  std::map<std::string, Page> pages;
  for (const auto& claim : claims) {
    auto& page = pages[claim.node];
    page.identity.seen = std::max(page.identity.seen, claim.at);
    if (!claim.hostname.empty()) {
      page.identity.hostname = claim.hostname;
    } else if (claim.field == ExporterField::kBootTime) {
      page.identity.boot = claim.value;
    } else if (claim.field == ExporterField::kStartTime) {
      page.identity.start = claim.value;
      page.own_start = true;
    } else if (!page.own_start) {
      page.identity.start = claim.value;
    }
  }
  return pages;
}

void Identities::Compare(const std::string& node, const Identity& known, const Page& page,
                         Changes& changes) {
  const auto& now = page.identity;
  if (Differs(known.boot, now.boot, kKernelJitter)) {
    changes.replaced.emplace(node, IdentityChange::kBootTime);
  }
  if (!known.hostname.empty() && !now.hostname.empty() && known.hostname != now.hostname) {
    changes.replaced.emplace(node, IdentityChange::kHostname);
  }
  if (!Differs(known.start, now.start, page.own_start ? 0 : kKernelJitter)) {
    return;
  }
  // Who was running already when the last page came did not write it. Where the clock was set back
  // meanwhile this costs one gap.
  if (*now.start < ToSeconds(known.seen.time_since_epoch())) {
    changes.replaced.emplace(node, IdentityChange::kStartTime);
  }
  changes.restarted.insert(node);
}

Identities::Changes Identities::Update(std::span<const PageReader::Claim> claims) {
  Changes changes;
  for (auto& [node, page] : Gather(claims)) {
    const auto found = known_.find(node);
    if (found == known_.end()) {
      // The first page that is heard of says nothing: we may have come after it.
      if (known_.size() < max_nodes_) {
        known_.emplace(node, std::move(page.identity));
      }
      continue;
    }
    auto& known = found->second;
    Compare(node, known, page, changes);
    known.start = page.identity.start ? page.identity.start : known.start;
    known.boot = page.identity.boot ? page.identity.boot : known.boot;
    known.hostname = page.identity.hostname.empty() ? known.hostname : page.identity.hostname;
    known.seen = std::max(known.seen, page.identity.seen);
  }
  return changes;
}

void Identities::Forget(std::string_view node) {
  if (const auto found = known_.find(node); found != known_.end()) {
    known_.erase(found);
  }
}

Identities::Starts Identities::All() const {
  Starts starts;
  for (const auto& [node, identity] : known_) {
    if (identity.start) {
      starts.emplace(node, *identity.start);
    }
  }
  return starts;
}

void Identities::Resume(const Starts& starts, std::optional<UnixTime> last) {
  known_.clear();
  for (const auto& [node, start] : starts) {
    known_[node] = {.start = start, .boot = {}, .hostname = {}, .seen = last.value_or(UnixTime())};
  }
}

}  // namespace limpet
