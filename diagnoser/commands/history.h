// history.h: `history`: the incidents that a diagnoser has kept, for spreadsheets and programs.
//
// Threads: from main.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/commands/common_flags.h"

namespace limpet {

struct HistoryOptions {
  std::string state_folder = kDefaultStateFolder;
  std::string from;  // times as time_range.h has them; empty: no bound
  std::string to;
  std::string node;  // empty: all
  std::string format = "csv";

  void Bind(Flags& flags);
};

// The exit code: 0 ok, 1 there is no history or it cannot be read, 2 wrong use.
[[nodiscard]] int RunHistory(const HistoryOptions& options);

}  // namespace limpet
