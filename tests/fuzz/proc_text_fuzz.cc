// The other texts of /proc and /sys. The input is cut in two at its first NUL: parsers that
// remember where things were see both halves one after the other, and the first once more, which
// must give what it gave before.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/text.h"
#include "exporter/common/utf8.h"
#include "exporter/kernel/block_info.h"
#include "exporter/kernel/keyed_lines.h"
#include "exporter/kernel/loadavg.h"
#include "exporter/kernel/mountinfo.h"
#include "exporter/kernel/net_stat.h"
#include "exporter/kernel/pid_stat.h"
#include "exporter/kernel/proc_stat.h"
#include "tests/fuzz/number_mutator.h"

namespace {

constexpr std::array kFields = {limpet::NetStatField{"Tcp", "RetransSegs"},
                                limpet::NetStatField{"TCP", "mem"}};

void Require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

// Which of two lines with one key counts is not defined.
bool HasTwice(std::string_view text, const std::vector<std::string>& keys) {
  std::vector<std::string_view> found;
  limpet::Lines lines(text);
  while (const auto line = lines.Next()) {
    found.push_back(limpet::Fields(*line).Next());
  }
  return std::any_of(keys.begin(), keys.end(), [&](const auto& key) {
    return std::count(found.begin(), found.end(), key) > 1;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto middle = text.find('\0');
  const auto first = text.substr(0, middle);
  const auto second =
      middle == std::string_view::npos ? std::string_view() : text.substr(middle + 1);

  const std::vector<std::string> keys = {"pgpgin", "MemTotal:", "a"};
  limpet::KeyedLines lines(keys);
  const auto values = lines.Parse(first);
  (void)lines.Parse(second);
  Require(HasTwice(first, keys) || lines.Parse(first) == values);

  limpet::PairedLines pairs({kFields.begin(), kFields.end()});
  const auto numbers = pairs.Parse(first);
  (void)pairs.Parse(second);
  Require(pairs.Parse(first) == numbers);

  (void)limpet::ParseSockstat(text, kFields);
  (void)limpet::ParseProcStat(text);
  (void)limpet::ParseLoadAverage(text);
  (void)limpet::ParsePidStat(text);
  const auto mounts = limpet::ParseMountInfo(text).mounts;
  (void)limpet::FindMount(mounts, 8, 0, "sda");
  Require(limpet::IsUtf8(limpet::Printable(text)));
  (void)limpet::NormalWwn(text);
  return 0;
}
