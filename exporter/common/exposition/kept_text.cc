#include "exporter/common/exposition/kept_text.h"

namespace limpet {

KeptText::Text KeptText::Get(const std::shared_ptr<const Samples>& kept, Format format,
                             bool is_described, const std::function<std::string()>& print) {
  const Key key(kept.get(), format, is_described);
  const std::lock_guard lock(mutex_);
  if (const auto found = entries_.find(key);
      found != entries_.end() && !found->second.samples.expired()) {
    return found->second.text;
  }
  std::erase_if(entries_, [](const auto& entry) { return entry.second.samples.expired(); });
  auto text = std::make_shared<const std::string>(print());
  entries_[key] = {.samples = kept, .text = text};
  return text;
}

}  // namespace limpet
