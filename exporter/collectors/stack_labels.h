// stack_labels.h: what a device stands on as label sets, one for each device below it.
//
// Threads: pure.
#pragma once

#include <string_view>
#include <vector>

#include "exporter/common/exposition/sample.h"
#include "exporter/common/utf8.h"
#include "exporter/kernel/device_stack.h"

namespace limpet {

// None of a device that /sys does not know.
[[nodiscard]] inline std::vector<LabelsPtr> StackLabels(std::string_view device,
                                                        const DeviceStack& stack) {
  std::vector<LabelsPtr> labels;
  const auto add = [&](std::string_view lower) {
    labels.push_back(MakeLabels({{"device", Printable(device)},
                                 {"kind", Printable(stack.kind)},
                                 {"lower", Printable(lower)}}));
  };
  for (const auto& lower : stack.lowers) {
    add(lower);
  }
  if (stack.lowers.empty() && !stack.kind.empty()) {
    add("");
  }
  return labels;
}

// A family of all of them; no family without any.
template <class Entries>
void AddStacks(Families& families, const MetricInfo& info, const Entries& entries) {
  Family family{.info = &info, .samples = {}};
  for (const auto* entry : entries) {
    for (const auto& labels : entry->state.stack_labels) {
      family.samples.push_back({labels, 1});
    }
  }
  if (!family.samples.empty()) {
    families.push_back(std::move(family));
  }
}

}  // namespace limpet
