#include "diagnoser/runtime/pages_ahead.h"

#include <utility>

namespace limpet {

Scrape RecordedScrape(std::string_view source, UnixTime watermark, Format format,
                      std::string_view text, const columns::ChunkRows* rows) {
  return {.source = source,
          .node = {},
          .role = {},
          .labels = {},
          .at = watermark,
          .format = format,
          .recording = true,
          .text = text,
          .rows = rows};
}

void PagesAhead::Begin(SourceAhead source, std::string_view path, UnixTime watermark) {
  source_ = std::move(source);
  path_ = path;
  watermark_ = watermark;
  read_ = 0;
}

void PagesAhead::Read(const Slice& slice) {
  for (const auto& piece : slice.pieces) {
    if (read_ == pages_.size()) {
      pages_.emplace_back();
    }
    auto& page = pages_[read_++];
    page.Read(*source_, RecordedScrape(path_, watermark_, piece.format, piece.Text(),
                                       piece.rows.chunk ? &piece.rows : nullptr));
    if (page.HasNewLines()) {
      return;
    }
  }
}

std::shared_ptr<PagesAhead> PagesPool::Take(SourceAhead source, std::string_view path,
                                            UnixTime watermark) {
  std::unique_ptr<PagesAhead> pages;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      pages = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (!pages) {
    pages = std::make_unique<PagesAhead>();
  }
  pages->Begin(std::move(source), path, watermark);
  return {pages.release(), [this](PagesAhead* done) {
            const std::lock_guard lock(mutex_);
            free_.emplace_back(done);
          }};
}

const PageAhead* AheadOf(const RecordingSet::Piece& piece) {
  const auto* const pages = static_cast<const PagesAhead*>(piece.use);
  return pages != nullptr ? pages->Page(piece.number) : nullptr;
}

}  // namespace limpet
