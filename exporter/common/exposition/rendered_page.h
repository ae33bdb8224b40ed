// rendered_page.h: a page of families that is rendered when first asked for and then kept, so that
// any number of scrapers of one snapshot cost one rendering for each format and encoding.
//
// Threads: all functions may be called from any thread; the families do not change any more.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "exporter/common/exposition/format.h"
#include "exporter/common/exposition/sample.h"

namespace limpet {

class RenderedPage {
 public:
  // The parts in this order, none of which share a name.
  explicit RenderedPage(std::vector<std::shared_ptr<const Families>> parts)
      : parts_(std::move(parts)) {}

  [[nodiscard]] std::shared_ptr<const std::string> Get(Format format, bool gzip) const;

 private:
  struct Text {
    std::once_flag once;
    std::shared_ptr<const std::string> text;
  };

  std::vector<std::shared_ptr<const Families>> parts_;
  mutable std::array<Text, 4> texts_;
};

}  // namespace limpet
