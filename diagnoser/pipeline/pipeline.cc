#include "diagnoser/pipeline/pipeline.h"

#include <algorithm>
#include <utility>

#include "diagnoser/evidence/setup.h"
#include "diagnoser/pipeline/impl.h"
#include "diagnoser/pipeline/view.h"

namespace limpet {

void Pipeline::WorkBy(const SideBySide& for_each) {
  impl_->for_each = for_each;
  for (auto& run : impl_->runs) {
    run.WorkBy(for_each);
  }
}

void Pipeline::ExpectNodes(std::size_t count) { impl_->directory.ExpectNodes(count); }

const PipelineCounters& Pipeline::Counters() const { return impl_->counters; }

void Pipeline::Impl::WatchNodes() {
  intake.FeedActivity(activity);
  intake.FeedFacts(facts);
  sources = {&cwnd};
  if (config.profiles) {
    hosts.emplace(config.limits.future);
    intake.FeedHosts(*hosts);
    profiles.emplace(*config.profiles, static_cast<std::uint32_t>(config.groups.size()),
                     config.masked);
    sources.push_back(&*profiles);
  }
  if (config.syscalls) {
    syscalls.emplace(*config.syscalls, config.addresses, config.masked, config.limits.future);
    intake.Feed(EntityKind::kSyscalls, syscalls->Readings());
    sources.push_back(&*syscalls);
  }
}

std::optional<CwndLimit> Pipeline::Impl::FindLimit(std::uint32_t group,
                                                   std::string_view metric) const {
  const auto run =
      std::ranges::find_if(runs, [](const PresetRun& one) { return one.Settings().cwnd_events; });
  return run == runs.end() ? std::nullopt : std::optional(run->Groups()[group].FindLimit(metric));
}

Pipeline::Impl::Impl(PipelineConfig given)
    : config(std::move(given)),
      always(config.masked),
      directory(CompileRules(config), MakeEntityLimits(config.limits)),
      readings(MakeGrids(config)),
      intake(config.limits),
      cwnd(config, [this](std::uint32_t group,
                          std::string_view metric) { return FindLimit(group, metric); }),
      // Twice: components that are gone keep their place for a while.
      memberships(FirstWindow(config), 2 * config.limits.max_components),
      verdicts(MakeServerVerdicts(config.presets)) {
  WatchNodes();
  const auto numbers = GridNumbers(config);
  if (!config.custom.empty()) {
    custom.emplace(config, MakeGrids(config), numbers);
    intake.FeedCustom(custom->Readings());
  }
  runs.reserve(config.presets.size());
  for (std::size_t i = 0; i < config.presets.size(); ++i) {
    const auto& preset = config.presets[i];
    const auto& trained_as = preset.IsScale() ? preset.scale_of.preset : preset.name;
    const auto trained =
        std::find_if(config.thresholds.begin(), config.thresholds.end(),
                     [&](const Thresholds& one) { return one.preset == trained_as; });
    runs.emplace_back(preset, numbers[i], trained == config.thresholds.end() ? nullptr : &*trained,
                      config.groups);
  }
}

Pipeline::Pipeline(PipelineConfig config) : impl_(std::make_unique<Impl>(std::move(config))) {}
Pipeline::~Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline& Pipeline::operator=(Pipeline&&) noexcept = default;

SourceAhead Pipeline::ReadAhead(std::string_view source) { return impl_->intake.ReadAhead(source); }

Result<IngestStats> Pipeline::Ingest(const Scrape& scrape, const PageAhead* ahead) {
  auto& my = *impl_;
  // Before the first Advance nobody knows what time it is in the data.
  const auto latest =
      my.watermark ? std::optional(*my.watermark + my.config.limits.future) : std::nullopt;
  auto stats = my.intake.Ingest(scrape, latest, my.directory, my.readings, my.counters, ahead);
  my.Heed(stats);
  return stats;
}

void Pipeline::Impl::Heed(const Result<IngestStats>& stats) {
  if (!stats) {
    return;
  }
  if (stats->first) {
    first = first ? std::min(*first, *stats->first) : *stats->first;
    last = last ? std::max(*last, *stats->last) : *stats->last;
  }
  for (const auto& disk : stats->renewed) {
    ForgetRenewed(disk);
  }
}

void Pipeline::IngestTogether(std::span<PageOfTurn> pages) {
  auto& my = *impl_;
  for (auto& page : pages) {
    page.latest = page.scrape.at + my.config.limits.future;
  }
  my.intake.IngestTogether(pages, my.for_each, my.directory, my.readings, my.counters);
  for (const auto& page : pages) {
    my.Heed(page.stats);
  }
}

void Pipeline::SetMasked(std::vector<std::string> masked) {
  impl_->always = std::move(masked);
  impl_->ApplyMasks();
}

void Pipeline::Impl::MaskBy(UnixTime at) {
  if (config.timed_masks.empty()) {
    return;
  }
  Duration longest{};
  for (const auto& preset : config.presets) {
    longest = std::max(longest, preset.step * static_cast<Duration::rep>(preset.window));
  }
  auto masked = MaskedWithin(config.timed_masks, at - longest, at);
  if (masked != by_time) {
    by_time = std::move(masked);
    ApplyMasks();
  }
}

void Pipeline::Impl::ApplyMasks() {
  config.masked = always;
  config.masked.insert(config.masked.end(), by_time.begin(), by_time.end());
  memberships.Invalidate();
  for (auto* const source : sources) {
    source->SetMasked(config.masked);
  }
}

PipelineView Pipeline::View() const {
  auto view =
      MakeView(impl_->runs, impl_->verdicts, impl_->directory, impl_->counters, impl_->first);
  view.masked = impl_->config.masked;
  view.last_reading = impl_->last;
  view.disk_kinds = impl_->memberships.Kinds().Texts();
  if (impl_->profiles) {
    view.profiles = impl_->profiles->Status();
  }
  if (impl_->custom) {
    for (const auto& servers : impl_->verdicts) {
      impl_->custom->AddTo(view, servers.Runs());
    }
    view.custom = impl_->custom->Status();
  }
  view.syscalls = impl_->syscalls && !impl_->syscalls->Readings().Empty();
  view.round_trips = std::ranges::any_of(impl_->config.presets, &PresetSettings::round_trips);
  return view;
}

}  // namespace limpet
