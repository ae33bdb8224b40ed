// case_text.h: behaviour as a text file (tests/cases/*.case), the idea of Prometheus' promqltest.
//
//   preset testbench                       # also: preset production
//   option noise_floor await 5             # or: option default_threshold await 1, masked b
//   group disks: a b c d                   # storage; "group lan network: a b c d" for interfaces
//   load 1s await   a,b,c 5x400   d 5x200 50x200
//   expect flagged d await direction high  # metric and direction may be left out
//   expect verdict d disk-busy after 96s   # first verdict so long after the load began
//   expect never a b c                     # no flag on a metric of the checklist, no verdict
//   expect undetermined                    # every window
//
// A load gives samples of a metric for each second named: 5x400 is 400 of value 5, 5~2x400 the same
// with a seeded disturbance within 2, -x30 is 30 without a reading. Metrics that may be loaded:
// await and svctm (ms), tps, rd_sec and wr_sec (sectors/s), rxbyt and txbyt (B/s). What is not
// loaded is 100 requests/s of 5 ms await and 2 ms service time without bytes.
#pragma once

#include <string>
#include <string_view>

namespace limpet::testing {

// What did not hold, with line numbers; empty when everything did.
[[nodiscard]] std::string RunCaseText(std::string_view text, const std::string& file);

}  // namespace limpet::testing
