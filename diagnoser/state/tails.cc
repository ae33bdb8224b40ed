#include "diagnoser/state/tails.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "diagnoser/metrics/missing.h"
#include "diagnoser/metrics/samples.h"
#include "exporter/common/instants.h"

namespace limpet {
namespace {

constexpr std::uint64_t kZeros = 0;  // how the values of a column are written
constexpr std::uint64_t kReals = 1;
constexpr std::uint64_t kMaxCounters = 64;
constexpr std::uint64_t kMaxLabels = 64;
constexpr std::uint64_t kMaxReadings = RecentReadings::kMax;
constexpr std::uint64_t kMaxSeconds = 1'000'000;

bool IsReading(double value) { return std::isfinite(value) && value >= 0; }

void WriteColumn(const ColumnTail& column, ByteWriter& out) {
  const auto& values = column.values;
  // Most counters of an idle disk stand still: eight bytes a second saved for each.
  const bool zeros = std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
  out.Double(column.sum);
  out.Fixed(column.whole ? 1 : 0, 1);
  out.Count(values.size());
  out.Fixed(zeros ? kZeros : kReals, 1);
  if (!zeros) {
    for (const double value : values) {
      out.Double(value);
    }
  }
}

// False when the bytes make no sense. A column that is over `bins_left` is read, not kept.
bool ReadColumn(ByteReader& in, std::size_t& bins_left, std::optional<ColumnTail>& keep) {
  ColumnTail column{.values = {}, .sum = in.Double(), .whole = in.Fixed(1) != 0};
  const auto count = in.Count();
  const auto how = in.Fixed(1);
  // Checked before anything is allocated: a count may be any number.
  if (in.Failed() || !IsReading(column.sum) || how > kReals || count > kMaxSeconds ||
      (how == kReals && count > in.Left() / 8)) {
    return false;
  }
  const bool wanted = count <= bins_left;
  // Zeros take no bytes, so only kMaxSeconds and bins_left bound how much is allocated.
  if (wanted && how == kZeros) {
    column.values.assign(static_cast<std::size_t>(count), 0.0);
  }
  for (std::uint64_t i = 0; how == kReals && i < count; ++i) {
    const double value = in.Double();
    if (!IsMissing(value) && !IsReading(value)) {
      return false;
    }
    // One bit pattern for missing, whatever NaN the file has.
    if (wanted) {
      column.values.push_back(IsMissing(value) ? kMissing : value);
    }
  }
  if (wanted) {
    bins_left -= static_cast<std::size_t>(count);
    keep = std::move(column);
  }
  return true;
}

void WriteCounter(const std::optional<TrackTail>& counter, ByteWriter& out) {
  out.Fixed(counter ? 1 : 0, 1);
  if (!counter) {
    return;
  }
  out.Fixed(Nanoseconds(counter->last), 8);
  out.Double(counter->value);
  for (const auto& column : counter->columns) {
    // A column that is not there is one without bins: the file has one for each preset.
    WriteColumn(column.value_or(ColumnTail()), out);
  }
}

bool ReadCounter(ByteReader& in, std::size_t columns, std::size_t& bins_left,
                 std::optional<TrackTail>& counter) {
  if (in.Fixed(1) == 0) {
    return !in.Failed();
  }
  const auto last = ReadInstant(in);
  const double value = in.Double();
  if (!last || !IsReading(value)) {
    return false;
  }
  counter = {.last = *last, .value = value, .columns = {}};
  // The caller has read that many names, so this is bounded by the size of the file.
  counter->columns.resize(columns);
  for (auto& column : counter->columns) {
    if (!ReadColumn(in, bins_left, column)) {
      return false;
    }
  }
  return !in.Failed();
}

// In the order of format.md: moving one would misread every saved state.
constexpr std::array kTexts = {
    &Entity::node,          &Entity::role,       &Entity::device,         &Entity::wwn,
    &Entity::local_address, &Entity::local_port, &Entity::remote_address, &Entity::remote_port,
    &Entity::side};

void WriteColumn(const CwndTail::Column& column, ByteWriter& out) {
  out.Fixed(static_cast<std::uint64_t>(column.latest), 8);
  out.Count(column.values.size());
  for (const double value : column.values) {
    out.Double(value);
  }
}

bool ReadColumn(ByteReader& in, CwndTail::Column& column) {
  column.latest = static_cast<std::int64_t>(in.Fixed(8));
  const auto count = in.Count();
  // -1: nothing yet. There cannot be more values than seconds since 1970.
  const auto most = kLatestInstant.time_since_epoch() / std::chrono::seconds(1);
  if (in.Failed() || column.latest < -1 || column.latest > most || count > kMaxSeconds ||
      static_cast<std::int64_t>(count) > column.latest + 1) {
    return false;
  }
  for (std::uint64_t i = 0; i < count && !in.Failed(); ++i) {
    const double value = in.Double();
    if (!IsMissing(value) && !IsReading(value)) {
      return false;
    }
    column.values.push_back(IsMissing(value) ? kMissing : value);
  }
  return !in.Failed();
}

}  // namespace

std::uint64_t Nanoseconds(UnixTime at) {
  return static_cast<std::uint64_t>(at.time_since_epoch().count());
}

UnixTime FromNanoseconds(std::uint64_t value) {
  return UnixFromNanoseconds(static_cast<std::int64_t>(value));
}

std::optional<UnixTime> ReadInstant(ByteReader& in) {
  const auto at = FromNanoseconds(in.Fixed(8));
  return in.Failed() || !IsInstant(at) ? std::nullopt : std::optional(at);
}

void WriteReadings(const std::vector<RecentReadings::Reading>& readings, ByteWriter& out) {
  out.Count(readings.size());
  for (const auto& reading : readings) {
    out.Fixed(Nanoseconds(reading.at), 8);
    out.Double(reading.value);
  }
}

bool ReadReadings(ByteReader& in, std::vector<RecentReadings::Reading>& readings) {
  const auto count = in.Count();
  if (count > kMaxReadings) {
    return false;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto at = ReadInstant(in);
    const double value = in.Double();
    if (!at || !IsReading(value)) {
      return false;
    }
    readings.push_back({.at = *at, .value = value});
  }
  return !in.Failed();
}

void WriteEntity(const EntityState& state, ByteWriter& out) {
  const auto& entity = state.entity;
  out.Fixed(static_cast<std::uint64_t>(state.kind), 1);
  for (const auto text : kTexts) {
    out.Text(entity.*text);
  }
  out.Fixed(entity.flash ? 1 : 0, 1);
  out.Count(entity.labels.size());
  for (const auto& [name, value] : entity.labels) {
    out.Text(name);
    out.Text(value);
  }
  out.Count(state.counters.size());
  for (const auto& counter : state.counters) {
    WriteCounter(counter, out);
  }
  WriteReadings(state.cwnd, out);
  WriteReadings(state.other, out);
}

std::optional<EntityState> ReadEntity(ByteReader& in, std::size_t columns, std::size_t& bins_left) {
  EntityState state;
  const auto kind = in.Fixed(1);
  if (in.Failed() || kind >= kEntityKinds) {
    return std::nullopt;
  }
  state.kind = static_cast<EntityKind>(kind);
  for (const auto text : kTexts) {
    state.entity.*text = in.Text();
  }
  state.entity.flash = in.Fixed(1) != 0;
  const auto labels = in.Count();
  if (labels > kMaxLabels) {
    return std::nullopt;
  }
  for (std::uint64_t i = 0; i < labels && !in.Failed(); ++i) {
    const auto name = in.Text();
    state.entity.labels[std::string(name)] = in.Text();
  }
  const auto counters = in.Count();
  if (in.Failed() || counters > kMaxCounters) {
    return std::nullopt;
  }
  // Up to more than a disk has today, so that a later version may add some.
  state.counters.resize(static_cast<std::size_t>(counters));
  for (auto& counter : state.counters) {
    if (!ReadCounter(in, columns, bins_left, counter)) {
      return std::nullopt;
    }
  }
  if (!ReadReadings(in, state.cwnd) || !ReadReadings(in, state.other)) {
    return std::nullopt;
  }
  return state;
}

void WriteCwnd(const CwndTail& tail, ByteWriter& out) {
  for (const auto& medians : tail.medians) {
    WriteColumn(medians, out);
  }
  out.Count(tail.servers.size());
  for (const auto& server : tail.servers) {
    out.Text(server.name);
    for (std::size_t side = 0; side < kCwndSides; ++side) {
      WriteColumn(server.observed[side], out);
      WriteColumn(server.logs[side], out);
    }
  }
}

std::optional<CwndTail> ReadCwnd(ByteReader& in) {
  CwndTail tail;
  for (auto& medians : tail.medians) {
    if (!ReadColumn(in, medians)) {
      return std::nullopt;
    }
  }
  const auto servers = in.Count();
  for (std::uint64_t i = 0; i < servers; ++i) {
    CwndTail::Server server;
    server.name = in.Text();
    for (std::size_t side = 0; side < kCwndSides; ++side) {
      if (!ReadColumn(in, server.observed[side]) || !ReadColumn(in, server.logs[side])) {
        return std::nullopt;
      }
    }
    tail.servers.push_back(std::move(server));
  }
  return in.Failed() ? std::nullopt : std::optional(std::move(tail));
}

}  // namespace limpet
