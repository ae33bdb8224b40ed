// handover.h: descriptors with their names, from the loader's process to the exporter's.
//
// One message over a socket pair: a line for each descriptor, or one line that says what is
// missing. Threads: pure but for Send and Receive, which block.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/bpf/object_loading.h"
#include "exporter/common/result.h"

namespace limpet::bpf {

// Returns the error of the system call that failed last, with its name; kInternal.
[[nodiscard]] Error SystemProblem(const char* what);

// kInternal when the other end is gone.
[[nodiscard]] Result<void> Send(int socket, const Result<std::vector<Handed>>& loaded);
// Returns what was sent; kInternal when the sender ended without a word.
[[nodiscard]] Result<std::vector<Handed>> Receive(int socket);

// The text of a message, without its descriptors, and back. For tests; nullopt for anything else.
[[nodiscard]] std::string EncodeHandover(const Result<std::vector<Handed>>& loaded);
[[nodiscard]] std::optional<Result<std::vector<Handed>>> DecodeHandover(std::string_view text);

}  // namespace limpet::bpf
