#include "exporter/common/exposition/sample.h"

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

}  // namespace limpet
