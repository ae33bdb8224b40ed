#include "diagnoser/custom/readings.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "diagnoser/custom/cell_names.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

// What a counter takes: its bins on all grids.
std::size_t TrackBytes(std::span<const GridSpec> grids) {
  auto bytes = sizeof(CustomCell::Track);
  for (const auto& grid : grids) {
    bytes += grid.capacity * sizeof(double);
  }
  return bytes;
}

// Client libraries write infinity in several ways.
std::optional<double> ReadBound(std::string_view text) {
  if (text == "+Inf" || text == "inf" || text == "+inf" || text == "Inf") {
    return std::numeric_limits<double>::infinity();
  }
  const auto bound = ParseDouble(text);
  return bound && std::isfinite(*bound) ? bound : std::nullopt;
}

}  // namespace

CustomReadings::CustomReadings(std::span<const CustomMetric> metrics, std::vector<GridSpec> grids,
                               Duration tick, std::size_t ticks)
    : metrics_(metrics),
      table_(metrics),
      spreads_(std::move(grids)),
      tick_(tick),
      ticks_(ticks),
      by_metric_(metrics.size()) {
  for (const auto& metric : metrics) {
    joins_.Expect(metric.node.join);
    joins_.Expect(metric.device.join);
    joins_.Expect(metric.peers.join);
  }
}

CustomReadings::Key CustomReadings::KeyOf(std::string_view name, const LabelPairs& labels,
                                          std::string_view source_name) {
  std::string text(source_name);
  text.append(1, '\0').append(name);
  for (const auto& [label, value] : labels) {
    text.append(1, '\0').append(label).append(1, '\1').append(value);
  }
  const std::hash<std::string> hash;
  const auto one = hash(text);
  // Two hashes: texts of millions of buckets would take more room than what they count.
  return {.one = one, .other = hash(text.append("\2"))};
}

// Sources keep their numbers: there are no more of them than targets.
std::uint32_t CustomReadings::FindSource(std::string_view name) {
  const auto found = source_index_.find(name);
  if (found != source_index_.end()) {
    return found->second;
  }
  sources_.emplace_back();
  const auto number = static_cast<std::uint32_t>(sources_.size() - 1);
  source_index_.emplace(name, number);
  return number;
}

std::optional<std::uint32_t> CustomReadings::Resolve(const SeriesOrigin& origin) {
  const auto& [field, name, labels, source, target] = origin;
  // Known from before the source's cache was emptied: its readings go on.
  const auto key = KeyOf(name, labels, target);
  if (const auto known = series_index_.find(key); known != series_index_.end()) {
    return known->second;
  }
  const auto uses = table_.Find(name, labels);
  if (uses.empty()) {
    return std::nullopt;
  }
  const auto its = FindSource(target);
  if (series_index_.size() >= kMaxSeries || sources_[its].series >= kMaxSeries / 2) {
    ++dropped_.no_room;
    return std::nullopt;
  }
  Series series{.feeds = {}, .course = {}, .last = std::nullopt, .source = its, .live = true};
  for (const auto& use : uses) {
    const auto feed = MakeFeed(use, name, labels, source, its);
    if (!feed) {
      continue;
    }
    series.feeds.push_back(*feed);
    const auto& metric = metrics_[use.metric];
    if (feed->part != CustomPart::kInfo && metric.add_up && metric.shape == CustomShape::kMean) {
      if (const auto client = MakeClientFeed(*feed, HostOf(labels, source), its)) {
        series.feeds.push_back(*client);
      }
    }
  }
  if (series.feeds.empty()) {
    return std::nullopt;
  }
  ++sources_[its].series;
  std::uint32_t number = 0;
  if (free_series_.empty()) {
    number = static_cast<std::uint32_t>(series_.size());
    series_.push_back(std::move(series));
  } else {
    number = free_series_.back();
    free_series_.pop_back();
    series_[number] = std::move(series);
  }
  series_index_.emplace(key, number);
  return number;
}

std::optional<CustomReadings::Feed> CustomReadings::MakeFeed(const CustomUse& use,
                                                             std::string_view name,
                                                             const LabelPairs& labels,
                                                             const SourceLabels& source,
                                                             std::uint32_t number) {
  Feed feed{.cell = 0, .place = 0, .part = use.part};
  if (use.part == CustomPart::kInfo) {
    const auto info = joins_.Add(name, labels, number);
    dropped_.no_room += info ? 0U : 1U;
    feed.cell = info.value_or(0);
    return info ? std::optional(feed) : std::nullopt;
  }
  const auto bound = use.part == CustomPart::kBucket ? ReadBound(FindLabel(labels, "le"))
                                                     : std::optional<double>(0);
  if (!bound) {
    ++dropped_.unnamed;
    return std::nullopt;
  }
  const auto asker = FindLabel(labels, metrics_[use.metric].asks);
  if (use.part == CustomPart::kAsker && asker.empty()) {
    ++dropped_.unnamed;
    return std::nullopt;
  }
  const auto cell = FindCell(use.metric, labels, source, number);
  const auto place = cell ? FindPlace(cells_[*cell], use, asker, *bound, number) : std::nullopt;
  if (!place) {
    return std::nullopt;
  }
  feed.cell = *cell;
  feed.place = *place;
  return feed;
}

std::optional<std::uint32_t> CustomReadings::FindPlace(CustomCell& cell, const CustomUse& use,
                                                       std::string_view asker, double bound,
                                                       std::uint32_t source) {
  if (use.part == CustomPart::kAsker) {
    if (!cell.askers) {
      cell.askers.emplace();
    }
    return FindAsker(*cell.askers, asker, source);
  }
  if (use.part == CustomPart::kBucket) {
    if (!cell.buckets) {
      cell.buckets.emplace(ticks_);
    }
    const auto before = cell.buckets->Buckets();
    if (!TakeRoom(source, BucketRing::Bytes(ticks_))) {
      return std::nullopt;
    }
    const auto place = cell.buckets->FindOrAdd(bound * metrics_[use.metric].factor);
    if (cell.buckets->Buckets() != before) {
      cell.sources.push_back(source);
    } else {
      GiveBack(source, BucketRing::Bytes(ticks_));
    }
    return static_cast<std::uint32_t>(place);
  }
  if (metrics_[use.metric].shape == CustomShape::kGauge) {
    return 0;
  }
  if (!TakeRoom(source, TrackBytes(spreads_.Grids()))) {
    return std::nullopt;
  }
  cell.tracks.push_back({.part = use.part, .counter = CounterTrack(spreads_.Grids())});
  cell.sources.push_back(source);
  return static_cast<std::uint32_t>(cell.tracks.size() - 1);
}

std::optional<std::uint32_t> CustomReadings::FindAsker(Askers& askers, std::string_view asker,
                                                       std::uint32_t source) {
  const auto known = askers.Find(asker);
  return known                              ? known
         : TakeRoom(source, Askers::kBytes) ? std::optional(askers.Add(asker, source))
                                            : std::nullopt;
}

std::optional<CustomReadings::Feed> CustomReadings::MakeClientFeed(const Feed& feed,
                                                                   std::string_view client,
                                                                   std::uint32_t source) {
  auto& cell = cells_[feed.cell];
  if (!cell.clients) {
    cell.clients.emplace();
  }
  auto& askers = feed.part == CustomPart::kCount ? cell.clients->asked : cell.clients->waited;
  const auto place = FindAsker(askers, client, source);
  return place ? std::optional(
                     Feed{.cell = feed.cell, .place = *place, .part = feed.part, .of_client = true})
               : std::nullopt;
}

// Half of the room for one source: a broken target leaves the others theirs.
bool CustomReadings::TakeRoom(std::uint32_t source, std::size_t bytes) {
  if (bytes_ + bytes > kMaxBytes || sources_[source].bytes + bytes > kMaxBytes / 2) {
    ++dropped_.no_room;
    return false;
  }
  bytes_ += bytes;
  sources_[source].bytes += bytes;
  return true;
}

void CustomReadings::GiveBack(std::uint32_t source, std::size_t bytes) {
  bytes_ -= bytes;
  sources_[source].bytes -= bytes;
}

bool CustomReadings::TakeComponent(std::uint32_t source, const std::string& name) {
  const auto known = components_.find(name);
  if (known != components_.end()) {
    ++known->second;
    return true;
  }
  if (components_.size() >= kMaxComponents || sources_[source].components >= kMaxComponents / 2) {
    ++dropped_.no_room;
    return false;
  }
  components_.emplace(name, 1);
  ++sources_[source].components;
  return true;
}

std::optional<std::uint32_t> CustomReadings::FindCell(std::size_t metric, const LabelPairs& labels,
                                                      const SourceLabels& source,
                                                      std::uint32_t number) {
  const auto& row = metrics_[metric];
  const auto component = NameComponent(row, labels);
  const bool has_node =
      !row.node.join.series.empty() ||
      !(row.node.label.empty() ? NodeOf(labels, source) : FindLabel(labels, row.node.label))
           .empty();
  if (!component || !has_node) {
    ++dropped_.unnamed;
    return std::nullopt;
  }
  auto key = CellKey(metric, row, *component, labels, source);
  if (const auto known = cell_index_.find(key); known != cell_index_.end()) {
    return known->second;
  }
  if (!TakeComponent(number, NameInKey(key))) {
    return std::nullopt;
  }
  CustomCell cell{.metric = metric,
                  .key = key,
                  .component = *component,
                  .node = std::string(HostOf(labels, source)),
                  .target = std::string(NodeOf(labels, source)),
                  .role = std::string(RoleOf(labels, source)),
                  .labels = KeepWanted(row, labels),
                  .source = number,
                  .last = std::nullopt,
                  .tracks = {},
                  .gauge = {},
                  .buckets = std::nullopt,
                  .askers = std::nullopt,
                  .clients = std::nullopt,
                  .sources = {}};
  std::uint32_t at = 0;
  if (free_cells_.empty()) {
    at = static_cast<std::uint32_t>(cells_.size());
    cells_.push_back(std::move(cell));
  } else {
    at = free_cells_.back();
    free_cells_.pop_back();
    cells_[at] = std::move(cell);
  }
  cell_index_.emplace(std::move(key), at);
  by_metric_[metric].push_back(at);
  return at;
}

// A manager and its standby, or two exporters of one daemon, would count each request twice.
bool CustomReadings::Owns(CustomCell& cell, std::uint32_t source, UnixTime at) {
  if (cell.source != source && !metrics_[cell.metric].add_up) {
    if (cell.last && at - *cell.last <= kTakeOver) {
      ++dropped_.repeated;
      return false;
    }
    cell.source = source;
  }
  cell.last = std::max(cell.last.value_or(at), at);
  return true;
}

void CustomReadings::AddTo(const Feed& feed, std::uint32_t source, const Reading& reading) {
  const auto& [before, at, value, rise] = reading;
  if (feed.part == CustomPart::kInfo) {
    joins_.Came(feed.cell, at, value);
    return;
  }
  auto& cell = cells_[feed.cell];
  if (!Owns(cell, source, at)) {
    return;
  }
  const auto& metric = metrics_[cell.metric];
  if (feed.part == CustomPart::kBucket) {
    const auto tick = BinAt(at, tick_);
    // Over a longer time nobody knows which of its windows the requests belong to.
    const bool near = before && at - *before <= tick_ * static_cast<Duration::rep>(ticks_) / 2;
    if (rise && near) {
      cell.buckets->Add(feed.place, tick, *rise);
    } else {
      cell.buckets->Came(feed.place, tick);
    }
  } else if (feed.part == CustomPart::kAsker || feed.of_client) {
    // What rose over a longer time is not of now.
    const bool near = before && at - *before <= Askers::kTick * Duration::rep{Askers::kTicks};
    auto& askers = !feed.of_client                   ? *cell.askers
                   : feed.part == CustomPart::kCount ? cell.clients->asked
                                                     : cell.clients->waited;
    askers.Came(feed.place, at, rise && near ? *rise : 0);
  } else if (metric.shape == CustomShape::kGauge) {
    (void)cell.gauge.Add(at, value * metric.factor);
  } else {
    (void)cell.tracks[feed.place].counter.Add(at, value, spreads_);
  }
}

void CustomReadings::Add(std::uint32_t series, UnixTime at, double value) {
  auto& its = series_[series];
  if (its.last && at <= *its.last) {
    return;
  }
  const auto before = std::exchange(its.last, at);
  auto& source = sources_[its.source];
  source.last = std::max(source.last.value_or(at), at);
  last_ = std::max(last_.value_or(at), at);
  // Most readings are of the same tick as the one before.
  if (const auto tick = BinAt(at, tick_); tick != latest_busy_) {
    busy_.insert(tick);
    latest_busy_ = tick;
  }
  // Once: several metrics may read the same buckets.
  const bool rises = std::ranges::any_of(its.feeds, [](const Feed& feed) {
    return feed.part == CustomPart::kBucket || feed.part == CustomPart::kAsker || feed.of_client;
  });
  const Reading reading{.before = before,
                        .at = at,
                        .value = value,
                        .rise = rises ? its.course.Add(at, value) : std::nullopt};
  for (const auto& feed : its.feeds) {
    AddTo(feed, its.source, reading);
  }
}

// A long silence must not be walked through window by window.
std::optional<UnixTime> CustomReadings::NextAfter(UnixTime t) const {
  const auto next = busy_.lower_bound(BinAt(t, tick_));
  return next == busy_.end() ? std::nullopt
                             : std::optional(std::max(t, UnixTime(tick_ * (*next - 1))));
}

void CustomReadings::Prune(UnixTime t) {
  busy_.erase(busy_.begin(), busy_.lower_bound(BinAt(t, tick_)));
}

bool CustomReadings::Settled(UnixTime end, UnixTime watermark, Duration max_gap) const {
  return std::ranges::none_of(sources_, [&](const Source& source) {
    return source.last && *source.last < end && watermark - *source.last < max_gap;
  });
}

// Jobs and clients come and go while the component stays.
void CustomReadings::GiveBackAskers(CustomCell& cell, UnixTime before) {
  for (auto* askers :
       {cell.askers ? &*cell.askers : nullptr, cell.clients ? &cell.clients->waited : nullptr,
        cell.clients ? &cell.clients->asked : nullptr}) {
    for (const auto source :
         askers != nullptr ? askers->Tidy(before) : std::vector<std::uint32_t>()) {
      GiveBack(source, Askers::kBytes);
    }
  }
}

void CustomReadings::RemoveCell(std::uint32_t number) {
  auto& cell = cells_[number];
  const auto each = cell.buckets ? BucketRing::Bytes(ticks_) : TrackBytes(spreads_.Grids());
  for (const auto source : cell.sources) {
    GiveBack(source, each);
  }
  GiveBackAskers(cell, UnixTime::max());  // later than all readings: nobody is left
  if (const auto known = components_.find(NameInKey(cell.key)); --known->second == 0) {
    components_.erase(known);
    // Its first teller's share; another's if that is gone meanwhile, which only makes room.
    auto& share = sources_[cell.source].components;
    share -= share > 0 ? 1U : 0U;
  }
  cell_index_.erase(cell.key);
  std::erase(by_metric_[cell.metric], number);
  cell = CustomCell();
  cell.live = false;
  free_cells_.push_back(number);
}

// Its series stay, should it come back: other sources' caches may have their numbers.
void CustomReadings::Forget(std::string_view node) {
  for (auto& cell : cells_) {
    if (cell.live && cell.target == node) {
      cell.last.reset();
      cell.gauge = RecentReadings();
    }
  }
}

// Series of a component that is gone go with it, and the others keep their numbers.
void CustomReadings::Tidy(UnixTime before) {
  std::vector<bool> gone(cells_.size());
  for (std::uint32_t i = 0; i < cells_.size(); ++i) {
    gone[i] = cells_[i].live && (!cells_[i].last || *cells_[i].last < before);
  }
  std::erase_if(series_index_, [&](const auto& entry) {
    auto& series = series_[entry.second];
    const bool is_old = !series.last || *series.last < before;
    const bool is_lost = std::ranges::any_of(series.feeds, [&](const Feed& feed) {
      return feed.part != CustomPart::kInfo && gone[feed.cell];
    });
    if (is_old || is_lost) {
      --sources_[series.source].series;
      series = Series();
      series.live = false;
      free_series_.push_back(entry.second);
      return true;
    }
    return false;
  });
  for (std::uint32_t i = 0; i < gone.size(); ++i) {
    if (gone[i]) {
      RemoveCell(i);
    } else {
      GiveBackAskers(cells_[i], before);
    }
  }
  joins_.Tidy(before);
}

}  // namespace limpet
