#include "exporter/common/columns/chunk_decoder.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "exporter/common/columns/decimal.h"
#include "exporter/common/columns/rice.h"

namespace limpet::columns {
namespace {

std::int64_t Sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::optional<RiceShape> GetShape(ByteReader& bytes) {
  const auto factor = bytes.NumberUpTo(INT64_MAX - 1);
  const auto centre = bytes.Number();
  const auto low_bits = bytes.NumberUpTo(RiceShape::kMaxLowBits);
  return factor && centre && low_bits
             ? std::optional(RiceShape{.factor = *factor + 1,
                                       .centre = Unfold(*centre),
                                       .low_bits = static_cast<unsigned>(*low_bits)})
             : std::nullopt;
}

}  // namespace

Result<void> ChunkDecoder::Decode(std::string_view bytes, Chunk& chunk) {
  // Until this chunk is read as a whole: what it leaves half done must not be continued.
  const auto expected = std::exchange(next_, std::nullopt);
  ByteReader reader(bytes);
  const auto flags = reader.NumberUpTo(kBeginsAnew);
  const auto sequence = reader.Number();
  if (!flags || !sequence) {
    return Error{ErrorCode::kInvalid, "expected flags and number of a chunk", {}};
  }
  // A new table, not an empty one: whoever was handed the old one goes on reading it.
  if (*flags == kBeginsAnew) {
    table_ = std::make_shared<SeriesTable>();
    handed_out_ = false;
    last_.clear();
  } else if (sequence != expected) {
    return Error{ErrorCode::kNotFound, "expected the chunk before this one", {}};
  }
  if (!DecodeAll(reader, chunk)) {
    return Error{ErrorCode::kInvalid, "expected a chunk of columns", {}};
  }
  chunk.table = table_;
  handed_out_ = true;
  next_ = *sequence + 1;
  return {};
}

bool ChunkDecoder::DecodeAll(ByteReader& bytes, Chunk& chunk) {
  if (!DecodeSeries(bytes)) {
    return false;
  }
  const auto columns = table_->Size();
  const auto rows = bytes.NumberUpTo(kMaxValues / std::max<std::size_t>(columns, 1));
  if (!rows) {
    return false;
  }
  chunk.times.resize(*rows);
  if (!DecodeComments(bytes, columns, chunk) || !DecodeBits(bytes, chunk)) {
    return false;
  }
  const auto size = bytes.NumberUpTo(bytes.Rest().size());
  const auto headings = size ? bytes.Bytes(*size) : std::nullopt;
  // A column takes a byte at least, so a few bytes make no large matrix of ever more columns.
  if (!headings || headings->size() < columns) {
    return false;
  }
  chunk.columns.resize(columns);
  chunk.values.resize(columns * *rows);
  // Past its end the payload gives zeros, so that only one look at the end is needed.
  Body body{.headings = ByteReader(*headings), .payload = BitReader(bytes.Rest())};
  if (!DecodeTimes(body, chunk)) {
    return false;
  }
  for (std::size_t column = 0; column < columns; ++column) {
    if (!DecodeColumn(body, column, chunk)) {
      return false;
    }
  }
  return !body.payload.Overrun();
}

bool ChunkDecoder::DecodeSeries(ByteReader& bytes) {
  const auto added = bytes.NumberUpTo(kMaxColumns);
  if (added && *added > 0 && std::exchange(handed_out_, false)) {
    table_ = std::make_shared<SeriesTable>(*table_);  // whoever has the other may be a thread
  }
  for (std::uint64_t i = 0; added && i < *added; ++i) {
    const std::string_view before =
        table_->Size() == 0 ? std::string_view() : table_->At(table_->Size() - 1);
    const auto shared = bytes.NumberUpTo(before.size());
    const auto length = bytes.NumberUpTo(kMaxSeriesBytes);
    const auto rest = shared && length ? bytes.Bytes(*length) : std::nullopt;
    if (!rest || rest->find('\n') != std::string_view::npos ||
        !table_->Add(std::string(before.substr(0, *shared)).append(*rest))) {
      return false;
    }
  }
  last_.resize(table_->Size());
  return added.has_value();
}

bool ChunkDecoder::DecodeComments(ByteReader& bytes, std::size_t columns, Chunk& chunk) {
  chunk.comments.clear();
  const auto count = bytes.NumberUpTo(bytes.Rest().size());
  for (std::uint64_t i = 0; count && i < *count; ++i) {
    const auto row = bytes.NumberUpTo(chunk.times.size());
    const auto column = bytes.NumberUpTo(columns);
    const auto length = bytes.Number();
    const auto line = row && column && length ? bytes.Bytes(*length) : std::nullopt;
    if (!line || !line->starts_with('#') || line->find('\n') != std::string_view::npos) {
      return false;
    }
    // Whoever makes lines of them walks through them once.
    const auto& last = chunk.comments.empty() ? Chunk::Comment() : chunk.comments.back();
    if (std::pair(*row, *column) < std::pair<std::uint64_t, std::uint64_t>(last.row, last.column)) {
      return false;
    }
    chunk.comments.push_back({static_cast<std::uint32_t>(*row), static_cast<std::uint32_t>(*column),
                              std::string(*line)});
  }
  return count.has_value();
}

bool ChunkDecoder::DecodeBits(ByteReader& bytes, Chunk& chunk) {
  chunk.bits.clear();
  const auto size = BytesOfBits(chunk.times.size());
  const auto count = bytes.NumberUpTo(size == 0 ? 0 : bytes.Rest().size() / size);
  for (std::uint64_t i = 0; count && i < *count; ++i) {
    const auto bits = bytes.Bytes(size);
    if (!bits) {
      return false;  // the bound above counts the number's own bytes, too
    }
    chunk.bits.emplace_back(*bits);
  }
  return count.has_value();
}

bool ChunkDecoder::DecodeTimes(Body& body, Chunk& chunk) {
  if (chunk.times.empty()) {
    return true;
  }
  const auto first = body.headings.Number();
  numbers_.resize(chunk.times.size() - 1);
  const auto shape = numbers_.empty() ? RiceShape() : GetShape(body.headings);
  if (!first || !shape) {
    return false;
  }
  GetRice(body.payload, *shape, numbers_);
  auto at = Unfold(*first);
  chunk.times[0] = UnixFromNanoseconds(at);
  for (std::size_t row = 1; row < chunk.times.size(); ++row) {
    at = Sum(at, numbers_[row - 1]);
    chunk.times[row] = UnixFromNanoseconds(at);
  }
  return true;
}

bool ChunkDecoder::DecodeColumn(Body& body, std::size_t column, Chunk& chunk) {
  const auto byte = body.headings.Bytes(1);
  const auto heading = byte ? static_cast<unsigned char>(byte->front()) : 0U;
  auto& [presence, which] = chunk.columns[column];
  presence = static_cast<Chunk::Presence>(heading & kPresenceBits);
  if (!byte || (heading & kPresenceBits) > static_cast<unsigned>(Chunk::Presence::kSome)) {
    return false;
  }
  if (presence == Chunk::Presence::kNone) {
    return true;
  }
  const auto rows = chunk.times.size();
  rows_.clear();
  if (presence == Chunk::Presence::kSome) {
    const auto number = body.headings.Number();
    if (!number || *number >= chunk.bits.size()) {
      return false;
    }
    which = static_cast<std::uint32_t>(*number);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (presence == Chunk::Presence::kAll || IsSet(chunk.bits[which], row)) {
      rows_.push_back(static_cast<std::uint32_t>(row));
    }
  }
  auto& last = last_[column];
  const auto before = (heading & kContinues) != 0 ? last : std::nullopt;
  if (rows_.empty() || ((heading & kContinues) != 0 && !last)) {
    return false;
  }
  const auto count = rows_.size();
  values_.resize(count);
  if (!((heading & kRaw) != 0 ? DecodeRaw(heading, before, body, count)
                              : DecodeDecimals(heading, before, body, chunk, count))) {
    return false;
  }
  // Nearly every column is there in every row.
  auto* const out = chunk.values.data() + column * rows;
  if (count == rows) {
    std::copy(values_.begin(), values_.end(), out);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      out[rows_[i]] = values_[i];
    }
  }
  last = values_.back();
  return true;
}

bool ChunkDecoder::DecodeDecimals(unsigned heading, std::optional<double> before, Body& body,
                                  const Chunk& chunk, std::size_t count) {
  const auto moves = heading >> kMovesShift;
  if (before && moves == static_cast<unsigned>(Moves::kNever)) {
    std::fill(values_.begin(), values_.end(), *before);
    return true;
  }
  const auto decimals = body.headings.NumberUpTo(kMaxDecimals);
  if (!decimals) {
    return false;
  }
  const auto places = static_cast<unsigned>(*decimals);
  // The writer has continued only what is exact; anything else is no chunk of ours.
  const auto number = before ? ToDecimal(*before, places) : std::nullopt;
  const auto first = before ? std::nullopt : body.headings.Number();
  if (!number && !first) {
    return false;
  }
  if (!DecodeMoves(heading, body, chunk, count, first.has_value())) {
    return false;
  }
  auto value = number ? *number : Unfold(*first);
  for (std::size_t i = 0; i < count; ++i) {
    value = Sum(value, numbers_[i]);
    values_[i] = FromDecimal(value, places);
  }
  return true;
}

// What costs the time of a replay: most columns are in all rows and move in all of them, so theirs
// are read in one go.
//
// By how much each value differs from the one before, into numbers_; 0 for a first one.
bool ChunkDecoder::DecodeMoves(unsigned heading, Body& body, const Chunk& chunk, std::size_t count,
                               bool has_first) {
  numbers_.assign(count, 0);
  const auto skipped = has_first ? std::size_t{1} : std::size_t{0};
  const auto moves = heading >> kMovesShift;
  if (moves == static_cast<unsigned>(Moves::kNever)) {
    return true;
  }
  const auto which = moves == static_cast<unsigned>(Moves::kSometimes)
                         ? body.headings.Number()
                         : std::optional<std::uint64_t>(0);
  const auto shape = GetShape(body.headings);
  if (!which || !shape || moves > static_cast<unsigned>(Moves::kSometimes)) {
    return false;
  }
  if (moves == static_cast<unsigned>(Moves::kAlways)) {
    GetRice(body.payload, *shape, std::span(numbers_).subspan(skipped));
    return true;
  }
  if (*which >= chunk.bits.size()) {
    return false;
  }
  const auto& bits = chunk.bits[*which];
  for (std::size_t i = skipped; i < count; ++i) {
    if (IsSet(bits, rows_[i])) {
      GetRice(body.payload, *shape, std::span(numbers_).subspan(i, 1));
    }
  }
  return true;
}

bool ChunkDecoder::DecodeRaw(unsigned heading, std::optional<double> before, Body& body,
                             std::size_t count) {
  const bool moves = heading >> kMovesShift != static_cast<unsigned>(Moves::kNever);
  auto bits = before ? std::bit_cast<std::uint64_t>(*before) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (moves) {
      bits ^= body.payload.Get(kHalf);
      bits ^= body.payload.Get(kHalf) << kHalf;
    }
    values_[i] = std::bit_cast<double>(bits);
  }
  return true;
}

}  // namespace limpet::columns
