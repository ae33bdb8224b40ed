#include "exporter/common/exposition/rendered_page.h"

#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/writer.h"

namespace limpet {

std::shared_ptr<const std::string> RenderedPage::Get(Format format, bool gzip) const {
  const std::size_t at = (format == Format::kOpenMetrics ? 2U : 0U) + (gzip ? 1U : 0U);
  auto& kept = texts_[at];
  std::call_once(kept.once, [&] {
    if (gzip) {
      kept.text = std::make_shared<const std::string>(GzipEncode(*Get(format, false)));
      return;
    }
    std::string text;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      text += Render(*parts_[i], format, {.end_mark = i + 1 == parts_.size()});
    }
    kept.text = std::make_shared<const std::string>(std::move(text));
  });
  return kept.text;
}

}  // namespace limpet
