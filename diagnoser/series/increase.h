// increase.h: from readings of a cumulative counter to its increase in every step of a grid.
//
// Grid:    bin j is the time (t_{j-1}, t_j], t_j = j * step in Unix time.
// Value:   sum over consecutive readings (a,b] of inc * overlap / (b-a), in time order; a pair that
//          lies wholly inside a bin gives inc itself. Never a difference of interpolated totals,
//          which would lose digits. No work done between readings is lost [Kasick12
//          "Downsampling"].
// Fall:    a reading below the one before is doubted (counter_course.h): what returns has not
//          restarted, what stays below or says that it began anew did so in a gap. Grids to the
//          letter of the papers take each fall for a restart at 0: inc is the reading.
// Beyond:  an increase that no machine makes (metrics/bounds.h) is another machine's counter, and a
//          gap; so is the pair after it, since nobody knows which of the two was odd.
// Missing: a bin that overlaps a pair of readings further apart than max_gap, or time before the
//          first or after the last reading, with positive length.
// Unit:    that of the counter.
// Behind:  late readings that go on counting from the last one for longer than max_gap are those of
//          a clock that was set back. What was done meanwhile has no place on the grid; the first
//          reading that is not late any more ends a gap, or it would hold all of it as one burst.
// Threads: pure values, one thread at a time.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "diagnoser/metrics/bounds.h"
#include "diagnoser/metrics/missing.h"
#include "diagnoser/series/counter_course.h"
#include "exporter/common/time.h"

namespace limpet {

struct GridSpec {
  Duration step{std::chrono::seconds(1)};
  Duration max_gap{std::chrono::seconds(5)};
  std::size_t capacity = 128;  // bins kept
  bool to_the_letter = false;  // a fall is a restart at 0
};

// The bin that holds `at`: the smallest j with t_j >= at. `at` must not be before 1970.
[[nodiscard]] std::int64_t BinAt(UnixTime at, Duration step);

// The shares in which what a counter rose by over (from, to] is shared out among the bins of one
// grid. Counters of one page have the same instants, so this is worked out once for all of them.
struct Spread {
  Spread(UnixTime from, UnixTime to, const GridSpec& grid);

  bool gap = false;              // longer than max_gap: nobody knows by how much it rose
  bool ends_bin = false;         // the last bin ends at `to`
  std::int64_t last = 0;         // the bin that holds `to`; the first is the one open at `from`
  double length = 0;             // of the pair, ns
  std::vector<double> overlaps;  // of it with each bin, ns; not of a gap
};

// An increase beyond what is possible, over (from, to].
struct Refusal {
  UnixTime from;
  UnixTime to;
  double increase = 0;
  double most = 0;
};

// The spreads of a pair of readings on every grid, as long as the pairs asked for are the same.
// Threads: one at a time.
class Spreads {
 public:
  explicit Spreads(std::vector<GridSpec> grids) : grids_(std::move(grids)) {}

  [[nodiscard]] std::span<const GridSpec> Grids() const { return grids_; }
  // Returns a spread a grid; good until the next call.
  [[nodiscard]] const std::vector<Spread>& Of(UnixTime from, UnixTime to) {
    if (from != from_ || to != to_) {
      Make(from, to);
    }
    return spreads_;
  }
  // The last increase that was refused.
  [[nodiscard]] const Refusal& Refused() const { return refused_; }
  void Refuse(const Refusal& refusal) { refused_ = refusal; }

 private:
  void Make(UnixTime from, UnixTime to);

  std::vector<GridSpec> grids_;
  UnixTime from_;  // from_ < to_ once there are any
  UnixTime to_;
  std::vector<Spread> spreads_;
  Refusal refused_;
};

// The newest bins of a column as plain values, to be kept over a restart. The open bin is the one
// after the last reading, so it needs no number; the closed ones before it are `values`, oldest
// first, kMissing where there is nothing.
struct ColumnTail {
  std::vector<double> values;
  double sum = 0;
  bool whole = false;
};

// Bins in a row as they lie in a column's ring: views, good until the next reading.
struct IncreaseRange {
  std::size_t missing_before = 0;  // bins that are too old or were never written
  std::span<const double> older;
  std::span<const double> newer;
  std::size_t missing_after = 0;  // bins that are not closed
};

// Increases of one counter on one grid, the last `capacity` closed bins of it.
class IncreaseColumn {
 public:
  explicit IncreaseColumn(std::size_t capacity) : bins_(capacity) {}

  // The first reading.
  void Start(UnixTime first, Duration step);
  // The counter rose by `increase` over the spread's pair, which begins at the reading before.
  void Add(const Spread& spread, double increase);
  // Adds a span over which its rise is unknown.
  void AddGap(const Spread& spread);
  // Declares that what was added from `from` up to the last reading is none, as if it had been a
  // gap.
  void Spoil(UnixTime from, UnixTime last, Duration step);

  // The increase in bin j; kMissing (metrics/missing.h) when it is not closed, missing or too old.
  [[nodiscard]] double At(std::int64_t j) const;
  // The same for the bins from `first` on, all at once.
  [[nodiscard]] IncreaseRange Range(std::int64_t first, std::size_t count) const;
  // The first bin after j that may hold something, the open one included; nullopt: none.
  [[nodiscard]] std::optional<std::int64_t> NextAfter(std::int64_t j) const;

  // Returns the bin before which nothing was ever written; after Resume the oldest bin of the tail.
  [[nodiscard]] std::int64_t FirstBin() const { return first_; }
  // The newest bin that no later reading changes; before FirstBin: there is none.
  [[nodiscard]] std::int64_t LastClosed() const { return open_ - 1; }
  // The bins from `oldest` on, as far as they are kept.
  [[nodiscard]] ColumnTail TailFrom(std::int64_t oldest) const;
  // A hint to the processor that the open bin will be closed.
  void Fetch() const { __builtin_prefetch(bins_.data() + place_, 1); }
  // Goes on where a column with its last reading at `last` stood; what is over the capacity is
  // forgotten.
  void Resume(const ColumnTail& tail, UnixTime last, Duration step);

 private:
  void Close(double value);
  void SkipTo(std::int64_t bin);
  [[nodiscard]] std::int64_t Oldest() const;
  [[nodiscard]] std::size_t PlaceAt(std::int64_t bin) const;

  std::vector<double> bins_;  // a ring
  std::int64_t open_ = 0;     // the bin that is being filled
  std::int64_t first_ = 0;    // bins before it were never written
  double sum_ = 0;            // of the open bin so far
  std::uint32_t place_ = 0;   // in the ring, of the open bin
  bool whole_ = false;        // the open bin is covered from its start without a gap
};

// A counter's last reading and its columns, one a grid; absent: the grid is new, and begins there.
struct TrackTail {
  UnixTime last;
  double value = 0;
  std::vector<std::optional<ColumnTail>> columns;
};

enum class ReadingKind { kFirst, kTaken, kReset, kGap, kLate, kRefused };
inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// One counter: its last reading and its increases on every grid in use.
// Aligned, because thousands of them are each touched once a second: what a reading needs lies in
// two cache lines.
class alignas(64) CounterTrack {
 public:
  explicit CounterTrack(std::span<const GridSpec> grids, double per_second = kUnbounded);

  // Readings at or before the last one are late: left out, so that nothing is counted twice.
  // `value` must be finite and not negative. `restarted`: whoever counts has begun anew since the
  // last reading, so that a fall is a gap at once. The first one that is doubted is kReset, those
  // after it are kLate. An increase beyond the bound is kRefused: see Spreads::Refused.
  ReadingKind Add(UnixTime at, double value, Spreads& spreads, bool restarted = false);
  // The most that it can rise by in a second (metrics/bounds.h).
  void SetBound(double per_second) { per_second_ = per_second; }
  // The next reading is not of the same counter as the last: a gap lies between them.
  void StartAnew() { behind_ = {UnixTime(), kNeverBack}; }
  // Declares its rise from `from` to its last reading, at `to`, unknown.
  void Spoil(UnixTime from, UnixTime to, std::span<const GridSpec> grids);

  // A hint to the processor that Add will be called.
  void Fetch() const {
    constexpr std::size_t kLine = 64;
    const auto* const begin = reinterpret_cast<const char*>(this);
    for (std::size_t at = 0; at < sizeof(*this); at += kLine) {
      __builtin_prefetch(begin + at, 1);
    }
  }
  // The same for where the increase will go; waits for memory unless Fetch has been called before.
  void FetchBins() const { columns_.front().Fetch(); }

  [[nodiscard]] std::optional<UnixTime> Last() const {
    return last_ == kNever ? std::nullopt : std::optional(last_);
  }
  [[nodiscard]] const IncreaseColumn& Column(std::size_t grid) const { return columns_[grid]; }

  // `oldest` bin by grid. nullopt before the first reading.
  [[nodiscard]] std::optional<TrackTail> TailFrom(std::span<const std::int64_t> oldest) const;
  // Goes on where another track stood.
  void Resume(const TrackTail& tail, std::span<const GridSpec> grids);

 private:
  // Instants that no reading has (std::optional would take half as much again).
  static constexpr UnixTime kNever = UnixTime(Duration::min());
  static constexpr UnixTime kNeverBack = UnixTime(Duration::max());
  // A run of late readings with more than the last value; after StartAnew for longer than any
  // max_gap. Or of later ones with less.
  struct Behind {
    UnixTime first = kNever;
    UnixTime latest = kNever;
    [[nodiscard]] bool Any() const { return latest != kNever; }
  };

  // All but the usual: a later reading that is not smaller.
  ReadingKind AddOther(UnixTime at, double value, Spreads& spreads, bool restarted);
  ReadingKind AddLate(UnixTime at, double value);
  ReadingKind AddLow(UnixTime at, double value, Spreads& spreads, bool restarted);
  ReadingKind AddLater(UnixTime at, double value, Spreads& spreads);
  // The grids to the letter, which doubt nothing.
  // False: its increase was refused.
  bool AddToTheLetter(UnixTime at, double value, Spreads& spreads);
  // No reading since the last one was as high.
  [[nodiscard]] bool IsLow() const { return behind_.Any() && behind_.first > last_; }

  UnixTime last_ = kNever;
  double value_ = 0;
  double per_second_;
  Behind behind_;
  double low_ = 0;                                             // the latest reading while IsLow
  boost::container::small_vector<IncreaseColumn, 1> columns_;  // mostly there is one grid
};

inline void IncreaseColumn::Close(double value) {
  bins_[place_] = value;
  place_ = place_ + 1 == bins_.size() ? 0U : place_ + 1;
  ++open_;
  sum_ = 0;
  whole_ = true;
}

inline void IncreaseColumn::Add(const Spread& spread, double increase) {
  if (spread.gap) {
    AddGap(spread);
    return;
  }
  const auto bins = spread.overlaps.size();
  if (bins == 1) {
    sum_ += increase;
  } else {
    for (std::size_t bin = 0;; ++bin) {
      sum_ += increase * spread.overlaps[bin] / spread.length;
      if (bin + 1 == bins) {
        break;
      }
      Close(whole_ ? sum_ : kMissing);
    }
  }
  if (spread.ends_bin) {
    Close(whole_ ? sum_ : kMissing);
  }
}

inline ReadingKind CounterTrack::Add(UnixTime at, double value, Spreads& spreads, bool restarted) {
  const double increase = value - value_;
  // Most increases are below what one second allows, so AddOther alone looks at the time between.
  if (last_ == kNever || at <= last_ || !(increase >= 0 && increase <= per_second_) ||
      behind_.Any()) {
    return AddOther(at, value, spreads, restarted);
  }
  auto kind = ReadingKind::kTaken;
  auto column = columns_.begin();
  for (const auto& spread : spreads.Of(last_, at)) {
    (column++)->Add(spread, increase);
    kind = spread.gap ? ReadingKind::kGap : kind;
  }
  last_ = at;
  value_ = value;
  return kind;
}

}  // namespace limpet
