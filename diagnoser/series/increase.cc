#include "diagnoser/series/increase.h"

#include <algorithm>
#include <utility>

namespace limpet {
namespace {

std::int64_t Nanoseconds(UnixTime at) { return at.time_since_epoch().count(); }

// The bin that begins at or before `at` and ends after it: the first one a pair from `at` touches.
std::int64_t BinAfter(UnixTime at, Duration step) { return Nanoseconds(at) / step.count() + 1; }

}  // namespace

std::int64_t BinAt(UnixTime at, Duration step) {
  return (Nanoseconds(at) + step.count() - 1) / step.count();
}

Spread::Spread(UnixTime from, UnixTime to, const GridSpec& grid)
    : gap(to - from > grid.max_gap), last(BinAt(to, grid.step)) {
  const auto step = grid.step.count();
  const auto begin = Nanoseconds(from);
  const auto end = Nanoseconds(to);
  ends_bin = end == last * step;
  length = static_cast<double>(end - begin);
  for (auto bin = BinAfter(from, grid.step); !gap && bin <= last; ++bin) {
    const auto overlap = std::min(end, bin * step) - std::max(begin, (bin - 1) * step);
    overlaps.push_back(static_cast<double>(overlap));
  }
}

void Spreads::Make(UnixTime from, UnixTime to) {
  spreads_.clear();
  for (const auto& grid : grids_) {
    spreads_.emplace_back(from, to, grid);
  }
  from_ = from;
  to_ = to;
}

void IncreaseColumn::Start(UnixTime first, Duration step) {
  open_ = BinAfter(first, step);
  first_ = open_;
  sum_ = 0;
  whole_ = Nanoseconds(first) % step.count() == 0;
}

// After hours of silence there may be more bins to skip than the ring has: those that it could not
// keep anyway are jumped over, so that a late reading costs no more than the ring is long.
void IncreaseColumn::SkipTo(std::int64_t bin) {
  const auto capacity = static_cast<std::int64_t>(bins_.size());
  open_ = std::max(open_, bin - capacity);
  while (open_ < bin) {
    Close(kMissing);
  }
}

void IncreaseColumn::AddGap(const Spread& spread) {
  SkipTo(spread.last);
  // Its beginning lies in the gap, so whatever is counted in it from now on is only a part.
  whole_ = false;
  if (spread.ends_bin) {
    Close(kMissing);
  }
}

void IncreaseColumn::Spoil(UnixTime from, UnixTime last, Duration step) {
  for (auto bin = std::max(Oldest(), BinAfter(from, step)); bin < open_; ++bin) {
    bins_[PlaceAt(bin)] = kMissing;
  }
  // The open bin has a part of it unless it begins just there.
  whole_ = whole_ && Nanoseconds(last) % step.count() == 0;
}

std::int64_t IncreaseColumn::Oldest() const {
  return std::max(first_, open_ - static_cast<std::int64_t>(bins_.size()));
}

// Of a bin that is kept.
std::size_t IncreaseColumn::PlaceAt(std::int64_t bin) const {
  const auto back = static_cast<std::size_t>(open_ - bin);
  return place_ >= back ? place_ - back : place_ + bins_.size() - back;
}

double IncreaseColumn::At(std::int64_t j) const {
  return j >= open_ || j < Oldest() ? kMissing : bins_[PlaceAt(j)];
}

IncreaseRange IncreaseColumn::Range(std::int64_t first, std::size_t count) const {
  const auto end = first + static_cast<std::int64_t>(count);
  const auto from = std::clamp(Oldest(), first, end);
  const auto to = std::clamp(open_, from, end);
  IncreaseRange range{.missing_before = static_cast<std::size_t>(from - first),
                      .missing_after = static_cast<std::size_t>(end - to)};
  if (from < to) {
    // The ring's end may lie within the range: then its bins are in two pieces.
    const auto kept = std::span(bins_);
    const auto place = PlaceAt(from);
    const auto size = static_cast<std::size_t>(to - from);
    range.older = kept.subspan(place, std::min(size, kept.size() - place));
    range.newer = kept.first(size - range.older.size());
  }
  return range;
}

std::optional<std::int64_t> IncreaseColumn::NextAfter(std::int64_t j) const {
  const auto next = std::max(Oldest(), j + 1);
  return next <= open_ ? std::optional(next) : std::nullopt;
}

ColumnTail IncreaseColumn::TailFrom(std::int64_t oldest) const {
  ColumnTail tail{.values = {}, .sum = sum_, .whole = whole_};
  for (auto bin = std::max(Oldest(), oldest); bin < open_; ++bin) {
    tail.values.push_back(bins_[PlaceAt(bin)]);
  }
  return tail;
}

void IncreaseColumn::Resume(const ColumnTail& tail, UnixTime last, Duration step) {
  const auto count = std::min(tail.values.size(), bins_.size());
  open_ = BinAfter(last, step) - static_cast<std::int64_t>(count);
  first_ = open_;
  for (auto at = tail.values.size() - count; at < tail.values.size(); ++at) {
    Close(tail.values[at]);
  }
  sum_ = tail.sum;
  whole_ = tail.whole;
}

CounterTrack::CounterTrack(std::span<const GridSpec> grids, double per_second)
    : per_second_(per_second) {
  columns_.reserve(grids.size());
  for (const auto& grid : grids) {
    columns_.emplace_back(grid.capacity);
  }
}

ReadingKind CounterTrack::AddOther(UnixTime at, double value, Spreads& spreads, bool restarted) {
  if (last_ == kNever) {
    const auto grids = spreads.Grids();
    for (std::size_t i = 0; i < grids.size(); ++i) {
      columns_[i].Start(at, grids[i].step);
    }
    last_ = at;
    value_ = value;
    return ReadingKind::kFirst;
  }
  if (at <= (IsLow() ? behind_.latest : last_)) {
    return AddLate(at, value);
  }
  return value < value_ && behind_.latest != kNeverBack ? AddLow(at, value, spreads, restarted)
                                                        : AddLater(at, value, spreads);
}

// A repeated page says nothing new; one that counts on is that of a clock that was set back.
ReadingKind CounterTrack::AddLate(UnixTime at, double value) {
  if (value > value_ && !IsLow()) {
    behind_ = behind_.Any() ? Behind{behind_.first, std::max(behind_.latest, at)} : Behind{at, at};
  }
  return ReadingKind::kLate;
}

ReadingKind CounterTrack::AddLow(UnixTime at, double value, Spreads& spreads, bool restarted) {
  const auto grids = spreads.Grids();
  const bool was_low = IsLow();
  const bool doubts = !std::ranges::all_of(grids, &GridSpec::to_the_letter);
  const bool refused = !restarted && !AddToTheLetter(at, value, spreads) && !doubts;
  if (doubts && !restarted && !(was_low && HasBegunAnew(behind_.first, at))) {
    behind_ = {was_low ? behind_.first : at, at};
    low_ = value;
    return was_low ? ReadingKind::kLate : ReadingKind::kReset;
  }
  const auto& all = spreads.Of(last_, at);
  for (std::size_t i = 0; i < grids.size(); ++i) {
    if (restarted || !grids[i].to_the_letter) {
      columns_[i].AddGap(all[i]);
    }
  }
  const bool gap = doubts || restarted || all.front().gap;
  behind_ = {};
  if (refused) {
    spreads.Refuse({last_, at, value, LargestIncrease(per_second_, at - last_)});
    StartAnew();
  }
  last_ = at;
  value_ = value;
  return refused ? ReadingKind::kRefused : gap ? ReadingKind::kGap : ReadingKind::kReset;
}

bool CounterTrack::AddToTheLetter(UnixTime at, double value, Spreads& spreads) {
  const auto grids = spreads.Grids();
  if (std::ranges::none_of(grids, &GridSpec::to_the_letter)) {
    return true;
  }
  const auto from = IsLow() ? behind_.latest : last_;
  const double before = IsLow() ? low_ : value_;
  const double increase = value < before ? value : value - before;
  const bool refused = IsImpossible(increase, per_second_, at - from);
  const auto was_behind = IsLow() ? Duration::zero() : behind_.latest - behind_.first;
  const auto& all = spreads.Of(from, at);
  for (std::size_t i = 0; i < grids.size(); ++i) {
    if (!grids[i].to_the_letter) {
      continue;
    }
    if (refused || was_behind > grids[i].max_gap) {
      columns_[i].AddGap(all[i]);
    } else {
      columns_[i].Add(all[i], increase);
    }
  }
  return !refused;
}

ReadingKind CounterTrack::AddLater(UnixTime at, double value, Spreads& spreads) {
  const auto grids = spreads.Grids();
  const bool was_low = IsLow();
  if (was_low) {
    (void)AddToTheLetter(at, value, spreads);
  }
  const auto behind = std::exchange(behind_, Behind());
  const auto was_behind = was_low ? Duration::zero() : behind.latest - behind.first;
  const bool anew = behind.latest == kNeverBack;
  const double increase = value - value_;
  const bool refused = !anew && IsImpossible(increase, per_second_, at - last_);
  auto kind = ReadingKind::kTaken;
  const auto& all = spreads.Of(last_, at);
  for (std::size_t i = 0; i < grids.size(); ++i) {
    if (was_low && grids[i].to_the_letter) {
      continue;
    }
    if (refused || was_behind > grids[i].max_gap) {
      columns_[i].AddGap(all[i]);
      kind = ReadingKind::kGap;
      continue;
    }
    columns_[i].Add(all[i], increase);
    kind = all[i].gap ? ReadingKind::kGap : kind;
  }
  if (refused) {
    spreads.Refuse({last_, at, increase, LargestIncrease(per_second_, at - last_)});
    StartAnew();
  }
  last_ = at;
  value_ = value;
  return refused ? ReadingKind::kRefused : kind;
}

void CounterTrack::Spoil(UnixTime from, UnixTime to, std::span<const GridSpec> grids) {
  if (last_ != to) {
    return;
  }
  for (std::size_t i = 0; i < grids.size(); ++i) {
    columns_[i].Spoil(from, to, grids[i].step);
  }
  StartAnew();
}

std::optional<TrackTail> CounterTrack::TailFrom(std::span<const std::int64_t> oldest) const {
  if (last_ == kNever) {
    return std::nullopt;
  }
  TrackTail tail{.last = last_, .value = value_, .columns = {}};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    tail.columns.emplace_back(columns_[i].TailFrom(oldest[i]));
  }
  return tail;
}

void CounterTrack::Resume(const TrackTail& tail, std::span<const GridSpec> grids) {
  last_ = tail.last;
  value_ = tail.value;
  for (std::size_t i = 0; i < grids.size(); ++i) {
    // A preset that was not configured when the tail was written begins at the tail's end.
    if (i < tail.columns.size() && tail.columns[i]) {
      columns_[i].Resume(*tail.columns[i], tail.last, grids[i].step);
    } else {
      columns_[i].Start(tail.last, grids[i].step);
    }
  }
}

}  // namespace limpet
