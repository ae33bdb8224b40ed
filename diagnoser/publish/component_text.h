// component_text.h: what a component is, in words: "disk sdb of io03" instead of "io03/sdb", and
// its numbers.
//
// Threads: pure.
#pragma once

#include <string>
#include <string_view>

#include "diagnoser/verdict/events.h"

namespace limpet {

// `component` as events name it; `metric` by its name or label tells what kind it is. Of a metric
// that is not known, and of a whole node: the component as it is.
[[nodiscard]] std::string DescribeComponent(std::string_view component, std::string_view metric);

// Describes that of the first evidence; the node where there is none.
[[nodiscard]] std::string DescribeComponent(const VerdictEvent& verdict);

// Returns "123", "12.3" or "1.23": three digits that mean something.
[[nodiscard]] std::string Rounded(double value);

}  // namespace limpet
