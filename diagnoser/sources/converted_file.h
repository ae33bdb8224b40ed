// converted_file.h: a file of another program, read as if it were a recording.
//
// Threads: one at a time.
#pragma once

#include <functional>
#include <memory>

#include "diagnoser/sources/byte_source.h"
#include "diagnoser/sources/converter.h"
#include "diagnoser/sources/input_notes.h"

namespace limpet {

using MakeConverter = std::function<std::unique_ptr<Converter>(InputNotes& notes)>;

// `bytes` plain or compressed; `notes` say whose.
[[nodiscard]] std::unique_ptr<ByteSource> ConvertFile(std::unique_ptr<ByteSource> bytes,
                                                      InputNotes notes, MakeConverter make);

}  // namespace limpet
