// parse.h: what the files of facts hold, as numbers and words.
//
// Missing: nullopt, or an empty word, for anything that is not of the form described.
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace limpet {

// "12\n".
[[nodiscard]] std::optional<double> ParseCount(std::string_view text);
// A width of PCI Express, 1 to 32 lanes. Nullopt for 0 (no link), 63 (what a device that has fallen
// off the bus reads) and 255 (the kernel does not know).
[[nodiscard]] std::optional<double> ParseLanes(std::string_view text);
// "6.0 Gbps": bytes a second.
[[nodiscard]] std::optional<double> ParseSataSpeed(std::string_view text);
// "8.0 GT/s PCIe", "16 GT/s": transfers a second.
[[nodiscard]] std::optional<double> ParsePcieSpeed(std::string_view text);
// The last line of /proc/pressure/memory, "full avg10=0.00 … total=1234": seconds.
[[nodiscard]] std::optional<double> ParseFullPressure(std::string_view text);

// /proc/net/softnet_stat, a line of hexadecimal columns a processor (net/core/net-procfs.c): the
// second, and the third, of all lines together.
[[nodiscard]] std::optional<double> ParseSoftnetDropped(std::string_view text);
[[nodiscard]] std::optional<double> ParseSoftnetSqueezed(std::string_view text);

// Returns the text without blanks at its ends, fit to be printed, and cut at 256 bytes.
[[nodiscard]] std::string ParseWord(std::string_view text);
// "none [mq-deadline] kyber": "mq-deadline"; a single word is itself.
[[nodiscard]] std::string ParseChoice(std::string_view text);
// "DRIVER=ixgbe" among other lines of a uevent: "ixgbe".
[[nodiscard]] std::string ParseDriver(std::string_view text);

}  // namespace limpet
