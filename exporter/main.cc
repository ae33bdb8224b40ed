#include <cstdio>
#include <exception>
#include <string>
#include <variant>

#include "exporter/app.h"
#include "exporter/process.h"

int main(int argc, char** argv) {
  limpet::KeepMemorySmall();  // before the first allocation of any size and the first thread
  try {
    const auto parsed = limpet::ParseCommandLine(limpet::ExporterProgram(), argc, argv);
    if (const auto* exit = std::get_if<limpet::Exit>(&parsed)) {
      std::fputs(exit->text.c_str(), exit->code == 0 ? stdout : stderr);
      return exit->code;
    }
    const limpet::RealClock clock;
    const int code = limpet::RunExporter(
        std::get<limpet::CommandLine>(parsed), clock,
        [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    // A page that did not fit on a full disk is a failure, not a success.
    return std::fflush(stdout) == 0 ? code : limpet::kExitFailed;
  } catch (const std::exception& thrown) {
    std::fprintf(stderr, "limpet-exporter: %s\n", thrown.what());
    return limpet::kExitFailed;
  }
}
