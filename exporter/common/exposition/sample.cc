#include "exporter/common/exposition/sample.h"

#include <algorithm>
#include <utility>

namespace limpet {
namespace {

// The three characters that both formats escape in label values; once a series, not once a page.
void AppendEscaped(std::string& out, std::string_view value) {
  for (const char c : value) {
    if (c == '\\' || c == '"') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
}

bool IsSame(const Sample& a, const Sample& b) {
  const bool has_same_labels =
      a.labels == b.labels ||
      (a.labels && b.labels && a.labels->Rendered() == b.labels->Rendered());
  return has_same_labels && a.value == b.value && a.part == b.part;
}

// What `before` keeps of the family, if nothing of it has changed; else null.
std::shared_ptr<const Samples> FindSame(const Family& family, const Families& before) {
  const auto known = std::find_if(before.begin(), before.end(),
                                  [&](const Family& one) { return one.info == family.info; });
  const bool is_same = known != before.end() && known->kept &&
                       std::ranges::equal(family.All(), *known->kept, IsSame);
  return is_same ? known->kept : nullptr;
}

}  // namespace

LabelSet::LabelSet(const Pairs& pairs) {
  for (const auto& [name, value] : pairs) {
    if (!rendered_.empty()) {
      rendered_ += ',';
    }
    rendered_ += name;
    rendered_ += "=\"";
    AppendEscaped(rendered_, value);
    rendered_ += '"';
  }
}

LabelsPtr MakeLabels(const LabelSet::Pairs& pairs) {
  return std::make_shared<const LabelSet>(pairs);
}

Families Keep(Families families, const Families& before) {
  Families kept;
  kept.reserve(families.size());
  // One owner for all that is new: a page copies pointers, and touches one counter.
  const auto block = std::make_shared<Families>();
  block->reserve(families.size());
  for (auto& family : families) {
    auto& one = kept.emplace_back(
        Family{.info = family.info, .samples = {}, .kept = FindSame(family, before)});
    if (!one.kept) {
      const auto& samples = block->emplace_back(std::move(family)).All();
      one.kept = std::shared_ptr<const Samples>(block, &samples);
    }
  }
  return kept;
}

}  // namespace limpet
