#include "diagnoser/intake/intake.h"

#include <algorithm>
#include <map>
#include <utility>

#include "exporter/common/instants.h"

namespace limpet {

void Intake::StartAnew(std::string_view node, const Directory& directory, Readings& readings) {
  for (const auto& row : DirectoryKinds()) {
    const auto entities = directory.Entities(row.kind);
    for (std::uint32_t i = 0; i < entities.size(); ++i) {
      if (!entities[i].live || entities[i].node != node) {
        continue;
      }
      readings.StartAnew(row.kind, i);
      if (hosts_ != nullptr) {
        hosts_->StartAnew(row.kind, i);
      }
    }
  }
}

void Intake::Renew(const std::vector<DiskChange>& disks, Directory& directory, Readings& readings,
                   std::vector<RenewedDisk>& renewed) {
  for (const auto& change : disks) {
    const auto& disk = directory.Entities(EntityKind::kDisk)[change.disk];
    renewed.push_back({.node = disk.node, .device = disk.device, .is_new = change.is_new});
    directory.Renew(change.disk, change.home);
    readings.Forget(EntityKind::kDisk, change.disk);
    if (hosts_ != nullptr) {
      hosts_->Forget(EntityKind::kDisk, change.disk);
    }
  }
}

Intake::Changes Intake::UpdateIdentities(const PageReader& page, const Scrape& scrape,
                                         Directory& directory, Readings& readings) {
  Changes changes{identities_.Update(page.Claims()), {}};
  for (const auto& claim : page.Claims()) {
    if (facts_ != nullptr && !claim.release.empty()) {
      facts_->AddKernel(claim.node, claim.release, claim.at);
    }
  }
  const auto disks = FindReplacedDisks(page.NewLines(), scrape, directory);
  for (const auto& change : disks) {
    changes.replaced.emplace(directory.Entities(EntityKind::kDisk)[change.disk].node,
                             IdentityChange::kDisk);
  }
  for (const auto& [node, change] : changes.replaced) {
    StartAnew(node, directory, readings);
    if (change == IdentityChange::kBootTime || change == IdentityChange::kHostname) {
      Renew(FindUnknownDisks(node, directory), directory, readings, changes.renewed);
    }
  }
  // After those: of a disk that is another one nothing is known for the moment.
  Renew(disks, directory, readings, changes.renewed);
  return changes;
}

Result<IngestStats> Intake::Ingest(const Scrape& scrape, std::optional<UnixTime> latest,
                                   Directory& directory, Readings& readings,
                                   PipelineCounters& counters, const PageAhead* ahead) {
  auto& cache = caches_.Prepare(scrape);
  const bool was_read = ahead != nullptr && ahead->IsOf(cache);
  auto read = was_read ? ahead->Stats() : page_.Read(scrape, cache);
  if (!read) {
    return read;
  }
  // Before the first reading is used: what tells whose page it is may stand anywhere on it.
  const auto& page = was_read ? ahead->Page() : page_;
  const auto changes = UpdateIdentities(page, scrape, directory, readings);
  feed_.Begin(Targets(directory, readings),
              {.scrape = &scrape,
               .page = &page,
               .cache = &cache,
               .restarted = &changes.restarted,
               .last_allowed = latest ? std::min(*latest, kLatestInstant) : kLatestInstant},
              *std::move(read));
  feed_.AddRest();
  auto stats = Count(feed_, cache, directory, counters);
  for (const auto& [node, change] : changes.replaced) {
    stats.replaced.push_back({node, change});
  }
  stats.renewed = changes.renewed;
  if (!changes.replaced.empty()) {
    // What the lines said of the disks was said of others: they are read anew should they return.
    caches_.Forget(scrape.source);
  }
  return stats;
}

FeedTargets Intake::Targets(Directory& directory, Readings& readings) {
  return {.caches = &caches_,
          .directory = &directory,
          .readings = &readings,
          .hosts = hosts_,
          .facts = facts_,
          .activity = activity_};
}

IngestStats Intake::Count(PageFeed& feed, const SeriesCache& cache, const Directory& directory,
                          PipelineCounters& counters) const {
  auto stats = std::move(feed.Stats());
  stats.over_limit += cache.WithoutRoom();
  counters.samples += stats.samples;
  counters.mapped += stats.mapped;
  counters.late += stats.late;
  counters.refused += stats.refused;
  counters.resets += feed.Resets();
  counters.gaps += feed.Gaps();
  counters.series = caches_.Series();
  counters.components = directory.Count();
  return stats;
}

bool Intake::IsPlain(const PageOfTurn& page) {
  return page.ahead != nullptr && page.ahead->IsOf(caches_.Prepare(page.scrape)) &&
         page.ahead->Stats() && !page.ahead->HasNewLines() && page.ahead->Page().Claims().empty();
}

void Intake::IngestTogether(std::span<PageOfTurn> pages, const SideBySide& for_each,
                            Directory& directory, Readings& readings, PipelineCounters& counters) {
  while (!pages.empty()) {
    std::size_t plain = 0;
    // Hosts have tables that grow.
    while (hosts_ == nullptr && plain < pages.size() && IsPlain(pages[plain])) {
      ++plain;
    }
    if (plain > 1) {
      IngestPlain(pages.first(plain), for_each, directory, readings, counters);
      pages = pages.subspan(plain);
      continue;
    }
    auto& page = pages.front();
    page.stats = Ingest(page.scrape, page.latest, directory, readings, counters, page.ahead);
    pages = pages.subspan(1);
  }
}

void Intake::IngestPlain(std::span<PageOfTurn> pages, const SideBySide& for_each,
                         Directory& directory, Readings& readings, PipelineCounters& counters) {
  static const Identities::Nodes kNobody;
  const auto targets = Targets(directory, readings);
  feeds_.resize(std::max(feeds_.size(), pages.size()));
  std::map<std::uint32_t, std::vector<std::size_t>> families;  // their pages, in order
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto& [scrape, ahead, latest, stats] = pages[i];
    feeds_[i].Begin(targets,
                    {.scrape = &scrape,
                     .page = &ahead->Page(),
                     .cache = &caches_.Prepare(scrape),
                     .restarted = &kNobody,
                     .last_allowed = std::min(latest, kLatestInstant)},
                    *ahead->Stats());
    families[caches_.FamilyOf(scrape.source)].push_back(i);
  }
  std::vector<const std::vector<std::size_t>*> tasks;
  tasks.reserve(families.size());
  for (const auto& [family, its] : families) {
    tasks.push_back(&its);
  }
  for_each(tasks.size(), [&](std::size_t task) {
    Spreads spreads(std::vector<GridSpec>(readings.Grids().begin(), readings.Grids().end()));
    // A page that is not done would come after the next one's counters.
    (void)std::ranges::all_of(*tasks[task],
                              [&](std::size_t i) { return feeds_[i].AddTracks(spreads); });
  });
  for (std::size_t i = 0; i < pages.size(); ++i) {
    feeds_[i].AddRest();
    pages[i].stats = Count(feeds_[i], caches_.Prepare(pages[i].scrape), directory, counters);
  }
}

}  // namespace limpet
