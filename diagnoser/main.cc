#include <cstdio>
#include <exception>

#include "diagnoser/commands/app.h"

int main(int argc, char** argv) {
  try {
    return limpet::RunProgram(limpet::DiagnoserProgram(), argc, argv);
  } catch (const std::exception& failed) {  // a start that cannot work, out of memory
    std::fprintf(stderr, "limpet-diagnoser: %s\n", failed.what());
    return limpet::kExitFailed;
  }
}
