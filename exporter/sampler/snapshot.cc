#include "exporter/sampler/snapshot.h"

#include <algorithm>
#include <utility>

#include "exporter/common/exposition/codec.h"

namespace limpet {
namespace {

std::size_t Index(Format format) { return format == Format::kText ? 0 : 1; }

}  // namespace

Snapshot::Snapshot(UnixTime at, Families families, RenderOptions how)
    : at_(at), families_(std::move(families)), how_(std::move(how)) {}

Snapshot::Bytes Snapshot::Page(Format format, bool gzip) const {
  const std::lock_guard lock(mutex_);
  if (!gzip) {
    return PlainPage(format);
  }
  // Made under the lock on purpose: scrapers of the same second wait for one page, not make ten.
  auto& page = gzipped_[Index(format)];
  if (!page) {
    page = std::make_shared<const std::string>(GzipEncode(*PlainPage(format)));
  }
  return page;
}

Snapshot::Bytes Snapshot::PlainPage(Format format) const {
  auto& page = plain_[Index(format)];
  if (!page) {
    page = std::make_shared<const std::string>(Render(families_, format, how_));
  }
  return page;
}

std::size_t Snapshot::PageSize() const {
  const std::lock_guard lock(mutex_);
  std::size_t size = 0;
  for (const auto& page : plain_) {
    size = std::max(size, page ? page->size() : 0);
  }
  return size;
}

void SnapshotSlot::Put(SnapshotPtr snapshot) {
  const std::lock_guard lock(mutex_);
  latest_.swap(snapshot);  // the old one dies with the argument, after the lock
}

SnapshotPtr SnapshotSlot::Latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

}  // namespace limpet
