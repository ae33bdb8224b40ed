// The first line is a rule's device expression, the second a label's, the rest a page's labels.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "diagnoser/mapping/directory.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto line = [&] {
    const auto end = rest.find('\n');
    const auto text = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return std::string(text);
  };
  limpet::PeerGroupRule rule{.name = "g"};
  rule.device = line().substr(0, 200);
  rule.labels = {{.name = "model", .regex = line().substr(0, 200)}};
  const auto compiled = limpet::Rule::Compile(rule);
  if (!compiled) {
    return 0;
  }
  limpet::Directory directory({*compiled});
  while (!rest.empty()) {
    const auto name = line();
    const auto labels = limpet::ParseLabels(line());
    const auto field = limpet::FindField(name);
    if (field && labels) {
      const auto entity = directory.Resolve(*field, *labels, {});
      if (entity && directory.Count() > 100) {
        directory.Forget(field->kind, *entity);
      }
    }
  }
  return 0;
}
