// app.h: the command line of limpet-diagnoser and what each command does. Wiring only.
//
// Threads: from main.
#pragma once

namespace limpet {

// The exit code: 0 ok, 1 failed, 2 wrong use.
[[nodiscard]] int RunDiagnoser(int argc, const char* const* argv);

}  // namespace limpet
