#include "diagnoser/pipeline/pipeline.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "diagnoser/detect/cwnd/cwnd.h"
#include "diagnoser/metrics/samples.h"
#include "diagnoser/pipeline/intake.h"
#include "diagnoser/pipeline/newcomers.h"
#include "diagnoser/pipeline/preset_run.h"
#include "diagnoser/pipeline/profile_seconds.h"
#include "diagnoser/pipeline/view.h"

namespace limpet {
namespace {

using std::chrono::seconds;

constexpr UnixTime kEndOfTime = UnixTime(Duration::max() / 2);
constexpr Duration kTidyEvery = std::chrono::hours(1);

Duration ShiftOf(const PresetSettings& preset) {
  return preset.step * static_cast<Duration::rep>(preset.shift);
}

// Whoever is there within the first window of all is no newcomer.
Duration FirstWindow(const PipelineConfig& config) {
  Duration longest{};
  for (const auto& preset : config.presets) {
    longest = std::max(longest,
                       preset.step * static_cast<Duration::rep>(preset.window + preset.smoothing));
  }
  return longest;
}

// One grid a preset. A ring must hold the window, the samples its first means need, and what may
// arrive ahead while a window waits for a late target.
std::vector<GridSpec> GridsOf(const PipelineConfig& config) {
  std::vector<GridSpec> grids;
  for (const auto& preset : config.presets) {
    // Windows wait for the seconds of profiles before them.
    const Duration wait = config.profiles && config.profiles->wait
                              ? seconds(static_cast<std::int64_t>(kImputeDelay))
                              : Duration::zero();
    const auto ahead = (config.limits.future + wait + 2 * preset.MaxGap()) / preset.step + 4;
    grids.push_back(
        {.step = preset.step,
         .max_gap = preset.MaxGap(),
         .capacity = preset.window + preset.smoothing + static_cast<std::size_t>(ahead)});
  }
  return grids;
}

// The peer groups, and after them what profiles are made of.
std::vector<Rule> CompileAll(const PipelineConfig& config) {
  std::vector<Rule> rules;
  for (const auto& group : config.groups) {
    rules.push_back(*Rule::Compile(group));
  }
  if (config.profiles) {
    for (const auto& rule : HostRules(*config.profiles)) {
      rules.push_back(*Rule::Compile(rule));
    }
  }
  return rules;
}

}  // namespace

struct Pipeline::Impl {
  explicit Impl(PipelineConfig given);

  void RefreshMembers();
  void RecordNewcomers(UnixTime end);
  // Of the groups that tell recent components apart, who belongs to which at `end`.
  void SelectRecent(UnixTime end, PresetRun& run);
  std::vector<Event> AdvanceTo(UnixTime watermark, UnixTime horizon);
  struct CwndResult {
    std::vector<Event> events;
    bool silent = true;  // no server had enough observations
  };
  [[nodiscard]] CwndResult ObserveCwnd(UnixTime t);
  [[nodiscard]] UnixTime SilentUntil(UnixTime second, UnixTime horizon) const;
  void Forget(EntityKind kind, std::uint32_t entity);
  void Tidy(UnixTime now);

  PipelineConfig config;
  Directory directory;
  Readings readings;
  std::optional<HostReadings> hosts;  // with profiles
  std::optional<ProfileSeconds> profiles;
  Intake intake;
  std::vector<PresetRun> runs;
  std::map<std::uint32_t, CwndSeconds> cwnd;  // by group number
  std::vector<GroupMembers> members;          // by group number
  std::vector<GroupMembers> both;             // the same, recent components and others
  Newcomers newcomers;
  std::optional<std::uint64_t> members_version;
  std::optional<UnixTime> watermark;
  std::optional<UnixTime> first;  // reading of the input
  std::optional<UnixTime> last;
  std::optional<UnixTime> cwnd_done;  // last second observed
  std::optional<UnixTime> tidied;
  PipelineCounters counters;
};

Pipeline::Impl::Impl(PipelineConfig given)
    : config(std::move(given)),
      directory(CompileAll(config)),
      readings(GridsOf(config)),
      intake(config.limits),
      newcomers(FirstWindow(config), 2 * config.limits.max_components) {
  if (config.profiles) {
    hosts.emplace(config.limits.future);
    intake.FeedHosts(*hosts);
    profiles.emplace(*config.profiles, static_cast<std::uint32_t>(config.groups.size()),
                     config.masked);
  }
  Duration longest = seconds(1);
  runs.reserve(config.presets.size());
  for (std::size_t i = 0; i < config.presets.size(); ++i) {
    const auto& preset = config.presets[i];
    const auto trained =
        std::find_if(config.thresholds.begin(), config.thresholds.end(),
                     [&](const Thresholds& one) { return one.preset == preset.name; });
    runs.emplace_back(preset, i, trained == config.thresholds.end() ? nullptr : &*trained,
                      config.groups);
    // Twice the shift: after a restart the last window is looked at once more.
    longest = std::max(longest, 2 * (ShiftOf(preset) + preset.MaxGap()));
  }
  const auto keep = static_cast<std::size_t>(longest / seconds(1)) + 2;
  for (std::uint32_t i = 0; i < config.groups.size(); ++i) {
    if (config.groups[i].kind == GroupKind::kCwnd) {
      cwnd.emplace(i, CwndSeconds(i, keep));
    }
  }
}

void Pipeline::Impl::RefreshMembers() {
  if (members_version == directory.Version()) {
    return;
  }
  members_version = directory.Version();
  members.assign(config.groups.size(), {});
  for (std::uint32_t i = 0; i < config.groups.size(); ++i) {
    if (config.groups[i].kind != GroupKind::kCwnd) {
      members[i] = MembersOf(directory, i, config.masked);
    }
  }
  both = members;
}

void Pipeline::Impl::RecordNewcomers(UnixTime end) {
  for (std::uint32_t i = 0; i < config.groups.size(); ++i) {
    if (config.groups[i].recent > Duration::zero()) {
      const bool storage = config.groups[i].kind == GroupKind::kStorage;
      newcomers.Note(both[i], storage ? EntityKind::kDisk : EntityKind::kInterface, readings, end);
    }
  }
}

void Pipeline::Impl::SelectRecent(UnixTime end, PresetRun& run) {
  RecordNewcomers(end);
  for (std::uint32_t i = 0; i < config.groups.size(); ++i) {
    const auto& rule = config.groups[i];
    if (rule.recent > Duration::zero()) {
      members[i] = newcomers.Select(both[i], rule, *first, end);
      if (!rule.recent_of.empty()) {
        run.Groups()[i].KeepOnly(members[i]);
      }
    }
  }
}

// The state of each second goes out once, with the f of the first preset that asks for it.
Pipeline::Impl::CwndResult Pipeline::Impl::ObserveCwnd(UnixTime t) {
  CwndResult result;
  const auto run = std::find_if(runs.begin(), runs.end(),
                                [](const PresetRun& one) { return one.Settings().cwnd_events; });
  for (auto& [number, group] : cwnd) {
    const auto now = group.Observe(t, directory, readings, config.addresses, config.masked);
    for (std::size_t side = 0; side < kCwndSides; ++side) {
      const auto& second = now[side];
      if (second.servers.empty()) {
        continue;
      }
      result.silent = false;
      if (run == runs.end()) {
        continue;
      }
      const auto limit = run->Groups()[number].FindLimit(kCwndMetricNames[side]);
      CwndEvent event{.end = t,
                      .group = config.groups[number].name,
                      .metric = std::string(kCwndMetricNames[side]),
                      .n = second.servers.size(),
                      .f = limit.f,
                      .threshold_trained = limit.trained,
                      .median = second.median,
                      .components = {}};
      for (const auto& server : second.servers) {
        event.components.push_back(
            {.component = server.name,
             .average = server.average,
             .log = server.log,
             .anomalous = second.median && CwndAnomalous(server.log, *second.median, limit.f)});
      }
      result.events.emplace_back(std::move(event));
    }
  }
  return result;
}

// The last second that passes as silently as `second` did.
UnixTime Pipeline::Impl::SilentUntil(UnixTime second, UnixTime horizon) const {
  constexpr Duration kStillFresh = std::chrono::milliseconds(1500);  // CwndSeconds: 2.5 s, less 1 s
  const auto next = readings.NextOfSockets(second - kStillFresh);
  const auto until = next ? std::min(*next - Duration(1), horizon) : horizon;
  return std::max(second, UnixTime(std::chrono::floor<seconds>(until)));
}

// Takes the earliest entity to do, over and over: a second of congestion windows, or a window end.
std::vector<Event> Pipeline::Impl::AdvanceTo(UnixTime now, UnixTime horizon) {
  std::vector<Event> events;
  if (!first) {
    return events;
  }
  std::vector<bool> held(runs.size(), false);
  while (true) {
    const auto after = cwnd_done.value_or(*first);
    const auto second = cwnd.empty() ? kEndOfTime : std::chrono::floor<seconds>(after) + seconds(1);
    PresetRun* next = nullptr;
    auto end = kEndOfTime;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto its = runs[i].NextEnd(*first);
      if (!held[i] && its < end) {
        next = &runs[i];
        end = its;
      }
    }
    const auto profile = profiles ? profiles->Next(*first) : kEndOfTime;
    if (std::min<UnixTime>({second, end, profile}) > horizon) {
      break;
    }
    std::vector<Event> made;
    if (profile < second && profile <= end) {
      auto step = profiles->Observe(*first, now, horizon, now == kEndOfTime, directory, *hosts);
      if (!step) {
        break;
      }
      made = std::move(step->events);
    } else if (second <= end) {
      auto observed = ObserveCwnd(second);
      made = std::move(observed.events);
      cwnd_done = observed.silent ? SilentUntil(second, horizon) : second;
    } else if (!readings.Settled(end, now, next->Settings().MaxGap())) {
      if (config.one_order) {
        break;
      }
      held[static_cast<std::size_t>(next - runs.data())] = true;
    } else {
      RefreshMembers();
      SelectRecent(end, *next);
      made = next->Close(end, members, directory, cwnd, readings,
                         profiles ? profiles->Findings() : Behaviour());
      if (made.empty()) {
        // The seconds from `end` to cwnd_done were silent too; those of profiles are yet to come.
        const auto known = profiles ? std::min(horizon, profiles->Next(*first)) : horizon;
        next->SkipSilence(readings, cwnd_done ? std::min(known, *cwnd_done) : known);
      }
    }
    events.insert(events.end(), std::make_move_iterator(made.begin()),
                  std::make_move_iterator(made.end()));
  }
  Tidy(horizon);
  return events;
}

// Entities and series that are gone must not pile up.
void Pipeline::Impl::Forget(EntityKind kind, std::uint32_t entity) {
  directory.Forget(kind, entity);
  readings.Forget(kind, entity);
  if (hosts) {
    hosts->Forget(kind, entity);
  }
}

void Pipeline::Impl::Tidy(UnixTime now) {
  if (tidied && now - *tidied < kTidyEvery) {
    return;
  }
  const bool started = tidied.has_value();
  tidied = now;
  if (!started) {
    return;
  }
  Duration keep = kTidyEvery;
  for (const auto& preset : config.presets) {
    keep = std::max(keep, preset.MaxGap() + preset.step * static_cast<Duration::rep>(
                                                              preset.window + preset.smoothing));
  }
  for (const auto kind : {EntityKind::kDisk, EntityKind::kInterface, EntityKind::kSocket,
                          EntityKind::kPeer, EntityKind::kHost}) {
    const auto entities = directory.Entities(kind);
    for (std::uint32_t i = 0; i < entities.size(); ++i) {
      const auto seen = kind != EntityKind::kHost ? readings.Last(kind, i)
                        : hosts                   ? hosts->Last(i)
                                                  : std::nullopt;
      if (entities[i].live && seen && now - *seen > keep) {
        Forget(kind, i);
      }
    }
  }
  intake.ForgetAll();
}

Pipeline::Pipeline(PipelineConfig config) : impl_(std::make_unique<Impl>(std::move(config))) {}
Pipeline::~Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline& Pipeline::operator=(Pipeline&&) noexcept = default;

Result<IngestStats> Pipeline::Ingest(const Scrape& scrape) {
  auto& my = *impl_;
  const auto latest =
      my.watermark ? std::optional(*my.watermark + my.config.limits.future) : std::nullopt;
  auto stats = my.intake.Take(scrape, latest, my.directory, my.readings, my.counters);
  if (stats && stats->first) {
    my.first = my.first ? std::min(*my.first, *stats->first) : *stats->first;
    my.last = my.last ? std::max(*my.last, *stats->last) : *stats->last;
  }
  return stats;
}

std::vector<Event> Pipeline::Advance(UnixTime watermark) {
  impl_->watermark = watermark;
  return impl_->AdvanceTo(watermark, std::min(watermark, impl_->last.value_or(watermark)));
}

std::vector<Event> Pipeline::Finish() {
  std::vector<Event> events;
  if (impl_->last) {
    events = impl_->AdvanceTo(kEndOfTime, *impl_->last);
  }
  for (const auto& run : impl_->runs) {
    events.emplace_back(run.Summary());
  }
  return events;
}

void Pipeline::SetMasked(std::vector<std::string> masked) {
  impl_->config.masked = std::move(masked);
  impl_->members_version.reset();
  if (impl_->profiles) {
    impl_->profiles->SetMasked(impl_->config.masked);
  }
  for (auto& [number, seconds] : impl_->cwnd) {
    seconds.ForgetLinks();
  }
}

void Pipeline::Forget(std::string_view source) { impl_->intake.Forget(source); }

void Pipeline::ForgetNode(std::string_view source, std::string_view node) {
  auto& my = *impl_;
  my.intake.Forget(source);
  for (const auto kind : {EntityKind::kDisk, EntityKind::kInterface, EntityKind::kSocket,
                          EntityKind::kPeer, EntityKind::kHost}) {
    const auto count = my.directory.Entities(kind).size();
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto& entity = my.directory.Entities(kind)[i];
      if (entity.live && entity.node == node) {
        my.Forget(kind, i);
      }
    }
  }
  for (auto& [number, seconds] : my.cwnd) {
    seconds.Forget(node);
  }
}

void Pipeline::ForgetRecords(std::string_view node) {
  for (auto& run : impl_->runs) {
    for (auto& group : run.Groups()) {
      group.ForgetNode(node);
    }
  }
}

PipelineView Pipeline::View() const {
  auto view = ViewOf(impl_->runs, impl_->directory, impl_->counters);
  if (impl_->profiles) {
    view.profiles = impl_->profiles->Status();
  }
  return view;
}

PipelineState Pipeline::ExportState() const {
  auto& my = *impl_;
  PipelineState state;
  state.first = my.first;
  state.last = my.last;
  state.cwnd_done = my.cwnd_done;
  state.exporter_starts = my.intake.ExporterStarts();
  my.RefreshMembers();
  my.RecordNewcomers(kEndOfTime);  // those that no window has seen yet, too
  state.first_seen = my.newcomers.All();
  std::vector<std::int64_t> oldest;
  for (const auto& run : my.runs) {
    oldest.push_back(run.OldestBin());
    if (run.LastEnd()) {
      state.window_ends[run.Settings().name] = *run.LastEnd();
    }
    for (const auto& group : run.Groups()) {
      for (const auto& [name, record] : group.Records()) {
        for (const auto& [metric, of] : record.metrics) {
          state.components.push_back({.preset = run.Settings().name,
                                      .group = group.Name(),
                                      .metric = metric,
                                      .component = name,
                                      .accumulator = of.accumulator,
                                      .recent = of.recent,
                                      .episodes = of.episodes});
        }
      }
    }
  }
  state.entities = EntitiesOf(my.directory, my.readings, oldest, my.config.limits.max_state_bins);
  if (my.profiles) {
    state.profiles = my.profiles->Export();
    state.host_entities =
        HostEntities(my.directory, *my.hosts, state.profiles->second.value_or(UnixTime()));
  }
  for (const auto& [number, seconds] : my.cwnd) {
    state.cwnd[my.config.groups[number].name] = seconds.Tail();
  }
  return state;
}

std::size_t Pipeline::ImportState(const PipelineState& state) {
  std::size_t left_out = 0;
  for (const auto& one : state.components) {
    GroupJudge* group = nullptr;
    for (auto& run : impl_->runs) {
      for (auto& candidate : run.Groups()) {
        if (run.Settings().name == one.preset && candidate.Name() == one.group) {
          group = &candidate;
        }
      }
    }
    if (group == nullptr || !group->Has(one.metric)) {
      ++left_out;
      continue;
    }
    group->Restore(one);
  }
  for (auto& run : impl_->runs) {
    const auto end = state.window_ends.find(run.Settings().name);
    if (end != state.window_ends.end()) {
      run.SetLastEnd(end->second);
    }
  }
  auto& my = *impl_;
  my.first = state.first;
  my.last = state.last;
  my.cwnd_done = state.cwnd_done;
  my.intake.Resume(state.exporter_starts);
  RestoreThings(state.entities, my.config.limits.max_components, my.directory, my.readings);
  for (auto& [number, seconds] : my.cwnd) {
    const auto tail = state.cwnd.find(my.config.groups[number].name);
    if (tail != state.cwnd.end()) {
      seconds.Resume(tail->second);
    }
  }
  if (my.profiles) {
    RestoreHostThings(state.host_entities, my.config.limits.max_components, my.directory,
                      *my.hosts);
    my.profiles->Resume(state.profiles.value_or(ProfileMemory()));
  }
  my.RefreshMembers();
  my.newcomers.Resume(state.first_seen);
  for (const auto& group : my.both) {
    for (const auto& member : group.members) {
      my.newcomers.Remember(member.name, state.first.value_or(UnixTime()));
    }
  }
  for (auto& run : my.runs) {
    if (run.LastEnd() && my.first) {
      my.SelectRecent(*run.LastEnd(), run);
    }
    run.Recall(my.members, my.directory, my.cwnd, my.readings,
               my.profiles ? my.profiles->Findings() : Behaviour());
  }
  return left_out;
}

}  // namespace limpet
