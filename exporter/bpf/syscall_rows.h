// syscall_rows.h: which system calls are counted, as what, and where their descriptor and path are.
//
// Threads: constants.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "exporter/bpf/syscall_shared.h"

namespace limpet::bpf {

using SyscallRows = std::array<SyscallRow, kSyscallNumbers>;

// Returns the rows by the numbers of this machine's architecture. With `all`, calls that are not
// listed are kOperationOther; otherwise they are not looked at.
[[nodiscard]] SyscallRows MakeSyscallRows(bool all);

// Returns what a call of this number works on; nullopt when it is not listed.
[[nodiscard]] std::optional<SyscallRow> FindSyscallRow(std::string_view name);

// "read"; "unknown:600" for a number that libseccomp does not know.
[[nodiscard]] std::string SyscallName(std::uint32_t number);

// The label of an operation: "read". Of the enum's values alone.
[[nodiscard]] std::string_view OperationName(std::uint32_t operation);

// "EMFILE" for ErrorCell's indices; "unknown:133" for a number without a name.
[[nodiscard]] std::string ErrnoName(std::uint32_t index);

}  // namespace limpet::bpf
