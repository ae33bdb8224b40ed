#include "diagnoser/sources/input_notes.h"

#include <fmt/format.h>

namespace limpet {

void InputNotes::LeaveOut(std::uint64_t line, std::string_view why) {
  ++left_out_;
  if (line > last_named_ && named_ < kMaxNamed) {
    ++named_;
    last_named_ = line;
    log_(LogLevel::kWarning, fmt::format("{}:{}: {}; left out", path_, line, why));
  }
}

void InputNotes::Say(const std::string& text) {
  if (said_.size() < kMaxNamed && said_.insert(text).second) {
    log_(LogLevel::kWarning, fmt::format("{}: {}", path_, text));
  }
}

void InputNotes::Finish(std::uint64_t rows) {
  if (left_out_ > 0) {
    Say(fmt::format("left out {} of {} rows", left_out_, rows));
  }
}

}  // namespace limpet
