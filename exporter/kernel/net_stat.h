// net_stat.h: /proc/net/snmp, netstat, sockstat and sockstat6 taken apart; snmp6 is "key number"
// lines (keyed_lines.h).
//
// Missing: fields the kernel does not print, cut lines and signed or broken numbers are nullopt.
// Threads: PairedLines one at a time; ParseSockstat is pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limpet {

struct NetStatField {
  std::string_view protocol;  // "Tcp", static storage
  std::string_view name;      // "RetransSegs"
};
using NetStatValues = std::vector<std::optional<std::uint64_t>>;  // in the order of the fields

// Pairs of lines, names above numbers: "Tcp: RtoAlgorithm RtoMin …" and "Tcp: 1 200 …". The line of
// names never changes while the kernel runs, so columns are looked up once per line of names.
class PairedLines {
 public:
  explicit PairedLines(std::vector<NetStatField> fields) : fields_(std::move(fields)) {}

  [[nodiscard]] NetStatValues Parse(std::string_view text);

 private:
  struct Column {
    std::size_t column;  // 0 is the first after the protocol
    std::size_t field;
  };
  struct Heading {
    std::string line;
    std::vector<Column> columns;  // ascending
  };
  [[nodiscard]] Heading ParseHeading(std::string_view names) const;

  std::vector<NetStatField> fields_;
  std::vector<Heading> headings_;  // one a pair, in the order of the file
};

// "TCP: inuse 5 orphan 0 tw 2".
[[nodiscard]] NetStatValues ParseSockstat(std::string_view text,
                                          std::span<const NetStatField> fields);

}  // namespace limpet
