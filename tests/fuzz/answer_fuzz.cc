// What an answer to an incident may be posted as, and the Host field it comes with: whatever the
// bytes, an answer that is taken is bounded, printable and ends in the future.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "diagnoser/runtime/incident_pages.h"
#include "exporter/common/utf8.h"
#include "exporter/common/web/host_check.h"
#include "tests/fuzz/number_mutator.h"

namespace {

void Require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using limpet::IncidentAnswer;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto now = limpet::UnixFromSeconds(1'795'314'848);
  if (const auto answer = limpet::ParseAnswer("0123456789abcdef", text, "ann", now)) {
    Require(answer->note.size() <= IncidentAnswer::kMaxNote &&
            answer->by.size() <= IncidentAnswer::kMaxName);
    Require(limpet::IsUtf8(answer->note) && limpet::IsUtf8(answer->by));
    Require(answer->by.starts_with("ann"));
    Require(!answer->until || *answer->until > now);
    Require(answer->kind != limpet::AnswerKind::kMaintenance || answer->until);
  }
  const auto name = limpet::web::HostName(text);
  Require(name.size() <= text.size());
  // A name with a dot that is no address is nobody's but who listed it.
  if (limpet::web::IsAllowedHost(text, {}) && !text.empty() &&
      name.find("evil") != std::string_view::npos) {
    Require(name.ends_with(".localhost") || name.find('%') != std::string_view::npos);
  }
  return 0;
}
