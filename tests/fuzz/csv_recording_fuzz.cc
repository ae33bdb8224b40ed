// Any text as a table: whole lines come of it, the same however it is cut, or an error.
#include "diagnoser/sources/csv_recording.h"
#include "tests/fuzz/converter_input.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  limpet::CheckConverter<limpet::CsvRecording>(data, size, "x.csv");
  return 0;
}
