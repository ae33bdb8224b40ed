#include "diagnoser/sources/recording.h"

#include <algorithm>
#include <span>
#include <utility>

#include "diagnoser/sources/line_times.h"
#include "exporter/common/columns/chunk_header.h"
#include "exporter/common/columns/chunk_reader.h"
#include "exporter/common/columns/chunk_text.h"
#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/parser.h"

namespace limpet {
namespace {

constexpr std::size_t kDecodeBytes = 64U << 10U;  // of plain text, at once
constexpr std::size_t kMaxLine = 4U << 20U;
// Less than this is rather moved to the front of the buffer, which the cache holds.
constexpr std::size_t kLittle = 4U << 10U;

// A recording in columns, which become lines again.
struct Columns {
  columns::ChunkReader reader;
  std::shared_ptr<columns::Chunk> chunk = std::make_shared<columns::Chunk>();
  columns::ChunkText text;  // of the chunk
  std::size_t row = 0;      // the next one, where rows are handed out
  std::string lines;        // some of them; kept for their memory
};

}  // namespace

struct Recording::State {
  std::string path;
  std::unique_ptr<ByteSource> bytes;
  std::optional<Decoder> decoder;
  std::string encoded;  // what the decoder was fed
  std::string buffer;   // plain text from `at` to `end` is still to come
  std::size_t at = 0;
  std::size_t end = 0;
  std::optional<Format> format;
  std::unique_ptr<Columns> columns;  // of a recording in columns
  std::uint64_t bytes_read = 0;
  bool fed = false;  // the decoder has something to give
  bool ended = false;
  bool cut = false;
  bool begun = false;  // a piece was handed out
  bool hands_out_rows = false;

  Result<void> ReadMore();
  Result<void> DecodeMore();
  // What was decoded is a recording in columns, or the begin of a text.
  void Sniff();
  // False: the next chunk is not there as a whole.
  Result<bool> ReadColumns();
  void Release();
  [[nodiscard]] std::span<char> Room(std::size_t size = kDecodeBytes);
  // The whole lines that are there, up to the first later than `until`; they are passed over.
  [[nodiscard]] std::string_view LinesUntil(UnixTime until);
  [[nodiscard]] std::size_t Left() const { return end - at; }
  [[nodiscard]] bool HasRows() const {
    return hands_out_rows && columns && columns->row < columns->chunk->times.size();
  }
  // Those that are there, up to the first later than `until`; they are passed over.
  [[nodiscard]] columns::ChunkRows RowsUntil(UnixTime until);
  [[nodiscard]] std::string_view WholeLines() const;
};

// Behind the text, for what is decoded at once.
std::span<char> Recording::State::Room(std::size_t size) {
  if (Left() < kLittle || buffer.size() - end < size) {
    std::copy(buffer.data() + at, buffer.data() + end, buffer.data());
    end -= std::exchange(at, 0);
  }
  if (buffer.size() - end < size) {
    buffer.resize(std::max(2 * size, 2 * buffer.size()));
  }
  return std::span(buffer).subspan(end, size);
}

void Recording::State::Sniff() {
  const auto text = std::string_view(buffer).substr(at, Left());
  if (columns::IsColumns(text)) {
    columns = std::make_unique<Columns>();
    columns->reader.Feed(text);
    format = Format::kOpenMetrics;
    at = 0;
    end = 0;
  } else if (const auto lines = WholeLines(); !lines.empty()) {
    format = SniffFormat(lines);
  }
}

Result<void> Recording::State::DecodeMore() {
  const auto given = decoder->NextInto(Room());
  if (!given) {
    // A damaged end: what came before is good.
    cut = true;
    ended = true;
    return {};
  }
  fed = *given > 0;
  if (columns) {
    columns->reader.Feed(std::string_view(buffer).substr(end, *given));
    return {};
  }
  end += *given;
  if (!format) {
    Sniff();
  }
  return {};
}

Result<bool> Recording::State::ReadColumns() {
  auto& my = *columns;
  if (my.text.IsDone()) {
    if (hands_out_rows) {
      my.chunk = std::make_shared<columns::Chunk>();  // somebody may still read the one before
    }
    const auto next = my.reader.Next(*my.chunk);
    // No damage, but a file that needs a newer reader: others may be read without this one.
    if (!next && next.error().code == ErrorCode::kInternal) {
      return Error{next.error().code, next.error().message, path};
    }
    if (!next) {
      my.chunk = std::make_shared<columns::Chunk>();  // half of one was read
      cut = true;                                     // damaged, as a text may be
      ended = true;
      return true;
    }
    cut = cut || my.reader.LeftOut() > 0;
    if (!*next) {
      return false;
    }
    if (hands_out_rows) {
      my.row = 0;
      return true;
    }
    my.text.Begin(*my.chunk);
  }
  // As much as is decoded of a text at once, so that both take the same way from here.
  my.lines.clear();
  my.text.Append(my.lines, kDecodeBytes);
  std::copy(my.lines.begin(), my.lines.end(), Room(my.lines.size()).begin());
  end += my.lines.size();
  return true;
}

// One step further: bytes are read, or some of them decoded.
Result<void> Recording::State::ReadMore() {
  if (columns) {
    const auto read = ReadColumns();
    if (!read) {
      return read.error();
    }
    if (*read) {
      return {};
    }
  }
  if (fed) {
    return DecodeMore();
  }
  auto read = bytes->Read();
  if (!read) {
    return read.error();
  }
  encoded = std::move(*read);
  bytes_read = bytes->Position().value_or(bytes_read + encoded.size());
  if (encoded.empty()) {
    ended = true;
    cut = cut || (decoder && !decoder->Whole()) || (columns && !columns->reader.Whole());
    return {};
  }
  if (!decoder) {
    // A day of samples compresses a hundredfold, and is decoded piece by piece: no bound is needed.
    decoder.emplace(SniffEncoding(encoded), DecodeLimits{.max_output = DecodeLimits::kNone,
                                                         .max_ratio = DecodeLimits::kNone});
  }
  decoder->Feed(encoded);
  fed = true;
  return {};
}

void Recording::State::Release() {
  decoder.reset();
  columns.reset();
  encoded = {};
  buffer = {};
  at = 0;
  end = 0;
  fed = false;
}

std::string_view Recording::State::WholeLines() const {
  const auto rest = std::string_view(buffer).substr(at, Left());
  const auto newline = rest.rfind('\n');
  return newline == std::string_view::npos ? std::string_view() : rest.substr(0, newline + 1);
}

std::string_view Recording::State::LinesUntil(UnixTime until) {
  auto lines = WholeLines();
  if (const auto last = FindLastTime(lines, *format); last && *last > until) {
    lines = lines.substr(0, FindLater(lines, until, *format));
  }
  at += lines.size();
  begun = true;
  return lines;
}

columns::ChunkRows Recording::State::RowsUntil(UnixTime until) {
  auto& [reader, chunk, text, row, lines] = *columns;
  const auto& times = chunk->times;
  columns::ChunkRows rows{.chunk = chunk, .begin = row, .end = row};
  while (rows.end < times.size() && times[rows.end] <= until) {
    ++rows.end;
  }
  row = rows.end;
  begun = true;
  return rows;
}

Recording::Recording(std::string path, std::unique_ptr<ByteSource> bytes)
    : state_(std::make_unique<State>()) {
  state_->path = std::move(path);
  state_->bytes = std::move(bytes);
}
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

const std::string& Recording::Path() const { return state_->path; }

std::uint64_t Recording::BytesRead() const { return state_->bytes_read; }

bool Recording::Cut() const { return state_->cut; }

void Recording::HandOutRows() { state_->hands_out_rows = true; }

Result<std::optional<UnixTime>> Recording::Peek() {
  auto& my = *state_;
  while (true) {
    if (my.HasRows()) {
      return std::optional(my.columns->chunk->times[my.columns->row]);
    }
    const auto lines = my.WholeLines();
    if (const auto time =
            my.format ? FindFirstTime(lines, 0, lines.size(), *my.format) : std::nullopt) {
      return std::optional(*time);
    }
    my.at += lines.size();
    if (my.ended) {
      my.cut = my.cut || my.Left() > 0;
      my.Release();
      return std::optional<UnixTime>();
    }
    if (my.Left() >= kMaxLine) {
      return Error{ErrorCode::kTooLarge, "expected lines, found 4 MiB without a newline", my.path};
    }
    if (auto read = my.ReadMore(); !read) {
      return read.error();
    }
  }
}

Result<std::optional<Recording::Piece>> Recording::Next(UnixTime until) {
  const auto first = Peek();
  if (!first) {
    return first.error();
  }
  if (!*first) {
    return std::optional<Piece>();
  }
  if (**first > until || state_->HasRows()) {
    return std::optional<Piece>();
  }
  return std::optional(Piece{.text = state_->LinesUntil(until), .format = *state_->format});
}

Result<std::optional<Recording::OwnedPiece>> Recording::Take(UnixTime until, std::string spare) {
  const auto first = Peek();
  if (first && *first && **first <= until && state_->HasRows()) {
    return std::optional(OwnedPiece{.buffer = std::move(spare), .rows = state_->RowsUntil(until)});
  }
  const auto piece = Next(until);
  if (!piece) {
    return piece.error();
  }
  if (!*piece) {
    return std::optional<OwnedPiece>();
  }
  auto& my = *state_;
  const auto text = (*piece)->text;
  // What is left is mostly half a line: it moves, not the piece.
  const auto rest = std::string_view(my.buffer).substr(my.at, my.Left());
  spare.resize(std::max({spare.size(), 2 * kDecodeBytes, rest.size()}));
  rest.copy(spare.data(), rest.size());
  OwnedPiece owned{.begin = static_cast<std::size_t>(text.data() - my.buffer.data()),
                   .size = text.size(),
                   .format = (*piece)->format};
  my.end = rest.size();
  my.at = 0;
  owned.buffer = std::exchange(my.buffer, std::move(spare));
  return std::optional(std::move(owned));
}

// Thousands of recordings may be open: one that waits for its turn holds no buffers.
void Recording::ReleaseBuffers() {
  auto& my = *state_;
  if (!my.begun && !my.ended && my.bytes->Rewind()) {
    my.Release();
    my.bytes_read = 0;
    my.format.reset();
    my.cut = false;
  }
}

}  // namespace limpet
