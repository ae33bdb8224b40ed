#include "exporter/common/columns/chunk_encoder.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "exporter/common/columns/decimal.h"
#include "exporter/common/columns/rice.h"

namespace limpet::columns {
namespace {

std::int64_t Difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

void PutShape(std::string& out, const RiceShape& shape) {
  PutNumber(out, shape.factor - 1);
  PutNumber(out, Fold(shape.centre));
  out += static_cast<char>(shape.low_bits);
}

// Rows are mostly a second apart, so all of a minute take a bit each.
void EncodeTimes(const std::vector<UnixTime>& times, std::string& headings, BitWriter& payload) {
  std::vector<std::int64_t> steps;
  for (std::size_t row = 0; row < times.size(); ++row) {
    const auto at = times[row].time_since_epoch().count();
    if (row == 0) {
      PutNumber(headings, Fold(at));
    } else {
      steps.push_back(Difference(at, times[row - 1].time_since_epoch().count()));
    }
  }
  if (!steps.empty()) {
    const auto shape = FindShape(steps);
    PutShape(headings, shape);
    PutRice(payload, shape, steps);
  }
}

void EncodeComments(const std::vector<Chunk::Comment>& comments, std::string& out) {
  PutNumber(out, comments.size());
  for (const auto& comment : comments) {
    PutNumber(out, comment.row);
    PutNumber(out, comment.column);
    PutNumber(out, comment.line.size());
    out += comment.line;
  }
}

}  // namespace

std::string ChunkEncoder::Encode(const Chunk& chunk, bool anew) {
  anew = anew || !begun_;
  begun_ = true;
  if (anew) {
    last_.clear();
    sequence_ = 0;
  }
  // What says how to read the rest stands first, what zstd cannot make smaller last.
  std::string out(1, static_cast<char>(anew ? kBeginsAnew : 0));
  PutNumber(out, sequence_++);
  EncodeSeries(*chunk.table, chunk.columns.size(), out);
  PutNumber(out, chunk.times.size());
  EncodeComments(chunk.comments, out);
  Body body;
  EncodeTimes(chunk.times, body.headings, body.payload);
  for (std::size_t column = 0; column < chunk.columns.size(); ++column) {
    EncodeColumn(chunk, column, body);
  }
  PutNumber(out, body.bits.size());
  for (const auto& bits : body.bits) {
    out += bits;
  }
  PutNumber(out, body.headings.size());
  return out + body.headings + body.payload.Finish();
}

// Those that are new, each without what it shares with the beginning of the one before.
void ChunkEncoder::EncodeSeries(const SeriesTable& table, std::size_t count, std::string& out) {
  const auto known = last_.size();
  PutNumber(out, count - known);
  for (auto column = known; column < count; ++column) {
    const std::string_view series = table.At(column);
    const std::string_view before = column == 0 ? std::string_view() : table.At(column - 1);
    const auto shared = static_cast<std::size_t>(
        std::mismatch(series.begin(), series.end(), before.begin(), before.end()).first -
        series.begin());
    PutNumber(out, shared);
    PutNumber(out, series.size() - shared);
    out += series.substr(shared);
  }
  last_.resize(count);
}

void ChunkEncoder::EncodeColumn(const Chunk& chunk, std::size_t column, Body& body) {
  const auto& [presence, which] = chunk.columns[column];
  auto heading = static_cast<unsigned>(presence);
  if (presence == Chunk::Presence::kNone) {
    body.headings += static_cast<char>(heading);
    return;
  }
  values_.clear();
  rows_.clear();
  for (std::size_t row = 0; row < chunk.times.size(); ++row) {
    if (chunk.Has(column, row)) {
      values_.push_back(chunk.At(column, row));
      rows_.push_back(static_cast<std::uint32_t>(row));
    }
  }
  const auto presence_bits =
      presence == Chunk::Presence::kSome ? FindOrAdd(chunk.bits[which], body) : 0;
  auto& last = last_[column];
  // For the whole column, not value by value: a gauge of two decimals shows a whole number at
  // times.
  const auto decimals = FindDecimals(values_);
  const auto before = last && decimals ? ToDecimal(*last, *decimals) : std::nullopt;
  heading |= (decimals ? before.has_value() : last.has_value()) ? kContinues : 0U;
  heading |= decimals ? 0U : kRaw;
  // What follows the heading comes after the number of the rows.
  body.headings += static_cast<char>(heading);
  const auto place = body.headings.size() - 1;
  if (presence == Chunk::Presence::kSome) {
    PutNumber(body.headings, presence_bits);
  }
  auto moves = Moves::kNever;
  if (decimals) {
    numbers_.clear();
    for (const auto value : values_) {
      numbers_.push_back(*ToDecimal(value, *decimals));
    }
    moves = EncodeDecimals(before, *decimals, chunk.times.size(), body);
  } else {
    moves = EncodeRaw(last, body);
  }
  body.headings[place] = static_cast<char>(heading | static_cast<unsigned>(moves) << kMovesShift);
  last = values_.back();
}

Moves ChunkEncoder::EncodeDecimals(std::optional<std::int64_t> before, unsigned decimals,
                                   std::size_t all_rows, Body& body) {
  auto& out = body.headings;
  moves_.clear();
  moving_.clear();
  RowBits which(BytesOfBits(all_rows), '\0');
  for (std::size_t i = before ? 0 : 1; i < numbers_.size(); ++i) {
    const auto move = Difference(numbers_[i], i == 0 ? *before : numbers_[i - 1]);
    moves_.push_back(move);
    if (move != 0) {
      moving_.push_back(move);
      Set(which, rows_[i]);
    }
  }
  // Of a series that stands still even the decimals go without saying.
  if (!before || !moving_.empty()) {
    out += static_cast<char>(decimals);
  }
  if (!before) {
    PutNumber(out, Fold(numbers_.front()));
  }
  if (moving_.empty()) {
    return Moves::kNever;
  }
  // All of them, or those that are not 0 and where these are, which other columns may share.
  const auto shape_of_all = FindShape(moves_);
  const auto shape_of_moving = FindShape(moving_);
  const bool is_known = body.bits_known.contains(which);
  const bool sometimes =
      CountBits(shape_of_moving, moving_) + 8 + (is_known ? 0 : 8 * which.size()) <
      CountBits(shape_of_all, moves_);
  if (sometimes) {
    PutNumber(out, FindOrAdd(which, body));
  }
  PutShape(out, sometimes ? shape_of_moving : shape_of_all);
  PutRice(body.payload, sometimes ? shape_of_moving : shape_of_all, sometimes ? moving_ : moves_);
  return sometimes ? Moves::kSometimes : Moves::kAlways;
}

// Of values that no decimal says, such as a ratio, neighbours still share sign, exponent and the
// first digits: zeros once one is taken from the other bit by bit.
Moves ChunkEncoder::EncodeRaw(std::optional<double> before, Body& body) const {
  auto last = before ? std::bit_cast<std::uint64_t>(*before) : 0;
  // Bits, not values: NaN is unlike itself, and -0 is like 0.
  const bool is_still = std::all_of(values_.begin(), values_.end(), [&](double value) {
    return std::bit_cast<std::uint64_t>(value) == last;
  });
  if (is_still) {
    return Moves::kNever;
  }
  for (const auto value : values_) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto changed = bits ^ std::exchange(last, bits);
    body.payload.Put(changed & UINT32_MAX, kHalf);
    body.payload.Put(changed >> kHalf, kHalf);
  }
  return Moves::kAlways;
}

std::uint32_t ChunkEncoder::FindOrAdd(const RowBits& bits, Body& body) {
  const auto number = static_cast<std::uint32_t>(body.bits.size());
  const auto [known, is_new] = body.bits_known.emplace(bits, number);
  if (is_new) {
    body.bits.push_back(bits);
  }
  return known->second;
}

}  // namespace limpet::columns
