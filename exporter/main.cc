#include <cstdio>
#include <exception>

#include "exporter/app.h"
#include "exporter/process.h"

int main(int argc, char** argv) {
  limpet::KeepMemorySmall();  // before the first allocation of any size and the first thread
  try {
    const limpet::RealClock clock;
    const auto program = limpet::ExporterProgram(
        clock, [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    const int code = limpet::RunProgram(program, argc, argv);
    // A full disk behind the pipe shows here, not at the fwrite.
    return std::fflush(stdout) == 0 ? code : limpet::kExitFailed;
  } catch (const std::exception& thrown) {
    std::fprintf(stderr, "limpet-exporter: %s\n", thrown.what());
    return limpet::kExitFailed;
  }
}
