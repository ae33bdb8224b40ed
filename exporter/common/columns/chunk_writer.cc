#include "exporter/common/columns/chunk_writer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "exporter/common/columns/chunk_header.h"

namespace limpet::columns {
namespace {

constexpr std::size_t kMaxCells = std::size_t{1} << 18U;
constexpr std::size_t kMaxCommentBytes = std::size_t{1} << 20U;
// A chunk that needs none before it costs the names and values of all series: 4 kB for 300 of them.
constexpr std::size_t kAnewAfter = 60;
// Connections come and go: a table of which most is gone is not worth keeping.
constexpr std::size_t kMaxUnused = 64;

}  // namespace

// Whether another sample fits, maybe in another row and of another column.
bool ChunkWriter::HasRoom() const {
  return cells_.empty() || (cells_.size() < kMaxCells && comment_bytes_ <= kMaxCommentBytes &&
                            (rows_.size() + 1) * (index_.Table().Size() + 1) <= kMaxValues);
}

bool ChunkWriter::Add(UnixTime at, std::string_view series, double value) {
  const bool same_time = !rows_.empty() && rows_.back().at == at;
  // Lines come in the same order each second, so the text is mostly compared and not looked up.
  const auto guess = same_time ? cells_.back().column + 1 : 0;
  const auto column = HasRoom() ? index_.FindOrAdd(series, guess) : std::nullopt;
  if (!column) {
    return false;
  }
  // Samples come back row by row and column by column: another order takes another row.
  if (!same_time || *column < guess) {
    rows_.push_back({.at = at, .begin = cells_.size()});
  }
  for (auto& line : pending_) {
    comments_.push_back({.row = static_cast<std::uint32_t>(rows_.size() - 1),
                         .column = *column,
                         .line = std::move(line)});
  }
  pending_.clear();
  cells_.push_back({.value = value, .column = *column});
  return true;
}

bool ChunkWriter::AddComment(std::string_view line) {
  if (!IsEmpty() && comment_bytes_ + line.size() > kMaxCommentBytes) {
    return false;
  }
  comment_bytes_ += line.size();
  pending_.emplace_back(line);
  return true;
}

std::string ChunkWriter::Finish(bool continues) {
  if (IsEmpty()) {
    return {};
  }
  for (auto& line : pending_) {
    comments_.push_back(
        {.row = static_cast<std::uint32_t>(rows_.size()), .column = 0, .line = std::move(line)});
  }
  // Once in a while the table is made anew, and then of what this chunk has.
  std::vector<bool> used(index_.Table().Size());
  for (const auto& cell : cells_) {
    used[cell.column] = true;
  }
  const auto kept = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  const bool anew = !continues || since_anew_ >= kAnewAfter ||
                    (used.size() - kept > kMaxUnused && kept < used.size() / 2);
  if (anew) {
    DropUnused(used);
    since_anew_ = 0;
  }
  ++since_anew_;
  const auto body = encoder_.Encode(Transpose(), anew);
  rows_.clear();
  cells_.clear();
  comments_.clear();
  pending_.clear();
  comment_bytes_ = 0;
  return MakeHeader(body) + body;
}

void ChunkWriter::DropUnused(const std::vector<bool>& used) {
  SeriesIndex fresh;
  std::vector<std::uint32_t> renumbered(used.size());
  for (std::size_t column = 0; column < used.size(); ++column) {
    if (used[column]) {
      // There was room for all of them.
      renumbered[column] = fresh.FindOrAdd(index_.Table().At(column)).value_or(0);
    }
  }
  for (auto& cell : cells_) {
    cell.column = renumbered[cell.column];
  }
  for (auto& comment : comments_) {
    comment.column = comment.row < rows_.size() ? renumbered[comment.column] : 0;
  }
  index_ = std::move(fresh);
}

Chunk ChunkWriter::Transpose() const {
  const auto columns = index_.Table().Size();
  const auto rows = rows_.size();
  Chunk chunk;
  // It does not outlive this call's caller.
  chunk.table = std::shared_ptr<const SeriesTable>(std::shared_ptr<void>(), &index_.Table());
  chunk.comments = comments_;
  chunk.values.resize(columns * rows);
  std::vector<RowBits> present(columns, RowBits(BytesOfBits(rows), '\0'));
  std::vector<std::size_t> counts(columns);
  for (std::size_t row = 0; row < rows; ++row) {
    chunk.times.push_back(rows_[row].at);
    const auto end = row + 1 < rows ? rows_[row + 1].begin : cells_.size();
    for (auto i = rows_[row].begin; i < end; ++i) {
      const auto& [value, column] = cells_[i];
      chunk.values[column * rows + row] = value;
      Set(present[column], row);
      ++counts[column];
    }
  }
  for (std::size_t column = 0; column < columns; ++column) {
    auto& added = chunk.columns.emplace_back();
    if (counts[column] != rows) {
      added.presence = counts[column] == 0 ? Chunk::Presence::kNone : Chunk::Presence::kSome;
    } else if (rows == 0) {
      added.presence = Chunk::Presence::kNone;
    }
    if (added.presence == Chunk::Presence::kSome) {
      added.rows = static_cast<std::uint32_t>(chunk.bits.size());
      chunk.bits.push_back(std::move(present[column]));
    }
  }
  return chunk;
}

}  // namespace limpet::columns
