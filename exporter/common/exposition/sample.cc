#include "exporter/common/exposition/sample.h"

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

Families Keep(Families families) {
  // One owner for all of them: a page copies pointers, and touches one counter.
  auto block = std::make_shared<const Families>(std::move(families));
  Families kept;
  kept.reserve(block->size());
  for (const auto& family : *block) {
    kept.push_back({.info = family.info,
                    .samples = {},
                    .kept = std::shared_ptr<const Samples>(block, &family.All())});
  }
  return kept;
}

}  // namespace limpet
