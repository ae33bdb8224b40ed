// show.h: one run in detail: what every window said about the server that is faulty and about the
// one that comes nearest, for finding the reason of a miss.
#pragma once

#include <string>
#include <vector>

#include "tests/accuracy/one_run.h"

namespace limpet::accuracy {

[[nodiscard]] std::string Show(const RunKey& key, const std::vector<PresetSettings>& presets);

}  // namespace limpet::accuracy
