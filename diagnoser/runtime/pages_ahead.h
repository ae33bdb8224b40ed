// pages_ahead.h: what stands on the pages of a recording's slice, read by the thread that reads the
// slice (docs/decisions/0200).
//
//   PagesPool pool;
//   settings.use = [&](auto source, auto watermark) {        // the pipeline's thread
//     return pool.Take(pipeline.ReadAhead(source), source, watermark);
//   };
//   …
//   pipeline.Ingest(scrape, AheadOf(piece));                 // the pipeline's thread again
//
// Threads: each PagesAhead one at a time; a pool any.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/intake/page_ahead.h"
#include "diagnoser/sources/recording_set.h"

namespace limpet {

// A piece of a recording as it is ingested.
[[nodiscard]] Scrape RecordedScrape(std::string_view source, UnixTime watermark, Format format,
                                    std::string_view text, const columns::ChunkRows* rows);

class PagesAhead : public SliceUse {
 public:
  // Another slice; what was read for the one before is gone.
  void Begin(SourceAhead source, std::string_view path, UnixTime watermark);
  // Reads as far as nothing is new on them, and the first one with something new.
  void Read(const Slice& slice) override;
  // Returns the page of the slice's piece of this number; null: it was not read.
  [[nodiscard]] const PageAhead* Page(std::size_t number) const {
    return number < read_ ? &pages_[number] : nullptr;
  }

 private:
  std::optional<SourceAhead> source_;
  std::string path_;
  UnixTime watermark_;
  std::deque<PageAhead> pages_;
  std::size_t read_ = 0;  // of the pages; the others are memory of earlier slices
};

// Gives those of slices that are gone once more: memory that one thread asks for and another one
// gives back makes both wait (8 % of a replay's processor time).
class PagesPool {
 public:
  // The pool must outlive what it gives.
  [[nodiscard]] std::shared_ptr<PagesAhead> Take(SourceAhead source, std::string_view path,
                                                 UnixTime watermark);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<PagesAhead>> free_;
};

// Returns what was read ahead of a piece whose slice's use is of a PagesPool; null: nothing.
[[nodiscard]] const PageAhead* AheadOf(const RecordingSet::Piece& piece);

}  // namespace limpet
