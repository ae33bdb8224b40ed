#include "exporter/record/facts_due.h"

#include <algorithm>
#include <utility>

#include "exporter/collectors/catalog/facts.h"

namespace limpet {
namespace {

std::vector<std::shared_ptr<const Samples>> FindFacts(std::span<const Family> families) {
  std::vector<std::shared_ptr<const Samples>> found;
  for (const auto& family : families) {
    if (std::ranges::find(catalog::kFacts, family.info) != catalog::kFacts.end()) {
      found.push_back(family.kept);
    }
  }
  return found;
}

}  // namespace

bool FactsDue::IsDue(std::span<const Family> families, UnixTime at, bool begins_file) {
  auto facts = FindFacts(families);
  if (!begins_file && at_ && at - *at_ < kEvery && facts == recorded_) {
    return false;
  }
  recorded_ = std::move(facts);
  at_ = at;
  return true;
}

}  // namespace limpet
