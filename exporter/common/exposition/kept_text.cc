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

std::vector<const FamilyHeads*> KeptText::Heads(
    std::span<const Family* const> families, Format format,
    const std::function<FamilyHeads(const MetricInfo&)>& make) {
  std::vector<const FamilyHeads*> heads;
  heads.reserve(families.size());
  const std::lock_guard lock(mutex_);
  auto& known = heads_[format == Format::kText ? 0 : 1];
  for (const auto* family : families) {
    auto found = known.find(family->info);
    if (found == known.end()) {
      found = known.emplace(family->info, make(*family->info)).first;
    }
    heads.push_back(&found->second);  // stays where it is, whatever is added
  }
  return heads;
}

}  // namespace limpet
