// Any text as what sadf prints: whole lines come of it, the same however it is cut, or an error.
#include "diagnoser/sources/sysstat_json.h"
#include "tests/fuzz/converter_input.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  limpet::CheckConverter<limpet::SysstatJson>(data, size, "x.json");
  return 0;
}
