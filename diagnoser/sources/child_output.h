// child_output.h: what a program prints, as the bytes of a file.
//
// The program runs from the first Read to its end; it waits while nobody reads. One that prints
// nothing for `patience` while somebody waits, or more than `max_bytes`, is killed.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "diagnoser/sources/byte_source.h"
#include "exporter/common/time.h"

namespace limpet {

struct ChildCommand {
  std::vector<std::string> arguments;    // the first is the program, looked for in PATH
  std::string package;                   // what to install when it is missing
  std::string subject;                   // what it reads; names the source in errors
  std::vector<std::string> environment;  // "NAME=value", in the place of ours
  Duration patience = std::chrono::seconds(60);
  std::uint64_t max_bytes = std::uint64_t{1} << 40U;
};

// Errors of Read: kNotFound (no such program), kTimeout, kTooLarge, kInvalid (it ended with an exit
// code other than 0; with what it said on standard error).
[[nodiscard]] std::unique_ptr<ByteSource> RunChild(ChildCommand command);

}  // namespace limpet
