// Any text as metrics text without a node: whole lines come of it, the same however it is cut, or
// an error.
#include "diagnoser/sources/named_text.h"
#include "tests/fuzz/converter_input.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  limpet::CheckConverter<limpet::NamedText>(data, size, "oss1.prom");
  return 0;
}
