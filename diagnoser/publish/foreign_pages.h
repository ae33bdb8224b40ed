// foreign_pages.h: what people read about pages of another machine, and increases that none makes.
//
// Threads: pure.
#pragma once

#include <string>

#include "diagnoser/intake/scrape.h"

namespace limpet {

[[nodiscard]] std::string Text(const ReplacedNode& replaced);
[[nodiscard]] std::string Text(const ImpossibleIncrease& impossible);

}  // namespace limpet
