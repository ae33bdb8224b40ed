#include "exporter/common/exposition/rendered_page.h"

#include <utility>

#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/writer.h"

namespace limpet {

namespace {

// About how many bytes the families take, for one allocation: a large page must not be held twice.
std::size_t EstimateSize(const Families& families) {
  constexpr std::size_t kNumber = 20;
  constexpr std::size_t kRest = 10;  // prefix, braces, blank and newline
  std::size_t size = 0;
  for (const auto& family : families) {
    size += family.All().size() * (family.info->name.size() + kNumber + kRest);
    for (const auto& sample : family.All()) {
      size += sample.labels ? sample.labels->Rendered().size() : 0;
    }
  }
  return size;
}

}  // namespace

std::shared_ptr<const std::string> RenderedPage::Get(Format format, bool gzip) const {
  const std::size_t at = (format == Format::kOpenMetrics ? 2U : 0U) + (gzip ? 1U : 0U);
  auto& kept = texts_[at];
  // The first scraper renders, those that come meanwhile wait for it instead of rendering, too.
  std::call_once(kept.once, [&] {
    if (gzip) {
      kept.text = std::make_shared<const std::string>(GzipEncode(*Get(format, false)));
      return;
    }
    std::string text;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      auto part =
          Render(*parts_[i], format,
                 {.end_mark = i + 1 == parts_.size(), .size_hint = EstimateSize(*parts_[i])});
      if (i == 0) {
        text = std::move(part);  // the largest, mostly
      } else {
        text += part;
      }
    }
    kept.text = std::make_shared<const std::string>(std::move(text));
  });
  return kept.text;
}

}  // namespace limpet
