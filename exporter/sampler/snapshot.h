// snapshot.h: one sample of everything, immutable, and the pages made of it.
//
// A page is rendered when it is first asked for and kept, so that all scrapers of a second share
// the same bytes; a second nobody asks for is never rendered.
// Threads: everything may be called from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "exporter/common/exposition/format.h"
#include "exporter/common/exposition/sample.h"
#include "exporter/common/exposition/writer.h"
#include "exporter/common/time.h"

namespace limpet {

class Snapshot {
 public:
  // `at` is when the kernel was read. `how` holds for every page; its size_hint is a page's size.
  Snapshot(UnixTime at, Families families, RenderOptions how);

  [[nodiscard]] UnixTime At() const { return at_; }
  [[nodiscard]] const Families& All() const { return families_; }

  using Bytes = std::shared_ptr<const std::string>;
  [[nodiscard]] Bytes Page(Format format, bool gzip) const;
  // Returns the size of the largest plain page made so far, 0 when there is none: a hint for the
  // next snapshot.
  [[nodiscard]] std::size_t PageSize() const;

 private:
  [[nodiscard]] Bytes PlainPage(Format format) const;

  UnixTime at_;
  Families families_;
  RenderOptions how_;
  mutable std::mutex mutex_;  // of the pages
  mutable std::array<Bytes, 2> plain_;
  mutable std::array<Bytes, 2> gzipped_;
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

// The place where the latest snapshot lies.
class SnapshotSlot {
 public:
  void Put(SnapshotPtr snapshot);
  // Null before the first one.
  [[nodiscard]] SnapshotPtr Latest() const;

 private:
  mutable std::mutex mutex_;
  SnapshotPtr latest_;
};

}  // namespace limpet
